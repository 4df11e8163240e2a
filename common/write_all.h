// Writing all of some bytes: write() may be interrupted, and may write less than it is given.
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include <unistd.h>

namespace andes {

/// Writes all bytes to the file descriptor; 0, or the errno that stopped it (EPIPE: the reader has gone).
inline int write_all(int file, std::string_view bytes) {
  constexpr std::size_t most_at_once = std::size_t{1} << 30; // Linux writes at most 2 GiB in one call
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), std::min(bytes.size(), most_at_once));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

} // namespace andes
