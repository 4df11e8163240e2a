// Heaviest means inclusive time: a routine is charged with all it calls, as load balance and
// communication of a call path are. own_percent stands beside it, for where the time passes.
#include "postproc/analysis/routines.h"

#include <algorithm>
#include <map>

#include "postproc/analysis/medians.h"
#include "postproc/analysis/threads.h"

namespace andes::postproc {
namespace {

SamplingError error_over(const std::vector<PathShare>& runs, SamplingError PathShare::* member) {
  std::vector<SamplingError> errors;
  for (const PathShare& share : runs) errors.push_back(share.*member);
  return error_of_median(errors);
}

Routine routine_of(const PathRow& row, int ranks) {
  Routine r;
  r.kind = row.kind;
  r.file = row.file;
  r.line = row.line;
  r.ranks = ranks;
  r.percent_of_total = median_over(row.runs, &PathShare::inclusive_percent);
  r.own_percent = median_over(row.runs, &PathShare::own_percent);
  r.own_idle_percent = median_over(row.runs, &PathShare::own_idle_percent);
  r.communication_percent = median_over(row.runs, &PathShare::communication_percent);
  r.synchronisation_percent = median_over(row.runs, &PathShare::synchronisation_percent);
  std::vector<double> rest;
  for (const PathShare& s : row.runs)
    rest.push_back(s.inclusive_percent - s.communication_percent - s.idle_percent.value_or(0) -
                   s.io_percent.value_or(0));
  r.non_communication_percent = median(std::move(rest));
  r.idle_percent = median_over(row.runs, &PathShare::idle_percent);
  r.io_percent = median_over(row.runs, &PathShare::io_percent);
  std::vector<double> low, high;
  for (const PathShare& s : row.runs)
    if (s.overlap_percent) low.push_back(s.overlap_percent->low), high.push_back(s.overlap_percent->high);
  if (!low.empty()) r.overlap_percent = {median(std::move(low)), median(std::move(high))};
  r.load_balance = median_over(row.runs, &PathShare::load_balance);
  r.communication_balance = median_over(row.runs, &PathShare::communication_balance);
  r.visits = median_over(row.runs, &PathShare::visits);
  r.sampled_visits = median_over(row.runs, &PathShare::sampled_visits);
  r.timed_visits = median_over(row.runs, &PathShare::timed_visits);
  r.visits_below = median_over(row.runs, &PathShare::visits_below);
  r.visits_above = median_over(row.runs, &PathShare::visits_above);
  r.inclusive_error_percent = error_over(row.runs, &PathShare::inclusive_error_percent);
  r.own_error_percent = error_over(row.runs, &PathShare::own_error_percent);
  r.muted = std::any_of(row.runs.begin(), row.runs.end(), [](const PathShare& share) { return share.muted; });
  return r;
}

} // namespace

std::vector<Routine> heaviest_routines(const std::vector<PathRow>& rows, int ranks) {
  constexpr std::size_t always = 10, at_most = 100;
  const bool probes =
      std::any_of(rows.begin(), rows.end(), [](const PathRow& row) { return is_probed_kind(row.kind); });
  std::vector<std::pair<Routine, int>> found; // with their rows
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PathRow& row = rows[i];
    if (row.kind == "tool" || (row.parent < 0 && probes && row.name == "(program)")) continue;
    found.emplace_back(routine_of(row, ranks), static_cast<int>(i));
    if (found.back().first.percent_of_total <= 0) found.pop_back();
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first.percent_of_total > b.first.percent_of_total; });
  while (found.size() > always && (found.size() > at_most || found.back().first.percent_of_total < 1)) found.pop_back();
  std::vector<Routine> routines;
  for (auto& [routine, row] : found) {
    routine.path = path_of(rows, row);
    routines.push_back(std::move(routine));
  }
  return routines;
}

void add_causes(const std::vector<Finding>& findings, std::vector<Routine>& routines) {
  for (Routine& r : routines) {
    std::map<std::string, double> percents;
    for (const Finding& f : findings)
      if (f.path.size() >= r.path.size() && std::equal(r.path.begin(), r.path.end(), f.path.begin()))
        percents[f.cause] += f.percent;
    for (const auto& [cause, percent] : percents) r.causes.push_back({cause, percent});
    std::stable_sort(r.causes.begin(), r.causes.end(),
                     [](const RoutineCause& a, const RoutineCause& b) { return a.percent > b.percent; });
  }
}

std::vector<RankRow> rank_rows(const std::vector<Profile>& repeats) {
  std::map<int, std::vector<RankRow>> by_rank;
  const auto seconds = [](std::optional<double> ns) { return ns ? std::optional(*ns * 1e-9) : std::nullopt; };
  for (const Profile& profile : repeats) {
    const Threads threads = threads_of(profile);
    auto own_threads = threads.ranks.begin();
    for (const Location& l : profile.locations) {
      if (l.thread != 0) continue;
      RankRow row{l.rank,
                  l.wall_ns * 1e-9,
                  l.compute_ns * 1e-9,
                  l.communication_ns * 1e-9,
                  l.tool_ns * 1e-9,
                  l.synchronisation_ns * 1e-9,
                  seconds(l.idle_ns),
                  seconds(l.wait_at_end_ns),
                  seconds(l.io_ns),
                  l.bytes_read,
                  l.bytes_written,
                  {},
                  own_threads->count,
                  {},
                  {}};
      if (row.threads > 1) {
        row.thread_load_balance = own_threads->load_balance;
        row.serial_percent = own_threads->serial_percent;
      }
      ++own_threads;
      if (row.idle_s) row.idle_percent = 100 * *row.idle_s / profile.wall_s;
      by_rank[l.rank].push_back(row);
    }
  }
  std::vector<RankRow> rows;
  for (const auto& [rank, repeated] : by_rank) {
    if (repeated.size() != repeats.size()) continue;
    RankRow row;
    row.rank = rank;
    for (auto member : {&RankRow::wall_s, &RankRow::compute_s, &RankRow::communication_s, &RankRow::tool_s,
                        &RankRow::synchronisation_s})
      row.*member = median_over(repeated, member);
    row.idle_s = median_over(repeated, &RankRow::idle_s);
    row.idle_percent = median_over(repeated, &RankRow::idle_percent);
    for (auto member : {&RankRow::wait_at_end_s, &RankRow::io_s, &RankRow::bytes_read, &RankRow::bytes_written})
      row.*member = median_over(repeated, member);
    for (const RankRow& one : repeated) row.threads = std::max(row.threads, one.threads);
    row.thread_load_balance = median_over(repeated, &RankRow::thread_load_balance);
    row.serial_percent = median_over(repeated, &RankRow::serial_percent);
    rows.push_back(row);
  }
  return rows;
}

} // namespace andes::postproc
