// Which file standard error is. A program that begins without it, or closes it, gets descriptor 2 for the next
// file that it opens: a line of ours would then stand in the middle of its data. So the process remembers what
// descriptor 2 was when it began, and the monitor speaks only while it is still that.
#pragma once
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

namespace andes {

struct StandardError {
  bool known = false, open = false; // known: descriptor 2 was looked at
  std::uint64_t device = 0, inode = 0;
};

inline StandardError standard_error_now() {
  struct stat file;
  if (fstat(STDERR_FILENO, &file) != 0) return {true, false, 0, 0};
  return {true, true, file.st_dev, file.st_ino};
}

/// Whether descriptor 2 is still the file that it was.
inline bool may_speak(const StandardError& before) {
  const StandardError now = standard_error_now();
  return before.open && now.open && now.device == before.device && now.inode == before.inode;
}

} // namespace andes
