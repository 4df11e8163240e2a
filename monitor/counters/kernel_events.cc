#include "monitor/counters/kernel_events.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace andes::monitor {
namespace {

constexpr struct {
  const char* name;
  int event;
  bool in_user_mode; // it happens there; else it happens in the kernel, whose counting takes a permission
} events[] = {{"PAGE-FAULTS", PERF_COUNT_SW_PAGE_FAULTS, true},
              {"FAULTS", PERF_COUNT_SW_PAGE_FAULTS, true},
              {"MINOR-FAULTS", PERF_COUNT_SW_PAGE_FAULTS_MIN, true},
              {"MAJOR-FAULTS", PERF_COUNT_SW_PAGE_FAULTS_MAJ, true},
              {"CONTEXT-SWITCHES", PERF_COUNT_SW_CONTEXT_SWITCHES, false},
              {"CS", PERF_COUNT_SW_CONTEXT_SWITCHES, false},
              {"CPU-MIGRATIONS", PERF_COUNT_SW_CPU_MIGRATIONS, false},
              {"MIGRATIONS", PERF_COUNT_SW_CPU_MIGRATIONS, false}};

constexpr int lowest_file = 200; // of ours: those below are the program's to be given

} // namespace

int kernel_event(const char* name) {
  constexpr const char prefix[] = "perf::";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return -1;
  for (const auto& known : events)
    if (strcmp(name + sizeof prefix - 1, known.name) == 0) return known.event;
  return -1;
}

int open_kernel_event(int event) {
  perf_event_attr wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.size = sizeof wanted;
  wanted.config = static_cast<std::uint64_t>(event);
  for (const auto& known : events)
    if (known.event == event) wanted.exclude_kernel = wanted.exclude_hv = known.in_user_mode;
  const int file = static_cast<int>(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (file < 0) return -errno;
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, lowest_file);
  if (moved < 0) return file;
  close(file);
  return moved;
}

int read_kernel_event(int file, long long* value) {
  const ssize_t bytes = read(file, value, sizeof *value);
  return bytes == sizeof *value ? 0 : bytes < 0 ? -errno : -EIO;
}

void close_kernel_event(int file) { close(file); }

} // namespace andes::monitor
