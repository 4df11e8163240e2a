#include "postproc/inspect/repository.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "postproc/inspect/git.h"

namespace andes::postproc {
namespace {

/// Whether git may be given this text as a commit. Run files may hold anything, and an option must not get through.
bool is_commit(const std::string& text) {
  return text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::vector<std::string> lines_of_git(const std::string& directory, std::vector<std::string> words) {
  const CommandOutput output = git(directory, std::move(words));
  if (output.status != 0) return {};
  std::vector<std::string> lines;
  std::istringstream text(output.text);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

} // namespace

std::vector<std::string> commits_in_order(const std::string& directory, const std::vector<std::string>& wanted,
                                          const std::string& since) {
  std::vector<std::string> words = {"rev-list", "--topo-order", "--reverse", "--ignore-missing"};
  if (!since.empty()) words.push_back("--since=" + since);
  const std::size_t options = words.size();
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(words), is_commit);
  if (words.size() == options) return {};
  std::vector<std::string> commits = lines_of_git(directory, words);
  std::erase_if(commits, [](const std::string& line) { return !is_commit(line); });
  return commits;
}

std::vector<CommitTitle> commits_between(const std::string& directory, const std::string& from, const std::string& to,
                                         std::size_t most) {
  if (!is_commit(from) || !is_commit(to)) return {};
  std::vector<CommitTitle> commits;
  for (const std::string& line :
       lines_of_git(directory, {"log", fmt::format("--max-count={}", most), "--format=%H %s", from + ".." + to}))
    if (const std::size_t blank = line.find(' '); is_commit(line.substr(0, blank)))
      commits.push_back({line.substr(0, blank), blank == line.npos ? "" : line.substr(blank + 1)});
  return commits;
}

} // namespace andes::postproc
