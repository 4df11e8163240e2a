// andes exec. Options would be ambiguous with the program's, so there are none: settings come from
// the environment. What `andes run` has set already (ANDES_OUT) is kept.
#include "postproc/command/exec.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "common/message.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/launch/environment.h"
#include "postproc/launch/installation.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/rule_file.h"

namespace andes::postproc {
namespace {

/// Name of the run file when nobody has said one: in the working directory, unique.
std::string default_output() {
  for (const char* job : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"})
    if (std::getenv(job)) return "%x.%p.%j.%u.andes";
  return "%x.%p.%u.andes";
}

} // namespace

void become(const std::vector<std::string>& words) {
  std::vector<std::string> copy = words;
  std::vector<char*> argv;
  for (std::string& word : copy) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (const std::string binary = path_of_binary(words[0]); !binary.empty()) execv(binary.c_str(), argv.data());
  else execvp(argv[0], argv.data());
  const int error = errno;
  const auto trouble = start_trouble(words[0]);
  refuse(words[0], trouble ? trouble->fact : fmt::format("cannot be started: {}", std::strerror(error)),
         trouble ? trouble->remedy : "check the path");
}

void exec_program(const std::vector<std::string>& words) {
  if (words.empty()) refuse("exec", "no program", "write andes exec ./a.out ARGUMENTS");
  const Settings said = read_settings_environment(environ);
  check_rule_file(value_of(said, "rules"), value_of(said, "events"));
  if (find_executable(words[0]).empty())
    if (const auto trouble = start_trouble(words[0])) refuse(words[0], trouble->fact, trouble->remedy);
  if (value_of(said, "monitor") != "off") {
    const Installation installation = find_installation();
    check_library(installation);
    std::string output = value_of(said, "out");
    if (output.empty()) output = output_variable(".", default_output());
    for (const std::string& variable : monitor_variables(installation, output, said)) {
      const std::size_t equals = variable.find('=');
      setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
    if (is_program(read_command(words))) setenv("ANDES_PID", std::to_string(getpid()).c_str(), 1);
    else unsetenv("ANDES_PID");
  }
  become(words);
}

} // namespace andes::postproc
