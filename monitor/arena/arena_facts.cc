#include "monitor/arena/arena_facts.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "monitor/arena/kept_variables.h"
#include "monitor/system/build_id.h"
#include "monitor/system/memory.h"
#include "monitor/system/process_start.h"

namespace andes::monitor {
namespace {

constexpr std::size_t most_bytes = 1 << 20; // of all texts together; the rest is left out

/// Texts, one behind the other; they are complete before the memory is backed.
struct Texts {
  char* begin;
  std::size_t bytes = 0;
  std::size_t room() const { return begin ? most_bytes - bytes : 0; }
  ArenaText add(std::size_t count) {
    bytes += count;
    return {begin + bytes - count, count};
  }
};

ArenaText add_link(Texts& texts, const char* path) {
  const ssize_t bytes = texts.room() > PATH_MAX ? readlink(path, texts.begin + texts.bytes, PATH_MAX) : 0;
  return bytes > 0 ? texts.add(static_cast<std::size_t>(bytes)) : ArenaText{};
}

ArenaText add_file(Texts& texts, const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  std::size_t bytes = 0;
  for (ssize_t got = 1; file >= 0 && got > 0; bytes += static_cast<std::size_t>(got)) {
    got = read(file, texts.begin + texts.bytes + bytes, texts.room() - bytes);
    if (got < 0) got = 0;
  }
  if (file >= 0) close(file);
  return texts.add(bytes);
}

bool is_kept(const char* entry) {
  for (const char* start : kept_variables)
    if (strncmp(entry, start, strlen(start)) == 0) return true;
  return false;
}

ArenaText add_environment(Texts& texts) {
  std::size_t bytes = 0;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::size_t length = strlen(*entry) + 1;
    if (!is_kept(*entry) || length > texts.room() - bytes) continue;
    memcpy(texts.begin + texts.bytes + bytes, *entry, length);
    bytes += length;
  }
  return texts.add(bytes);
}

// Texts are collected in temporary memory first: the arena's memory must not be touched before it is backed.
void add_texts(ArenaHeader& header) {
  Texts texts = {reserve_array<char>(most_bytes)};
  if (!texts.begin) return;
  header.executable = add_link(texts, "/proc/self/exe");
  header.directory = add_link(texts, "/proc/self/cwd");
  header.arguments = add_file(texts, "/proc/self/cmdline");
  header.environment = add_environment(texts);
  char* kept = reserve_array<char>(texts.bytes + 1);
  ArenaText* const all[] = {&header.executable, &header.directory, &header.arguments, &header.environment};
  if (kept) {
    arena_map(kept, texts.bytes + 1);
    memcpy(kept, texts.begin, texts.bytes);
  }
  for (ArenaText* text : all) {
    if (kept && text->bytes > 0) text->text = kept + (text->text - texts.begin);
    else *text = {};
  }
  unreserve(texts.begin, most_bytes);
}

} // namespace

void fill_facts(ArenaHeader& header, const ArenaRoot& root) {
  header.format = arena_format;
  header.header_bytes = sizeof header;
  header.layout = root.layout;
  header.process_address = reinterpret_cast<std::uintptr_t>(root.begin);
  header.pid = getpid();
  header.uid = geteuid();
  header.pid_start = start_of(header.pid);
  gethostname(header.host, sizeof header.host - 1);
  const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    if (read(file, header.boot_id, sizeof header.boot_id - 1) < 0) header.boot_id[0] = 0;
    header.boot_id[strcspn(header.boot_id, "\n")] = 0;
    close(file);
  }
  find_build_id(header.executable_hash);
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    for (std::uint64_t cpu = 0; cpu < sizeof header.cores * CHAR_BIT; ++cpu)
      if (CPU_ISSET(cpu, &cores)) header.cores[cpu / 64] |= 1ull << cpu % 64;
  add_texts(header);
  memcpy(header.magic, arena_magic, sizeof header.magic);
}

} // namespace andes::monitor
