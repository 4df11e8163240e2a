// The system: clock, memory for arenas, limits, permissions, settings in the environment.
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "common/refusal.h"
#include "common/settings.h"
#include "monitor/clock/clock.h"
#include "monitor/counters/permission.h"
#include "monitor/recover/jobs.h"
#include "postproc/doctor/machine_checks.h"
#include "postproc/launch/cores.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

using Result = Check::Result;

std::string first_word(const char* file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

Check check_cores() {
  const int cores = usable_cores();
  if (cores > 1)
    return {"cores", Result::works, fmt::format("{} usable cores; runs with more ranks x threads are marked", cores)};
  return {"cores", Result::limited, "1 usable core: runs of more than one rank show time slicing",
          "measure where each rank has a core of its own"};
}

Check check_clock() {
  const std::string source = first_word("/sys/devices/system/clocksource/clocksource0/current_clocksource");
#if defined(__x86_64__) || defined(__aarch64__)
  if (monitor::counter_is_safe())
    return {"clock", Result::works, "the processor's counter, read without a system call"};
  std::string remedy = "budget_percent bounds that cost";
#ifdef __x86_64__
  remedy += "; on a machine of your own boot with tsc=reliable if the processor has an invariant counter";
#endif
  return {"clock", Result::limited,
          fmt::format("the kernel's clock is {}: the monitor takes it, and a timed probe costs several times as much",
                      source.empty() ? "not known" : source),
          remedy};
#else
  return {"clock", Result::works, fmt::format("the kernel's clock ({})", source)};
#endif
}

/// The first place for arenas that can be written.
Check check_arenas(const std::string& setting) {
  constexpr double little = 256e6; // a quarter of it is what all ranks may take
  for (const std::string& place : monitor::arena_places(setting)) {
    struct statvfs space;
    if (access(place.c_str(), W_OK) != 0 || statvfs(place.c_str(), &space) != 0) continue;
    const double free = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
    if (free < little)
      return {
          "arenas", Result::limited,
          fmt::format("{} has room for {}, a quarter of which the ranks may take: data that finds no room is lost if "
                      "the program is killed",
                      place, bytes_text(free)),
          "make it larger (docker run --shm-size=1g), or choose another place: --set arena=DIRECTORY"};
    return {"arenas", Result::works, fmt::format("{} has room for {}", place, bytes_text(free))};
  }
  return {"arenas", Result::limited, "no place for arenas can be written: nothing is left of programs that are killed",
          "--set arena=DIRECTORY names one"};
}

Check check_limits() {
  const struct {
    int resource;
    rlim_t least;
    const char *name, *option;
  } limits[] = {{RLIMIT_AS, rlim_t{4} << 30, "address space", "ulimit -v unlimited"},
                {RLIMIT_FSIZE, rlim_t{1} << 30, "size of files", "ulimit -f unlimited"},
                {RLIMIT_NOFILE, 256, "open files", "ulimit -n 1024"}};
  for (const auto& limit : limits) {
    rlimit set;
    if (getrlimit(static_cast<__rlimit_resource>(limit.resource), &set) != 0 || set.rlim_cur >= limit.least) continue;
    return {"limits", Result::limited,
            fmt::format("the limit of {} is {}: the monitor may find no room, and then measures less", limit.name,
                        static_cast<unsigned long long>(set.rlim_cur)),
            limit.option};
  }
  return {"limits", Result::works, "address space, size of files and open files suffice"};
}

Check check_permissions() {
  const std::string scope = first_word("/proc/sys/kernel/yama/ptrace_scope");
  const std::string paranoid = first_word(monitor::paranoid_file);
  std::string fact = "andes needs none beyond your own files";
  if (!scope.empty() && scope != "0")
    fact += fmt::format("; ptrace_scope is {}, which keeps MPI libraries from copying between processes in one step",
                        scope);
  if (!paranoid.empty()) fact += fmt::format("; perf_event_paranoid is {}", paranoid);
  if (!paranoid.empty() && std::atoi(paranoid.c_str()) > monitor::most_paranoid)
    return {"permissions", Result::limited,
            fact + ": counters of the processor are refused, and samples that tell own times of very short functions",
            monitor::permission_remedy};
  return {"permissions", Result::works, fact};
}

} // namespace

Checks check_system() {
  Checks checks{check_cores(), check_clock()};
  std::string arena;
  Check settings{"settings", Result::works, "those of the environment are understood"};
  try {
    arena = value_of(gather_settings({}, environ, ""), "arena");
  } catch (const Refusal& refusal) {
    settings = {"settings", Result::fails, refusal.object + ": " + refusal.fact, refusal.remedy};
  }
  checks.push_back(check_arenas(arena));
  checks.push_back(check_limits());
  checks.push_back(check_permissions());
  checks.push_back(settings);
  return checks;
}

} // namespace andes::postproc
