// Of a directory only its being there counts: builds put new files beside headers all the time, and a header that is
// new shows in the path at which it was looked for.
#include "preprocessor/collect/seen_files.h"

#include <cerrno>
#include <ctime>
#include <utility>

#include "preprocessor/reading_messages.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace andes::preprocessor {
namespace {

using namespace llvm;

constexpr long fresh_ns = 100'000'000; // file systems count time in steps, of up to 10 ms where they are local

class BufferFile : public vfs::File {
public:
  BufferFile(vfs::Status status, MemoryBufferRef buffer) : status_(std::move(status)), buffer_(buffer) {}
  ErrorOr<vfs::Status> status() override { return status_; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine&, int64_t, bool, bool) override {
    return MemoryBuffer::getMemBuffer(buffer_);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status status_;
  MemoryBufferRef buffer_;
};

/// A file that is copied into memory: one that is mapped is in use for as long as a holder lives, and what is written
/// into it would show here.
class CopiedFile : public vfs::File {
public:
  explicit CopiedFile(std::unique_ptr<vfs::File> file) : file_(std::move(file)) {}
  ErrorOr<vfs::Status> status() override { return file_->status(); }
  ErrorOr<std::string> getName() override { return file_->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine& name, int64_t size, bool terminated, bool) override {
    return file_->getBuffer(name, size, terminated, true);
  }
  std::error_code close() override { return file_->close(); }

private:
  std::unique_ptr<vfs::File> file_;
};

long nanoseconds(const timespec& time) { return long(time.tv_sec) * 1'000'000'000 + time.tv_nsec; }

} // namespace

SeenFiles::SeenFiles(std::string path, MemoryBufferRef buffer)
    : ProxyFileSystem(vfs::getRealFileSystem()), path_(std::move(path)),
      no_directory_(StringRef(path_).starts_with(no_directory) ? sys::path::parent_path(path_) : ""), buffer_(buffer) {}

SeenFiles::Facts SeenFiles::facts_of(const char* path) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  Facts facts;
  if (::stat(path, &facts.found) != 0) facts.error = errno;
  else facts.fresh = nanoseconds(now) - nanoseconds(facts.found.st_ctim) < fresh_ns;
  return facts;
}

void SeenFiles::note(const std::string& path) {
  if (const auto [at, fresh] = seen_.try_emplace(path); fresh) at->second = facts_of(path.c_str());
}

bool SeenFiles::unchanged() const {
  for (const auto& [path, before] : seen_) {
    const Facts now = facts_of(path.c_str());
    if (now.error != before.error) return false;
    if (now.error) continue;
    const struct stat &a = before.found, &b = now.found;
    if (a.st_dev != b.st_dev || a.st_ino != b.st_ino || a.st_mode != b.st_mode) return false;
    if (S_ISDIR(a.st_mode)) continue;
    if (before.fresh || a.st_size != b.st_size || nanoseconds(a.st_mtim) != nanoseconds(b.st_mtim) ||
        nanoseconds(a.st_ctim) != nanoseconds(b.st_ctim))
      return false;
  }
  return true;
}

vfs::Status SeenFiles::own_status() const {
  return vfs::Status(path_, sys::fs::UniqueID(~0ull, 1), sys::TimePoint<>(), 0, 0, buffer_.getBufferSize(),
                     sys::fs::file_type::regular_file, sys::fs::all_read);
}

ErrorOr<vfs::Status> SeenFiles::status(const Twine& path) {
  const std::string name = path.str();
  if (name == path_) return own_status();
  if (!no_directory_.empty() && name == no_directory_)
    return vfs::Status(name, sys::fs::UniqueID(~0ull, 2), sys::TimePoint<>(), 0, 0, 0,
                       sys::fs::file_type::directory_file, sys::fs::all_read);
  note(name);
  return ProxyFileSystem::status(path);
}

bool SeenFiles::exists(const Twine& path) { return bool(status(path)); }

ErrorOr<std::unique_ptr<vfs::File>> SeenFiles::openFileForRead(const Twine& path) {
  const std::string name = path.str();
  if (name == path_) return std::make_unique<BufferFile>(own_status(), buffer_);
  note(name);
  ErrorOr<std::unique_ptr<vfs::File>> file = ProxyFileSystem::openFileForRead(path);
  if (!file) return file.getError();
  return std::make_unique<CopiedFile>(std::move(*file));
}

} // namespace andes::preprocessor
