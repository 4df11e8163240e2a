#include "monitor/life/signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "monitor/core/process.h"

namespace andes::monitor {
namespace {

constexpr int ending_signals[] = {SIGTERM, SIGINT,  SIGHUP, SIGXCPU, SIGXFSZ, SIGQUIT, SIGALRM,
                                  SIGPIPE, SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGABRT, SIGSYS};
struct sigaction earlier[NSIG]; // the handlers found there; an entry is written before our handler is installed

bool is_own_process() { return the_process.process_id == getpid(); }

bool is_function(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void call_on(const struct sigaction& action, int signal, siginfo_t* info, void* context) {
  if (action.sa_flags & SA_SIGINFO) action.sa_sigaction(signal, info, context);
  else action.sa_handler(signal);
}

// Restores the default action: after our return a fault happens again; any other signal is sent again and
// arrives after our return.
void do_default(int signal, const siginfo_t* info) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  const bool fault = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  if (!fault || info->si_code <= 0) raise(signal);
}

void end_by_signal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const ArenaHeader* header = is_own_process() ? the_process.arena.header : nullptr;
  const Ending before = header ? header->ending : Ending{};
  if (header && !ends_by_mpi(header)) arena_end(EndKind::signal, signal, ticks_now(the_process.clock));
  if (!is_function(earlier[signal])) {
    do_default(signal, info);
  } else {
    call_on(earlier[signal], signal, info, context);
    // The program survives this signal, so the recorded end is taken back; unless the signal comes again and
    // meets another action.
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    const bool again = signal == SIGABRT || now.sa_sigaction != end_by_signal;
    if (header && !again) arena_end(before.kind, before.detail, before.ticks);
  }
  errno = saved_errno;
}

void snapshot_by_signal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (is_own_process()) stamp_snapshot(ticks_now(the_process.clock));
  if (is_function(earlier[signal])) call_on(earlier[signal], signal, info, context);
  errno = saved_errno;
}

void install(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction& was = earlier[signal];
  if (sigaction(signal, nullptr, &was) != 0) return;
  const bool ignored = !(was.sa_flags & SA_SIGINFO) && was.sa_handler == SIG_IGN;
  if (ignored) return;
  struct sigaction ours = was; // keeps its mask and its flags
  ours.sa_sigaction = handler;
  ours.sa_flags |= SA_SIGINFO | (is_function(was) ? 0 : SA_ONSTACK | flags);
  sigaction(signal, &ours, nullptr);
}

} // namespace

void watch_signals() {
  static bool done;
  if (done || !the_process.arena.room) return;
  done = true;
  for (const int signal : ending_signals) install(signal, end_by_signal, 0);
  if (the_process.settings.snapshot_signal != 0)
    install(the_process.settings.snapshot_signal, snapshot_by_signal, SA_RESTART);
}

bool may_use_mpi() { return dlsym(RTLD_DEFAULT, "PMPI_Init") != nullptr; }

} // namespace andes::monitor
