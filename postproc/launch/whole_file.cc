// The fresh file stands in the same directory, so that the renaming is one step. Links and devices are told by
// lstat: a renaming would put a file in their place.
#include "postproc/launch/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

namespace andes {
namespace {

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return bool(file);
}

} // namespace

std::string write_whole(const std::string& path, const std::string& text) {
  const auto reason = [] { return std::string(std::strerror(errno ? errno : EIO)); };
  struct stat facts;
  const bool there = lstat(path.c_str(), &facts) == 0;
  errno = 0;
  if (there && !S_ISREG(facts.st_mode)) return write(path, text) ? "" : reason();
  const std::string fresh = fmt::format("{}.{}", path, getpid());
  if (write(fresh, text) && std::rename(fresh.c_str(), path.c_str()) == 0) return "";
  const std::string what = reason();
  unlink(fresh.c_str());
  return what;
}

} // namespace andes
