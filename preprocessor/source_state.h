// The state of the git tree that sources lie in, as git tells it. Asking costs two processes, and git looks at every
// file of the tree; so a build by `andes build` asks once for each tree.
#pragma once
#include <string>
#include <vector>

#include "monitor/interface/build_stamp.h"
#include "preprocessor/command.h"

namespace andes::preprocessor {

/// The top directory of the git tree above `path`; empty if there is none.
std::string tree_above(const std::string& path);

/// The tree of the sources of what a command links: that of its own sources; else that which CMake builds, if the
/// command runs in a build directory of CMake, which may lie anywhere; else that of the working directory. Empty: none.
std::string tree_of(const CompilerCommand& command, const std::string& directory);

/// Fills in commit, time, branch and dirty of `tree`; nothing where git is missing or refuses. `kept`: a file that
/// keeps the answer for the rest of the build; empty: none. A tree is dirty if files that git tracks are changed;
/// others may be products of the build.
void add_source_state(const std::string& tree, const std::string& kept, BuildStamp& stamp);

/// The answers of `git status --porcelain=v2 --branch` and `git show --format=%ct`; for add_source_state and its tests.
void read_source_state(const std::string& status, const std::string& seconds, BuildStamp& stamp);

} // namespace andes::preprocessor
