#include "monitor/recover/plain_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace andes::monitor {

PlainFile::PlainFile(const std::string& path)
    : number_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
  struct stat status;
  if (number_ < 0 || fstat(number_, &status) != 0) trouble_ = errno;
  else if (!S_ISREG(status.st_mode)) trouble_ = EINVAL;
}

PlainFile::~PlainFile() {
  if (number_ >= 0) close(number_);
}

PlainFile::Size PlainFile::size() const {
  constexpr std::uint64_t block_bytes = 512; // whatever those of the file system are
  struct stat status;
  if (trouble_ != 0 || fstat(number_, &status) != 0) return {};
  return {static_cast<std::uint64_t>(status.st_size), block_bytes * static_cast<std::uint64_t>(status.st_blocks)};
}

std::size_t PlainFile::read(void* to, std::size_t count, std::uint64_t offset) const {
  std::size_t done = 0;
  while (trouble_ == 0 && done < count) {
    const ssize_t got = pread(number_, static_cast<char*>(to) + done, count - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

} // namespace andes::monitor
