// andes cc. Without the preprocessor the compiler runs as if andes were not there.
#include "postproc/command/cc.h"

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "common/compiler_words.h"
#include "common/message.h"
#include "common/settings.h"
#include "postproc/command/exec.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/launch/installation.h"
#include "postproc/launch/launcher.h"

namespace andes::postproc {

namespace {

/// Whether nothing is compiled. The compiler then answers at once: configure asks hundreds of questions. Those of
/// ccache, which marks them so, are answered by the preprocessor.
bool asks_only(const std::vector<std::string>& words) {
  if (std::getenv("CCACHE_DISABLE")) return false;
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  std::error_code error;
  const CompilerRequest request = request_of(pointers.data(), std::filesystem::current_path(error).string());
  return !request.compiles && !request.links;
}

} // namespace

void cc(const std::vector<std::string>& arguments) {
  const Installation installation = find_installation();
  std::vector<std::string> words = arguments;
  if (!words.empty() && is_compiler(words[0]) && !find_executable(words[0]).empty() && asks_only(words)) become(words);
  if (access(installation.preprocessor.c_str(), X_OK) == 0) {
    words.insert(words.begin(), {installation.preprocessor, "cc"});
    become(words);
  }
  words.erase(words.begin(), words.begin() + long(read_leading_options(words).words));
  if (words.empty()) refuse("cc", "no compiler", "write andes cc mpicc -c file.c");
  if (find_executable(words[0]).empty()) refuse(words[0], "no such compiler", "check the name after andes cc");
  say("cc: not instrumented: this andes was built without its preprocessor; build it with Clang 19 "
      "and -DANDES_PREPROCESSOR=ON");
  become(words);
}

} // namespace andes::postproc
