#include "monitor/recover/asleep.h"

#include <sys/syscall.h>

#include <fstream>

namespace andes::monitor {
namespace {

struct SystemCall {
  long number;
  const char* name;
};

// Those in which programs stay for long. The older ones are not in every architecture.
constexpr SystemCall calls[] = {
    {SYS_read, "read"},
    {SYS_pread64, "pread"},
    {SYS_readv, "readv"},
    {SYS_write, "write"},
    {SYS_pwrite64, "pwrite"},
    {SYS_writev, "writev"},
    {SYS_fsync, "fsync"},
    {SYS_fdatasync, "fdatasync"},
    {SYS_openat, "open"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_accept, "accept"},
    {SYS_connect, "connect"},
    {SYS_ppoll, "poll"},
    {SYS_pselect6, "select"},
    {SYS_epoll_pwait, "epoll_wait"},
    {SYS_futex, "futex"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_wait4, "wait"},
    {SYS_waitid, "waitid"},
    {SYS_flock, "flock"},
    {SYS_fcntl, "fcntl"},
    {SYS_rt_sigsuspend, "sigsuspend"},
    {SYS_rt_sigtimedwait, "sigtimedwait"},
#ifdef SYS_poll
    {SYS_poll, "poll"},
    {SYS_select, "select"},
    {SYS_epoll_wait, "epoll_wait"},
    {SYS_open, "open"},
    {SYS_pause, "pause"},
#endif
};

std::string first_line(std::int32_t pid, const char* file) {
  std::string line;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/" + file), line);
  return line;
}

} // namespace

std::optional<std::string> asleep_in(std::int32_t pid) {
  const std::string stat = first_line(pid, "stat"); // PID (NAME) STATE ...: the name may hold anything
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return std::nullopt;
  const char state = stat[name_end + 2];
  if (state != 'S' && state != 'D') return std::nullopt;
  const std::string call = first_line(pid, "syscall"); // NUMBER ARGUMENTS ...; "running"
  for (const SystemCall& known : calls)
    if (call.starts_with(std::to_string(known.number) + " ")) return known.name;
  return "";
}

} // namespace andes::monitor
