// Of each call path t(p) is its part in the time of a run with p ranks. With q = p/p0 its fraction of the base run is
// (t(p) - t(p0)/q) / (T(p0) (1 - 1/q)): the formula of Karp and Flatt, which is linear in T(p).
#include "postproc/analysis/serial_routines.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "postproc/analysis/late_work.h"
#include "postproc/analysis/moved_work.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/scaling.h"

namespace andes::postproc {
namespace {

/// SerialParts of a routine in the time of a run, in seconds.
struct SerialPart {
  double work_s = 0, wait_s = 0; // mean over ranks
  SamplingError work_error_s;
  bool computes = false;
  int callpath = -1;
  std::string kind, file;
  int line = 0;
};
using SerialParts = std::vector<SerialPart>; // by call path; `callpath` -1: it has none

SerialParts parts_of(const Profile& profile, bool waits_measured) {
  using namespace run_file;
  const std::vector<double> waits = waits_by_work(profile, late_work_of(profile));
  const std::vector<SamplingError> errors_ns = exclusive_errors(profile, profile.statistics); // of sums over ranks
  SerialParts parts(profile.callpaths.size());
  for (std::size_t path = 0; path < profile.callpaths.size(); ++path) {
    const Region& region = profile.region_of(path);
    const bool computes = is_computing_kind(profile.region_of(path).kind);
    if (region.kind == "tool" || (!computes && !waits_measured)) continue; // in MPI may be any waits: rest
    SerialPart& part = parts[path];
    part.callpath = static_cast<int>(path);
    part.kind = region.kind;
    part.file = region.file;
    part.computes = computes;
    part.line = region.line;
    part.work_error_s = scaled(errors_ns[path], 1e-9 / profile.ranks);
    const Statistic& own = profile.statistic(path, exclusive_ns);
    if (!part.computes) { // waits in MPI are those for others
      part.work_s += 1e-9 * (own.mean - profile.statistic(path, path_idle_ns).mean);
      continue;
    }
    part.work_s += 1e-9 * own.mean;
    part.wait_s += 1e-9 * (waits_measured ? waits[path] / profile.ranks : own.max - own.mean);
  }
  return parts;
}

void add_share(SerialPart& sum, const SerialPart& part, double share) {
  sum.work_s += share * part.work_s;
  sum.wait_s += share * part.wait_s;
  sum.work_error_s = error_of_sum(sum.work_error_s, scaled(part.work_error_s, share));
}

/// Whether a limit may be told from it: an estimate that is too uncertain would name a call path by chance.
bool is_certain(const SerialRoutine& r, double least) {
  const SamplingError& error = r.more_work_error;
  return !error.estimated || (error.reliable && lower_end(r.fraction, error) >= least);
}

std::string why_no_fractions(const Profile& base, const Profile& point) {
  if (base.ranks >= point.ranks) return "it takes runs with several numbers of ranks";
  for (const Profile* profile : {&base, &point})
    for (const Location& l : profile->locations)
      if (l.thread != 0) return "ranks have several threads";
  return {};
}

} // namespace

SerialRoutines serial_routines_of(const Profile& base, const Profile& point) {
  constexpr double least = 0.001, least_limit = 0.005, limit_share = 0.1;
  SerialRoutines result;
  result.base_size = base.ranks;
  result.size = point.ranks;
  result.why_not = why_no_fractions(base, point);
  if (!result.why_not.empty()) return result;
  result.waits_measured = why_no_waits(point).empty() && (base.ranks == 1 || why_no_waits(base).empty());
  const SerialParts before = parts_of(base, result.waits_measured);
  const std::vector<std::vector<BasePath>> at_base = base_paths(point, base);
  std::vector<bool> only_before(before.size(), true);
  const SerialParts after = parts_of(point, result.waits_measured);
  const double q = static_cast<double>(point.ranks) / base.ranks;
  const double share = karp_flatt(base.wall_s / point.wall_s, q);
  if (share >= 1) {
    result.why_not = fmt::format("the program is no faster at {} ranks than at {}", point.ranks, base.ranks);
    return result;
  }
  result.fraction = fraction_of_program(share, base.ranks);
  // From shares of the base run to fractions of the program, in proportion.
  const double scale = share > 0 ? result.fraction / share : 1;
  const double of_second = scale / (base.wall_s * (1 - 1 / q));
  const auto fraction = [&](double before_s, double after_s) { return of_second * (after_s - before_s / q); };
  double sum = 0;
  for (std::size_t path = 0; path < after.size(); ++path) {
    const SerialPart& part = after[path];
    if (part.callpath < 0) continue;
    SerialPart old;
    for (const BasePath& there : at_base[path]) {
      add_share(old, before[static_cast<std::size_t>(there.callpath)], there.share);
      only_before[static_cast<std::size_t>(there.callpath)] = false;
    }
    SerialRoutine r;
    r.path = path_of(point, part.callpath);
    r.file = part.file;
    r.kind = part.kind;
    r.line = part.line;
    r.more_work = fraction(old.work_s, part.work_s);
    r.more_work_error = scaled(error_of_difference(part.work_error_s, scaled(old.work_error_s, 1 / q)), of_second);
    r.waiting = fraction(old.wait_s, part.wait_s);
    r.fraction = r.more_work + r.waiting;
    if (part.computes && old.work_s > 0) r.work_factor = q * part.work_s / old.work_s;
    sum += r.fraction;
    if (r.fraction < least) continue;
    r.is_limit = result.fraction > 0 && r.fraction >= std::max(least_limit, limit_share * result.fraction) &&
                 is_certain(r, least_limit);
    r.limit_speedup = 1 / r.fraction;
    result.routines.push_back(std::move(r));
  }
  for (std::size_t path = 0; path < before.size(); ++path)
    if (only_before[path]) sum += fraction(before[path].work_s + before[path].wait_s, 0);
  result.rest = result.fraction - sum;
  std::stable_sort(result.routines.begin(), result.routines.end(), [](const SerialRoutine& a, const SerialRoutine& b) {
    return a.fraction != b.fraction ? a.fraction > b.fraction : a.path < b.path;
  });
  return result;
}

double listed_fraction(const SerialRoutines& serial) {
  double sum = 0;
  for (const SerialRoutine& routine : serial.routines) sum += routine.fraction;
  return sum;
}

} // namespace andes::postproc
