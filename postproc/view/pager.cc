// The pager is a command of the shell, as with git and man. It reads from a pipe; andes waits for its end, and a user
// who leaves it early ends the writing, not andes.
//
// less gets the options F (leave at once what fits), R (colours) and X (leave the text on the screen) unless LESS is
// set.
#include "postproc/view/pager.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace andes::postproc {
namespace {

constexpr int no_such_command = 127; // status of the shell
bool is_wanted = true;

/// The command; empty: none.
std::string pager() {
  for (const char* name : {"ANDES_PAGER", "PAGER"})
    if (const char* value = std::getenv(name)) return std::string_view(value) == "cat" ? "" : value;
  return "less";
}

bool is_longer_than_terminal(const std::string& text) {
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return false;
  return size.ws_row > 0 && std::count(text.begin(), text.end(), '\n') >= size.ws_row;
}

} // namespace

void do_without_pager() { is_wanted = false; }

bool page(const std::string& text) {
  const std::string command = is_wanted && is_longer_than_terminal(text) ? pager() : "";
  if (command.empty() || std::fflush(stdout) != 0) return false;
  ::setenv("LESS", "FRX", 0);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  // The shell's own word on a command that is missing would stand above the text.
  std::FILE* pipe = ::popen(
      ("command -v " + command.substr(0, command.find(' ')) + " >/dev/null 2>&1 || exit 127\n" + command).c_str(), "w");
  int status = no_such_command << 8;
  if (pipe) {
    std::fwrite(text.data(), 1, text.size(), pipe);
    status = ::pclose(pipe);
  }
  std::signal(SIGPIPE, before);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == no_such_command);
}

} // namespace andes::postproc
