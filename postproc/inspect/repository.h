// What git says of the commits that runs are of. Nothing is changed in the repository.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

struct CommitTitle {
  std::string commit, title;
};

/// The commits of the repository around `directory` that `wanted` are among or lead to, oldest first, parents before
/// children. `since`: a time (ISO 8601) that none of them is older than; empty: none is known. Empty where there is no
/// repository, or no git.
std::vector<std::string> commits_in_order(const std::string& directory, const std::vector<std::string>& wanted,
                                          const std::string& since);

/// The commits behind `from` up to `to`, newest first, `most` at most. Empty where git does not know them.
std::vector<CommitTitle> commits_between(const std::string& directory, const std::string& from, const std::string& to,
                                         std::size_t most);

} // namespace andes::postproc
