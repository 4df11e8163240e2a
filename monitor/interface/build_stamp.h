// What a program was built from. `andes cc` adds a stamp to each program and shared library that it links, and the
// flags of the compiler to each object; the monitor makes facts of a run of them (decision 267).
//
// A stamp is lines "KEY VALUE" with a zero byte at the end, in a section that is not loaded. The flags of objects are
// strings in a section of their own, which the linker merges.
#pragma once
#include <string>
#include <string_view>

namespace andes {

inline constexpr const char* stamp_section = ".andes.build";
inline constexpr const char* flags_section = ".andes.flags";

/// Empty where it is not known: sources outside of a git tree have no commit, a detached head no branch.
struct BuildStamp {
  std::string commit, commit_time, branch; // commit_time: UTC, ISO 8601
  bool dirty = false; // files that git tracks differ from the commit
  std::string compiler, flags;
};

inline std::string text_of(const BuildStamp& stamp) {
  std::string text;
  const auto add = [&text](const char* key, const std::string& value) {
    if (!value.empty()) text.append(key).append(" ").append(value).append("\n");
  };
  add("commit", stamp.commit);
  add("commit_time", stamp.commit_time);
  add("branch", stamp.branch);
  add("dirty", stamp.dirty ? "1" : "");
  add("compiler", stamp.compiler);
  add("flags", stamp.flags);
  return text;
}

/// Unknown keys are left out, as those of a later version.
inline BuildStamp stamp_of(std::string_view text) {
  BuildStamp stamp;
  text = text.substr(0, text.find('\0'));
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, blank);
    const std::string value(line.substr(blank + 1));
    if (key == "commit") stamp.commit = value;
    else if (key == "commit_time") stamp.commit_time = value;
    else if (key == "branch") stamp.branch = value;
    else if (key == "dirty") stamp.dirty = value == "1";
    else if (key == "compiler") stamp.compiler = value;
    else if (key == "flags") stamp.flags = value;
  }
  return stamp;
}

} // namespace andes
