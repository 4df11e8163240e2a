// andes cc. Without the preprocessor the compiler runs as if andes were not there.
#include "postproc/command/cc.h"

#include <unistd.h>

#include "common/message.h"
#include "common/settings.h"
#include "postproc/command/exec.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/launch/installation.h"
#include "postproc/launch/launcher.h"

namespace andes::postproc {

void cc(const std::vector<std::string>& arguments) {
  const Installation installation = find_installation();
  std::vector<std::string> words = arguments;
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
