// The new file is in the same directory, so that the renaming is atomic. It is created with O_EXCL:
// in a directory of other users a link of that name would lead elsewhere. Links and devices are
// detected by lstat: a renaming would replace them by a file.
#include "common/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/interface/run_file.h"

namespace andes {
namespace {

/// Writes all of `text` and closes; 0 or an errno.
int write_and_close(int file, const std::string& text) {
  int error = 0;
  for (std::size_t done = 0; done < text.size() && error == 0;) {
    const ssize_t wrote = write(file, text.data() + done, text.size() - done);
    if (wrote >= 0) done += static_cast<std::size_t>(wrote);
    else if (errno != EINTR) error = errno;
  }
  return close(file) != 0 && error == 0 ? errno : error; // a full disk may be reported only here
}

/// Opens a new file beside `path`; `name` becomes its name. -1: errno gives the reason.
int open_fresh(const std::string& path, std::string& name) {
  constexpr int tries = 100;
  int file = -1;
  for (int number = 0; file < 0 && number < tries; ++number) {
    name = fmt::format("{}.{}-{}", path, getpid(), number);
    file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  return file;
}

/// Whether there is a database, as runs are: what was measured cannot be made again. Pipes are not read.
bool holds_run(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char head[16] = {};
  const bool is_long = read(file, head, sizeof head) == sizeof head;
  close(file);
  return is_long && std::memcmp(head, run_file::head, sizeof head) == 0;
}

} // namespace

std::string write_whole(const std::string& path, const std::string& text) {
  const auto reason = [](int error) { return error ? std::string(std::strerror(error)) : ""; };
  if (holds_run(path)) return "it is a run file, and none is ever overwritten";
  struct stat facts;
  if (lstat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return reason(file < 0 ? errno : write_and_close(file, text));
  }
  std::string fresh;
  const int file = open_fresh(path, fresh);
  if (file < 0) return reason(errno);
  int error = write_and_close(file, text);
  if (error == 0 && std::rename(fresh.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(fresh.c_str());
  return reason(error);
}

} // namespace andes
