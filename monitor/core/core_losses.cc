#include "monitor/core/core_losses.h"

namespace andes::monitor {
namespace {

constexpr double shortest_ms = 50; // between readings
constexpr double reading_ms = 0.065; // what one takes that opens the file with caches full of other data; else 0.005
constexpr double share_of_budget = 1.0 / 8;
constexpr double weight_of_new = 1.0 / 8; // in running means

} // namespace

void begin_core_losses(CoreLosses& losses, std::int32_t thread_id) {
  losses.mark = switch_mark_of_this_thread();
  if (losses.mark) losses.notices = true;
  losses.has_counted = false;
  losses.waits_before = core_waits(thread_id);
}

void notice_switch(CoreLosses& losses, std::uint64_t now_ticks) {
  std::uint64_t* const mark = load_relaxed(losses.mark);
  if (!mark) return;
  set_mark(*mark); // before the numbers are asked for: a switch between the two is noticed next time
  const ThreadSwitches now = thread_switches();
  const ThreadSwitches since = {now.voluntary - losses.counted.voluntary, now.involuntary - losses.counted.involuntary};
  losses.counted = now;
  const bool is_known = losses.has_counted && since.voluntary >= 0 && since.involuntary >= 0; // not in a child of fork
  losses.has_counted = true;
  if (!is_known) return;
  if (since.involuntary > 0) losses.lost_ticks = now_ticks;
  if (since.voluntary > 0) losses.left_ticks = now_ticks;
}

void note_work(CoreLosses& losses, std::uint64_t begin_ticks, std::uint64_t end_ticks) {
  if (has_switched(losses)) notice_switch(losses, end_ticks);
  const std::uint64_t ticks = end_ticks - begin_ticks;
  const bool is_first = losses.work_ticks == 0;
  if (!is_interrupted(losses, begin_ticks))
    losses.work_ticks += (is_first ? 1 : weight_of_new) * (static_cast<double>(ticks) - losses.work_ticks);
  else if (const auto usual_ticks = static_cast<std::uint64_t>(losses.work_ticks); !is_first && ticks > usual_ticks)
    losses.monitor_ticks += ticks - usual_ticks;
}

void add_reading(CoreLosses& losses, const CoreWaits& now) {
  const CoreWaits& before = losses.waits_before;
  if (now.count < before.count) return; // the thread is gone
  const CoreWaits since = {
      .ran_ns = now.ran_ns - before.ran_ns, .ns = now.ns - before.ns, .count = now.count - before.count};
  losses.waits_before = now;
  losses.waits.ran_ns += since.ran_ns;
  losses.waits.ns += since.ns;
  losses.waits.count += since.count;
  if (since.count == 0) return;
  WaitReadings& readings = losses.readings;
  readings.count++;
  readings.m += since.count;
  readings.d += since.ns;
  readings.mm += since.count * since.count;
  readings.md += since.count * since.ns;
  readings.dd += since.ns * since.ns;
}

void read_core_waits(CoreLosses& losses, std::int32_t thread_id) { add_reading(losses, core_waits(thread_id)); }

void read_core_waits_now_and_then(CoreLosses& losses, std::int32_t thread_id, std::uint64_t now_ticks,
                                  double ticks_per_ms, double budget) {
  if (losses.lost_ticks <= losses.read_ticks) return;
  const double paid_ms = reading_ms / (share_of_budget * budget);
  const double between_ms = paid_ms > shortest_ms ? paid_ms : shortest_ms;
  if (static_cast<double>(now_ticks - losses.read_ticks) < between_ms * ticks_per_ms) return;
  losses.read_ticks = now_ticks;
  read_core_waits(losses, thread_id);
}

void restart_core_losses(CoreLosses& losses, std::int32_t thread_id) {
  read_core_waits(losses, thread_id);
  losses.waits = {};
  losses.readings = {};
  losses.monitor_ticks = 0;
}

} // namespace andes::monitor
