// The preprocessor is a program of its own, so that `andes` needs no Clang.
#include "postproc/command/instrument.h"

#include <unistd.h>

#include "common/message.h"
#include "postproc/command/exec.h"
#include "postproc/launch/installation.h"

namespace andes::postproc {

void become_preprocessor(const std::string& command, const std::vector<std::string>& arguments) {
  const Installation installation = find_installation();
  if (access(installation.preprocessor.c_str(), X_OK) != 0)
    refuse(command, "this andes was built without its preprocessor",
           "build it with Clang 19 and -DANDES_PREPROCESSOR=ON");
  std::vector<std::string> words = {installation.preprocessor, command};
  words.insert(words.end(), arguments.begin(), arguments.end());
  become(words);
}

} // namespace andes::postproc
