#include "monitor/system/process_start.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace andes::monitor {
namespace {

enum : int { state_field = 3, threads_field = 20, start_field = 22 };

// Finds the text of field `wanted` of /proc/PID/stat; `at` points into field `number`. Null: the line ends before.
const char* next_field(const char* at, int number, int wanted) {
  for (; at && number < wanted; ++number) at = at[0] ? strchr(at + 1, ' ') : nullptr;
  return at;
}

} // namespace

std::uint64_t start_of(std::int32_t pid) {
  char text[1024];
  snprintf(text, sizeof text, "/proc/%d/stat", pid);
  const int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  if (bytes <= 0) return 0;
  text[bytes] = 0;
  const char* name_end = strrchr(text, ')'); // the second field, a name, may contain any character
  const char* state = name_end ? next_field(name_end, state_field - 1, state_field) : nullptr;
  const char* threads = next_field(state, state_field, threads_field);
  const char* start = next_field(threads, threads_field, start_field);
  if (!start) return 0;
  // The main thread may have ended before others: then its state is that of a zombie.
  const bool ended = state[1] == 'X' || (state[1] == 'Z' && strtol(threads, nullptr, 10) <= 1);
  return ended ? 0 : strtoull(start, nullptr, 10);
}

} // namespace andes::monitor
