// PlainFile: a regular file in a directory that others may have filled. Links, FIFOs (they wait for a writer) and
// devices (they may never end) are not opened. The file is not mapped: its owner may truncate it while it is read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace andes::monitor {

class PlainFile {
public:
  explicit PlainFile(const std::string& path);
  ~PlainFile();
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  /// 0: it is open; else an errno; EINVAL if it is not a regular file.
  int trouble() const { return trouble_; }

  /// Its present size, and the part of it that is not holes.
  struct Size {
    std::uint64_t bytes = 0, allocated = 0;
  };
  Size size() const;

  /// Reads at `offset`; returns the number of bytes, less than `count` at the end of the file.
  std::size_t read(void* to, std::size_t count, std::uint64_t offset = 0) const;

private:
  int number_, trouble_ = 0;
};

} // namespace andes::monitor
