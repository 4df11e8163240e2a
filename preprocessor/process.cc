// Processes by posix_spawn (no copy of this process's memory). The compiler gets interrupts itself,
// since it is in the same process group; here they are only noted, so that the private directory is
// removed before this process ends in the same way.
#include "preprocessor/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

namespace andes::preprocessor {
namespace {

volatile std::sig_atomic_t kept_signal = 0;
volatile std::sig_atomic_t child = 0; // the command that runs

/// Notes and forwards the signal in the handler, so that none is lost between a test and waiting.
void keep(int signal) {
  kept_signal = signal;
  if (child) kill(pid_t(child), signal);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

bool is_program(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && access(path.c_str(), X_OK) == 0;
}

} // namespace

std::optional<std::string> find_program(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) return is_program(name) ? std::optional(name) : std::nullopt;
  const char* variable = std::getenv("PATH");
  const std::string path = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string directory = path.substr(begin, end - begin);
    const std::string candidate = (directory.empty() ? "." : directory) + "/" + name;
    if (is_program(candidate)) return candidate;
    begin = end + 1;
  }
  return std::nullopt;
}

void become(const std::vector<std::string>& words) { execvp(words[0].c_str(), pointers(words).data()); }

Ended run(const std::vector<std::string>& words, const std::string& out, const std::string& err,
          const std::vector<std::string>& environment) {
  std::vector<std::string> variables = environment;
  for (char** one = environ; *one; ++one) {
    const std::string_view variable = *one;
    bool replaced = false;
    for (const std::string& mine : environment)
      replaced = replaced || variable.starts_with(mine.substr(0, mine.find('=') + 1));
    if (!replaced) variables.emplace_back(variable);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto redirect = [&](int file, const std::string& path) {
    if (!path.empty())
      posix_spawn_file_actions_addopen(&actions, file, path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  };
  redirect(STDOUT_FILENO, out);
  redirect(STDERR_FILENO, err);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == SIG_IGN) continue; // nohup stays nohup
    sigaddset(&defaults, signal);
    now = {};
    now.sa_handler = keep;
    sigaction(signal, &now, nullptr);
  }
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  Ended ended;
  pid_t process = 0;
  ended.started = posix_spawnp(&process, words[0].c_str(), &actions, &attributes, pointers(words).data(),
                               pointers(variables).data()) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (!ended.started) return ended;
  child = process;
  if (kept_signal) kill(process, kept_signal); // it came meanwhile
  siginfo_t facts;
  while (waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  child = 0; // while its process id is still valid
  while (waitpid(process, &ended.status, 0) < 0 && errno == EINTR) {}
  return ended;
}

bool interrupted() { return kept_signal != 0; }

KeptMessages::KeptMessages(const std::string& path) : before_(-1) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  before_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (before_ >= 0) dup2(file, STDERR_FILENO);
  close(file);
}

KeptMessages::~KeptMessages() {
  if (before_ < 0) return;
  dup2(before_, STDERR_FILENO);
  close(before_);
}

int leave_as(const Ended& ended) {
  const int signal = kept_signal ? int(kept_signal) : WIFSIGNALED(ended.status) ? WTERMSIG(ended.status) : 0;
  if (!signal) return ended.started ? WEXITSTATUS(ended.status) : 2;
  std::signal(signal, SIG_DFL);
  raise(signal);
  return 128 + signal;
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  constexpr std::size_t piece = 1u << 16;
  do {
    const std::size_t before = text.size();
    text.resize(std::max(before + piece, before * 2));
    file.read(text.data() + before, std::streamsize(text.size() - before));
    text.resize(before + std::size_t(file.gcount()));
  } while (file.good());
  if (file.bad()) return std::nullopt;
  return text;
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  return bool(file);
}

} // namespace andes::preprocessor
