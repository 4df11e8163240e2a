// What other processes computed is no evidence alone: they may have cores of their own, which this run must not use.
// So the system must have taken cores from the run's processes as well.
#include "postproc/analysis/busy_machine.h"

#include <algorithm>
#include <fmt/format.h>

namespace andes::postproc {

std::optional<TakenCores> cores_taken_by_others(const Profile& profile, const Summary& summary) {
  constexpr double least_part = 0.1, least_switches_per_s = 5;
  const auto others_ns = fact_number(profile, "others_ns"), command_ns = fact_number(profile, "command_wall_ns"),
             usable = fact_number(profile, "usable_cores"), switches = fact_number(profile, "involuntary_switches");
  if (!others_ns || !switches || profile.hosts.size() > 1) return {};
  if (command_ns.value_or(0) <= 0 || usable.value_or(0) <= 0) return {};
  const double threads = fact_number(profile, "busy_threads").value_or(0);
  const double wanted = std::min(*usable, std::max<double>(profile.ranks, threads));
  const double taken = std::min(wanted, *others_ns / *command_ns - (*usable - wanted)); // the rest was free
  if (taken < least_part * wanted || *switches < least_switches_per_s * wanted * *command_ns * 1e-9) return {};
  const bool has_threads = std::ranges::any_of(profile.locations, [](const Location& l) { return l.thread != 0; });
  const std::optional<double> wait_percent = // that of main threads says nothing of the others
      has_threads ? std::nullopt : summary.core_wait_percent;
  if (wait_percent.value_or(shown_core_wait_percent) < shown_core_wait_percent) return {};
  return TakenCores{taken, wanted, wait_percent};
}

void add_busy_machine(const Build& build, std::vector<Warning>& warnings) {
  TakenCores worst;
  std::vector<int> sizes;
  for (const Point& point : build.points) {
    bool any = false;
    for (const SeriesRun& run : point.runs)
      if (const auto cores = cores_taken_by_others(run.profile, run.summary)) {
        any = true;
        if (std::pair(cores->wait_percent, cores->taken) > std::pair(worst.wait_percent, worst.taken)) worst = *cores;
      }
    if (any) sizes.push_back(point.size);
  }
  if (sizes.empty()) return;
  const std::string lost =
      worst.wait_percent
          ? fmt::format(", whose ranks waited up to {:.0f} % of p x T for a core", *worst.wait_percent)
          : fmt::format(" (up to {:.1f} of {:.0f} core{})", worst.taken, worst.wanted, worst.wanted == 1 ? "" : "s");
  warnings.push_back({"busy_machine",
                      fmt::format("other processes computed on the cores of the runs at {}{}: times, waits and "
                                  "speedup are partly theirs; measure on an idle machine",
                                  sizes_text(sizes, build.axis), lost),
                      sizes});
}

} // namespace andes::postproc
