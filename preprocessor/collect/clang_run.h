// A run of Clang over one source, in which others may see its preprocessor. Uses Clang; only for preprocessor/collect.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "preprocessor/collect/collect.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace andes::preprocessor {

/// What is not usual in a run.
struct Surroundings {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;    // null: the real ones
  std::function<void(clang::Preprocessor&)> watch{}; // called before the first token is read; may be empty
};

/// Reads the source that `arguments` name last.
void parse(const std::vector<std::string>& arguments, const Reading& reading, Source& source,
           const Surroundings& surroundings);

/// One heap that grows in large steps. That of another thread grows page by page, by a system call each.
void grow_in_steps();

inline constexpr unsigned stack_bytes = 256u << 20; // address space; deep expressions need some of it

} // namespace andes::preprocessor
