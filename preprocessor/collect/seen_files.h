// The files that Clang looks for, with what was found: to know later whether another reading would find the same.
// Uses Clang; only for preprocessor/collect.
#pragma once
#include <string>
#include <unordered_map>

#include <sys/stat.h>

#include "llvm/Support/VirtualFileSystem.h"

namespace andes::preprocessor {

/// The real file system, and in it one file that is not there: `path`, which is `buffer`; and the directory of `path`,
/// if that is no_directory.
class SeenFiles : public llvm::vfs::ProxyFileSystem {
public:
  SeenFiles(std::string path, llvm::MemoryBufferRef buffer);

  /// Whether each path still leads to the same file, unchanged since it was first asked for, or still to none.
  bool unchanged() const;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

private:
  struct Facts {
    int error = 0; // of stat(); 0: the file is there
    struct stat found{};
    bool fresh = false; // so lately changed that another change might not show
  };
  static Facts facts_of(const char* path);
  void note(const std::string& path);
  llvm::vfs::Status own_status() const;

  const std::string path_;
  const std::string no_directory_; // of the path, if it is not there either
  const llvm::MemoryBufferRef buffer_;
  std::unordered_map<std::string, Facts> seen_;
};

} // namespace andes::preprocessor
