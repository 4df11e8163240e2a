// In the place of libandes-finish.so in the test's build of the monitor: prints what became of the
// clock, at its two points and half-way between, as truth, global time and error.
#include "monitor/core/layout.h"

extern "C" __attribute__((visibility("default"))) const std::uint64_t andes_finish_layout = andes::monitor::monitor_layout();

extern "C" __attribute__((visibility("default"))) void
andes_finish_run(const andes::monitor::Process* process, const andes_transport*, andes::monitor::FinishOutcome* outcome) {
  outcome->safe = true;
  const andes::monitor::GlobalClock& clock = process->global_clock;
  const bool tsc = process->clock.kind == andes::monitor::ClockKind::tsc;
  char line[1024];
  int length = snprintf(line, sizeof line, "clock %d %d %d %d %.3f", process->mpi.rank, clock.node,
                        clock.nodes, clock.synchronised, clock.offset_error_ns);
  const std::uint64_t between = clock.end.ticks - clock.init.ticks;
  for (int half = 0; half <= 2; ++half) {
    const std::uint64_t ticks = clock.init.ticks + between / 2 * (std::uint64_t)half;
    length += snprintf(line + length, sizeof line - (std::size_t)length, " %.3Lf %.3f %.3f",
                       true_time(ticks, tsc ? ticks_shift_per_s : 1e9),
                       andes::monitor::global_ns(clock, ticks), andes::monitor::error_ns(clock, ticks));
  }
  fprintf(stderr, "%s\n", line);
}
