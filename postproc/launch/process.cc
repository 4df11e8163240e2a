// Starting, watching and waiting. The only globals are what a signal handler needs: written by the
// handler (stopping) or before and after the child's life (child), read by both, lock-free.
#include "postproc/launch/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "common/message.h"
#include "common/write_all.h"
#include "postproc/inspect/start_trouble.h"

namespace andes::postproc {
namespace {

std::atomic<int> stopping = 0; // the first signal
std::atomic<std::uint64_t> stopped_ticks = 0; // written once, before `stopping`
std::atomic<std::int64_t> stopped_ns = 0;
std::atomic<bool> snapshot_wanted = false;
std::atomic<pid_t> child = 0;
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);

constexpr std::size_t remembered_bytes = 64 << 10;

void on_signal(int number, siginfo_t* info, void*) {
  if (stopping.load(std::memory_order_relaxed) == 0) {
    const monitor::Death now = monitor::death_now();
    stopped_ticks.store(now.ticks, std::memory_order_relaxed);
    stopped_ns.store(now.monotonic_ns, std::memory_order_relaxed);
    stopping.store(number, std::memory_order_release);
  }
  // The terminal signals the whole foreground group; only what a process sent is handed on.
  const pid_t pid = child.load(std::memory_order_relaxed);
  if (pid > 0 && info->si_code <= 0) {
    const int saved = errno;
    kill(pid, number);
    errno = saved;
  }
}

void on_snapshot_signal(int) { snapshot_wanted.store(true, std::memory_order_relaxed); }

std::int64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// A pipe whose ends close on exec.
struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) refuse("pipe", std::strerror(errno), "close some files");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_write();
    close(read_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// Passes `from` on to standard error until its end, or until `stop` is closed and nothing is left:
/// background processes of the command may keep the pipe open without end.
std::string pass_on(int from, int stop) {
  std::string end;
  char buffer[8192];
  bool stopped = false;
  for (;;) {
    pollfd ready[2] = {{from, POLLIN, 0}, {stop, POLLIN, 0}};
    if (poll(ready, stopped ? 1 : 2, stopped ? 0 : -1) < 0 && errno != EINTR) return end;
    if (ready[0].revents) {
      const ssize_t bytes = read(from, buffer, sizeof buffer);
      if (bytes == 0) return end;
      if (bytes < 0) continue;
      write_all(STDERR_FILENO, {buffer, static_cast<std::size_t>(bytes)}); // whether or not it is still read
      end.append(buffer, static_cast<std::size_t>(bytes));
      if (end.size() > remembered_bytes) end.erase(0, end.size() - remembered_bytes);
    } else if (stopped) {
      return end;
    }
    stopped = stopped || ready[1].revents;
  }
}

/// In the child: becomes the command, or reports the error to the parent. `binary`: its path if it is one.
[[noreturn]] void become(const std::string& binary, char* const* words, char* const* environment, int failure) {
  signal(SIGPIPE, SIG_DFL); // handlers go with exec, what is ignored stays so
  if (!binary.empty()) execve(binary.c_str(), words, environment);
  else execvpe(words[0], words, environment);
  const int error = errno;
  write_all(failure, {reinterpret_cast<const char*>(&error), sizeof error});
  _exit(127);
}

} // namespace

int stop_signal() { return stopping.load(std::memory_order_relaxed); }

std::optional<monitor::Stop> stopped() {
  const int signal = stopping.load(std::memory_order_acquire);
  if (signal == 0) return std::nullopt;
  return monitor::Stop{signal,
                       {stopped_ticks.load(std::memory_order_relaxed), stopped_ns.load(std::memory_order_relaxed)}};
}

bool take_snapshot_signal() { return snapshot_wanted.exchange(false, std::memory_order_relaxed); }

void watch_signals() {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&action.sa_mask, number); // one writer
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old;
    sigaction(number, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(number, &action, nullptr); // nohup stays nohup
  }
  action = {};
  action.sa_handler = on_snapshot_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

Outcome run_process(const Start& start) {
  std::vector<std::string> words = start.words, environment = start.environment;
  if (start.measured) environment.push_back("ANDES_PID=" + std::string(20, '\0'));
  const std::vector<char*> argv = pointers(words), envp = pointers(environment);
  const std::string binary = path_of_binary(words[0]);
  Pipe failure, errors, stop;

  DisturbanceWatch watch;
  const std::int64_t begin = now_ns();
  const pid_t pid = fork();
  if (pid < 0) refuse("fork", std::strerror(errno), "stop other processes");
  if (pid == 0) {
    if (start.measured) // known only here; the string has room for it
      std::snprintf(environment.back().data(), environment.back().size(), "ANDES_PID=%ld", static_cast<long>(getpid()));
    if (start.watch_stderr) dup2(errors.write_end, STDERR_FILENO);
    become(binary, argv.data(), envp.data(), failure.write_end);
  }
  child.store(pid, std::memory_order_relaxed);
  failure.close_write();
  errors.close_write();
  if (const int number = stop_signal()) kill(pid, number); // arrived between the two

  Outcome outcome;
  std::thread passing;
  if (start.watch_stderr) passing = std::thread([&] { outcome.stderr_end = pass_on(errors.read_end, stop.read_end); });
  int status = 0;
  rusage usage = {};
  while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {}
  child.store(0, std::memory_order_relaxed);
  outcome.wall_ns = now_ns() - begin;
  outcome.disturbance = watch.end(usage);
  stop.close_write();
  if (passing.joinable()) passing.join();

  int error = 0;
  if (read(failure.read_end, &error, sizeof error) == sizeof error) {
    const auto trouble = start_trouble(words[0]);
    refuse(words[0], trouble ? trouble->fact : fmt::format("cannot be started: {}", std::strerror(error)),
           trouble ? trouble->remedy : "check the command after --");
  }
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  else outcome.exit_status = WEXITSTATUS(status);
  return outcome;
}

} // namespace andes::postproc
