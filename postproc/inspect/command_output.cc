#include "postproc/inspect/command_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace andes::postproc {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_and(const std::vector<std::string>& more) {
  std::vector<std::string> kept = more;
  for (char** entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with("LD_PRELOAD=")) kept.emplace_back(*entry);
  return kept;
}

std::string read_all(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t bytes; (bytes = read(file, buffer, sizeof buffer)) != 0;) {
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) break;
    text.append(buffer, static_cast<std::size_t>(bytes));
  }
  return text;
}

} // namespace

CommandOutput output_of(const std::vector<std::string>& words_given, const std::vector<std::string>& more) {
  CommandOutput output;
  std::vector<std::string> words = words_given, variables = environment_and(more);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error == 0) {
    output.text = read_all(ends[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status)) output.status = WEXITSTATUS(status);
  }
  close(ends[0]);
  return output;
}

} // namespace andes::postproc
