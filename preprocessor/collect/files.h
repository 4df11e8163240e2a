// The files that a translation unit enters, and the directives that lead from one to the other.
// Uses Clang; only for preprocessor/collect.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "preprocessor/collect/collect.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class PPCallbacks;
class Preprocessor;
} // namespace clang

namespace andes::preprocessor {

/// Finds a file of Source::files by Clang's number of it.
class FileIndex {
public:
  FileIndex(const clang::SourceManager& sources, const std::vector<File>& files) : sources_(sources), files_(files) {}

  void add(clang::FileID id, unsigned index) { index_[id] = index; }
  std::optional<unsigned> find(clang::FileID id) const;

  /// The file whose functions are looked at that `place` (of an expansion) stands in.
  std::optional<unsigned> own(clang::SourceLocation place) const;

  /// The name of the file that `place` (of an expansion) stands in, as diagnostics give it,
  /// but without detours over `.` and `..`.
  std::string name_at(clang::SourceLocation place) const;

private:
  const clang::SourceManager& sources_;
  const std::vector<File>& files_;
  llvm::DenseMap<clang::FileID, unsigned> index_;
};

/// `name` without `.` and `..`, so that a header is one file in the call tree, whatever path the
/// sources use for it. Behind a symbolic link `..` leads elsewhere: then it is kept.
std::string without_detours(const std::string& name);

/// Watches the preprocessor and fills `source.files` and `source.forced`.
std::unique_ptr<clang::PPCallbacks> watch_files(clang::Preprocessor& preprocessor, const Reading& reading,
                                                Source& source, FileIndex& index);

} // namespace andes::preprocessor
