#include "monitor/arena/arena_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/fnv.h"

namespace andes::monitor {

void make_harmless(char* name) {
  for (char* c = name; *c; ++c)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '.' || *c == '_' ||
          *c == '-'))
      *c = '_';
}

void directory_name(char (&name)[name_bytes], const char* job) {
  constexpr int longest_job = 160; // characters
  snprintf(name, sizeof name, "andes-%u-%.*s", static_cast<unsigned>(geteuid()), longest_job, job);
  make_harmless(name);
}

std::uint32_t mark_of(const char* text) {
  const auto mark = static_cast<std::uint32_t>(fnv_hash(text));
  return mark == 0 ? 1 : mark;
}

const char* place_to_try(const char* setting, int number) {
  if (*setting) return number == 0 && strcmp(setting, "none") != 0 ? setting : nullptr;
  if (number == 0) return "/dev/shm";
  const char* temporary = getenv("TMPDIR");
  return number == 1 ? (temporary && *temporary ? temporary : "/tmp") : nullptr;
}

} // namespace andes::monitor
