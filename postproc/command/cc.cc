// andes cc. Without the preprocessor the compiler runs as if andes were not there.
#include "postproc/command/cc.h"

#include <unistd.h>

#include "postproc/command/exec.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/message.h"
#include "postproc/launch/place.h"

namespace andes {

void cc(const std::vector<std::string>& arguments) {
  const Place place = find_place();
  std::vector<std::string> words = arguments;
  if (access(place.preprocessor.c_str(), X_OK) == 0) {
    words.insert(words.begin(), {place.preprocessor, "cc"});
    become(words);
  }
  while (!words.empty() && words[0].rfind("--", 0) == 0) { // options of andes cc itself
    const bool value_follows = words[0] == "--select" && words.size() > 1;
    words.erase(words.begin(), words.begin() + (value_follows ? 2 : 1));
  }
  if (words.empty()) refuse("cc: no compiler; write andes cc mpicc -c file.c");
  if (find_executable(words[0]).empty())
    refuse("{}: no such compiler; check the name behind andes cc", words[0]);
  say("cc: not instrumented: this andes was built without its preprocessor; build it with Clang 19 "
      "and -DANDES_PREPROCESSOR=ON");
  become(words);
}

} // namespace andes
