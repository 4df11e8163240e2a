// PlainFile: a file of bytes in a directory that others may have filled. Links, and what waits for a writer (FIFOs) or
// never ends (devices), are not opened. Nothing of it is mapped: its owner may cut it off while it is read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace andes {

class PlainFile {
public:
  explicit PlainFile(const std::string& path);
  ~PlainFile();
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  /// 0: it is open; else an errno, EINVAL of what is no plain file.
  int trouble() const { return trouble_; }

  /// Its size, and how much of that is more than holes; now.
  struct Size {
    std::uint64_t bytes = 0, allocated = 0;
  };
  Size size() const;

  /// Bytes read at `offset`: fewer than `count` where the file ends.
  std::size_t read(void* to, std::size_t count, std::uint64_t offset = 0) const;

private:
  int number_, trouble_ = 0;
};

} // namespace andes
