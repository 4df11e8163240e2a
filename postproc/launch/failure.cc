#include "postproc/launch/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace andes::postproc {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// The number behind the last `words`; 0: they are not there.
int number_behind(const std::string& text, const std::string& words) {
  const std::size_t at = text.rfind(words);
  const int number = at == std::string::npos ? 0 : std::atoi(text.c_str() + at + words.size());
  return number > 0 && number < NSIG ? number : 0;
}

/// Slurm names the signal of a task by its text alone: "srun: error: node1: task 1: Segmentation fault (core dumped)".
int signal_by_text(const std::string& text) {
  for (std::size_t at = text.find("srun: error: "); at != std::string::npos; at = text.find("srun: error: ", at + 1)) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    const std::size_t task = line.find(": task");
    for (int signal = 1; task != std::string::npos && signal < SIGRTMIN; ++signal)
      if (contains(line.substr(task), (std::string(": ") + strsignal(signal)).c_str())) return signal;
  }
  return 0;
}

/// Statuses of a shell that cannot make sense of its input: no such command, not executable, a syntax error.
bool is_of_shell(int status) { return status == 127 || status == 126 || status == 2; }

} // namespace

int signal_told(const std::string& stderr_end) {
  if (const int signal = number_behind(stderr_end, "exited on signal ")) return signal; // Open MPI
  const std::size_t at = stderr_end.rfind("TERMINATED WITH THE EXIT STRING:"); // hydra
  if (at != std::string::npos)
    if (const int signal = number_behind(stderr_end.substr(at), "(signal ")) return signal;
  return signal_by_text(stderr_end);
}

std::string ending_of(const Outcome& outcome, int recorded) {
  if (outcome.signal) return fmt::format("was ended by signal {} ({})", outcome.signal, strsignal(outcome.signal));
  const int told = signal_told(outcome.stderr_end);
  const int signal = told ? told : recorded;
  return fmt::format("ended with status {}{}", outcome.exit_status,
                     signal ? fmt::format(" (signal {}: {})", signal, strsignal(signal)) : "");
}

Refused refusal_in(const std::string& stderr_end) {
  if (contains(stderr_end, "not enough slots")) return Refused::slots;
  if (contains(stderr_end, "attempt to run as root")) return Refused::root;
  return Refused::none;
}

bool says_not_started(const std::string& stderr_end) {
  constexpr const char* signs[] = {"was unable to launch the specified application", // Open MPI
                                   "was unable to find the specified executable",
                                   "was unable to start the specified application",
                                   "execvp error on file",                           // hydra
                                   "slurmstepd: error: execve()",                    // Slurm
                                   "error while loading shared libraries"};          // the dynamic loader
  return std::any_of(std::begin(signs), std::end(signs), [&](const char* sign) { return contains(stderr_end, sign); });
}

std::optional<StartTrouble> failed_start(const std::string& program, const std::string& launcher,
                                         const Outcome& outcome) {
  // MPICH's launcher at times dies by SIGPIPE, without a word, where it cannot start a program.
  if (!outcome.failed() || (outcome.signal && launcher.empty())) return std::nullopt;
  const bool told = says_not_started(outcome.stderr_end);
  const std::string end =
      outcome.signal ? fmt::format("signal {}", outcome.signal) : fmt::format("status {}", outcome.exit_status);
  const std::string how = launcher.empty() ? fmt::format("it has not begun ({})", end)
                                           : fmt::format("{} could not start it ({})", launcher, end);
  auto trouble = start_trouble(program);
  if (trouble &&
      (told || outcome.signal == SIGPIPE || (!trouble->of_shell && (launcher.empty() || !trouble->of_host)))) {
    trouble->fact += ", so " + how;
    return trouble;
  }
  if (trouble && trouble->of_shell && is_of_shell(outcome.exit_status)) {
    trouble->fact += fmt::format(", so a shell read it as commands ({})", end);
    return trouble;
  }
  if (!told) return std::nullopt;
  return StartTrouble{how, "it says above why; every host of the run needs the program and its libraries"};
}

} // namespace andes::postproc
