// A program that begins without standard error, or closes it, gets descriptor 2 for the next file that it opens: a line
// of the monitor would then stand in the middle of that file. So the file that descriptor 2 was at the start is
// remembered.
#include "monitor/say/say.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/system/blocked_write_signals.h"

namespace andes::monitor {
namespace {

struct StandardError {
  bool known = false, open = false; // known: descriptor 2 was examined
  std::uint64_t device = 0, inode = 0;
};

StandardError at_start;

StandardError standard_error_now() {
  struct stat file;
  if (fstat(STDERR_FILENO, &file) != 0) return {true, false, 0, 0};
  return {true, true, file.st_dev, file.st_ino};
}

} // namespace

void note_standard_error() { at_start = standard_error_now(); }

bool may_speak() {
  if (!at_start.known) note_standard_error(); // the constructor of another library ran before ours
  const StandardError now = standard_error_now();
  return at_start.open && now.open && at_start.device == now.device && at_start.inode == now.inode;
}

} // namespace andes::monitor

extern "C" __attribute__((visibility("default"))) void andes_say_once(int id, const char* format, ...) {
  static std::uint64_t said[andes::monitor::said_limit / 64];
  const std::uint64_t bit = 1ull << (id & 63);
  if (__atomic_fetch_or(&said[id >> 6], bit, __ATOMIC_RELAXED) & bit) return;
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  if (length > static_cast<int>(sizeof line) - 2) length = sizeof line - 2;
  line[length] = '\n';
  if (!andes::monitor::may_speak()) return;
  andes::monitor::BlockedWriteSignals blocked;
  dprintf(STDERR_FILENO, "andes: %.*s", length + 1, line);
}
