#include "postproc/inspect/git.h"

namespace andes::postproc {

CommandOutput git(const std::string& directory, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-C", directory});
  return output_of(words, {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0"});
}

} // namespace andes::postproc
