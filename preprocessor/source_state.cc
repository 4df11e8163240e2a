// git runs without its optional locks: a build must not stand in the way of the user's own git commands.
#include "preprocessor/source_state.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>

#include <unistd.h>

#include <fmt/core.h>

#include "common/private_directory.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

namespace fs = std::filesystem;

/// The source directory of the CMake build that `directory` lies in; empty: none.
std::string cmake_home(const std::string& directory) {
  constexpr std::string_view key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  for (fs::path at = directory; at.has_relative_path(); at = at.parent_path()) {
    std::istringstream cache(read_file((at / "CMakeCache.txt").string()).value_or(""));
    for (std::string line; std::getline(cache, line);)
      if (line.starts_with(key)) return line.substr(key.size());
  }
  return "";
}

/// What a git command prints; empty if it fails.
std::string answer_of_git(const std::string& tree, const std::vector<std::string>& words) {
  const PrivateDirectory directory;
  if (directory.path().empty()) return "";
  std::vector<std::string> all = {"git", "-C", tree};
  all.insert(all.end(), words.begin(), words.end());
  const std::string out = directory.path() + "/out";
  if (!run(all, out, "/dev/null", {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0"}).good()) return "";
  return read_file(out).value_or("");
}

} // namespace

std::string tree_above(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error).lexically_normal();
  if (error) return "";
  for (fs::path at = full;; at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at.string(); // a file in worktrees and submodules
    if (!at.has_relative_path()) return "";
  }
}

std::string tree_of(const CompilerCommand& command, const std::string& directory) {
  std::vector<std::string> places;
  for (const CompilerCommand::Input& input : command.inputs) places.push_back(input.path);
  places.insert(places.end(), command.fortran.begin(), command.fortran.end());
  if (places.empty()) places = {cmake_home(directory), directory};
  for (const std::string& place : places)
    if (const std::string tree = place.empty() ? "" : tree_above(place); !tree.empty()) return tree;
  return "";
}

void read_source_state(const std::string& status, const std::string& seconds, BuildStamp& stamp) {
  std::istringstream lines(status);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# branch.oid ")) stamp.commit = line.substr(13);
    else if (line.starts_with("# branch.head ")) stamp.branch = line.substr(14);
    else if (!line.empty() && line[0] != '#') stamp.dirty = true;
  }
  if (stamp.branch == "(detached)") stamp.branch.clear();
  if (stamp.commit.find_first_not_of("0123456789abcdef") != std::string::npos) { // "(initial)": no commit yet
    stamp = {"", "", "", false, stamp.compiler, stamp.flags};
    return;
  }
  const std::time_t time = std::atoll(seconds.c_str());
  std::tm utc;
  char text[32];
  if (time > 0 && gmtime_r(&time, &utc) && std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
    stamp.commit_time = text;
}

void add_source_state(const std::string& tree, const std::string& kept, BuildStamp& stamp) {
  if (const auto known = kept.empty() ? std::nullopt : read_file(kept)) {
    const BuildStamp state = stamp_of(*known);
    stamp = {state.commit, state.commit_time, state.branch, state.dirty, stamp.compiler, stamp.flags};
    return;
  }
  const std::string status =
      answer_of_git(tree, {"status", "--porcelain=v2", "--branch", "--untracked-files=no", "--ignore-submodules=none"});
  if (!status.empty())
    read_source_state(status, answer_of_git(tree, {"show", "--no-patch", "--format=%ct", "HEAD"}), stamp);
  if (kept.empty()) return;
  const std::string fresh = fmt::format("{}.{}", kept, getpid());
  const BuildStamp state{stamp.commit, stamp.commit_time, stamp.branch, stamp.dirty, "", ""};
  if (!write_file(fresh, text_of(state)) || std::rename(fresh.c_str(), kept.c_str()) != 0) unlink(fresh.c_str());
}

} // namespace andes::preprocessor
