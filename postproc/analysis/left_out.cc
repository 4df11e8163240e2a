#include "postproc/analysis/left_out.h"

#include <algorithm>
#include <optional>

#include "postproc/analysis/medians.h"

namespace andes::postproc {
namespace {

constexpr const char* function_kind = "function";

/// A call path with its own time.
struct OwnRow {
  std::optional<std::size_t> parent;
  const std::string& kind;
  NamedPlace place;
  double percent;
};

/// `row_at(i)` gives an OwnRow; parents stand before children.
template <class RowAt> OwnPercents own_percents_of(std::size_t count, RowAt row_at) {
  OwnPercents own;
  std::vector<std::optional<NamedPlace>> functions(count); // the innermost around each row
  for (std::size_t i = 0; i < count; ++i) {
    const OwnRow row = row_at(i);
    if (row.kind == function_kind) functions[i] = row.place;
    else if (row.parent) functions[i] = functions[*row.parent];
    if (is_probed_kind(row.kind) && functions[i]) own[*functions[i]] += row.percent;
  }
  return own;
}

void sort_by_time(std::vector<LeftOutTime>& times) {
  std::sort(times.begin(), times.end(), [](const LeftOutTime& a, const LeftOutTime& b) {
    return a.percent != b.percent ? a.percent > b.percent : a.function < b.function;
  });
}

} // namespace

OwnPercents own_percents(const Tree& tree) {
  std::map<int, std::size_t> row_of;
  for (std::size_t i = 0; i < tree.rows.size(); ++i) row_of[tree.rows[i].id] = i;
  return own_percents_of(tree.rows.size(), [&](std::size_t i) {
    const TreeRow& row = tree.rows[i];
    std::optional<std::size_t> parent;
    if (row.parent) parent = row_of.at(*row.parent);
    return OwnRow{parent, row.kind, {row.name, row.file, row.line}, 100 * row.exclusive_s / tree.time_s};
  });
}

OwnPercents own_percents(const std::vector<PathRow>& rows, std::size_t run) {
  return own_percents_of(rows.size(), [&](std::size_t i) {
    const PathRow& row = rows[i];
    std::optional<std::size_t> parent;
    if (row.parent >= 0) parent = static_cast<std::size_t>(row.parent);
    return OwnRow{parent, row.kind, {row.name, row.file, row.line}, row.runs[run].exclusive_percent};
  });
}

std::vector<LeftOutTime> left_out_times(const Profile& profile, const OwnPercents& own) {
  struct Parts {
    double percent = 0, sampled_percent = 0;
    bool unknown_work = false;
    std::vector<std::pair<double, std::string>> callers;
  };
  std::map<NamedPlace, Parts> all;
  for (const LeftOut& part : profile.left_out) {
    const Region& region = profile.regions[static_cast<std::size_t>(part.region)];
    const auto caller = own.find({region.name, region.file, region.line});
    if (caller == own.end() || caller->second <= 0) continue;
    Parts& parts = all[{part.name, part.file, part.line}];
    const double percent = part.share * caller->second;
    parts.percent += percent;
    if (part.is_sampled) parts.sampled_percent += percent;
    parts.unknown_work |= part.unknown_work;
    parts.callers.emplace_back(percent, region.name);
  }
  std::vector<LeftOutTime> times;
  for (auto& [function, parts] : all) {
    const bool is_sampled = 2 * parts.sampled_percent > parts.percent;
    LeftOutTime time{function, parts.percent, parts.unknown_work && !is_sampled, is_sampled, {}};
    std::stable_sort(parts.callers.begin(), parts.callers.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [percent, name] : parts.callers) time.callers.push_back(std::move(name));
    times.push_back(std::move(time));
  }
  sort_by_time(times);
  return times;
}

std::vector<LeftOutTime> left_out_times(const std::vector<Profile>& repeats, const std::vector<PathRow>& rows) {
  std::map<NamedPlace, LeftOutTime> all;
  std::map<NamedPlace, std::vector<double>> percents;
  for (std::size_t run = 0; run < repeats.size(); ++run)
    for (LeftOutTime& time : left_out_times(repeats[run], own_percents(rows, run))) {
      std::vector<double>& of_runs = percents[time.function];
      of_runs.resize(repeats.size());
      of_runs[run] = time.percent;
      const auto [known, is_new] = all.try_emplace(time.function, time);
      if (is_new) continue;
      known->second.unknown_work |= time.unknown_work;
      known->second.is_sampled &= time.is_sampled;
    }
  std::vector<LeftOutTime> times;
  for (auto& [function, time] : all) {
    time.percent = median(percents[function]);
    times.push_back(std::move(time));
  }
  sort_by_time(times);
  return times;
}

} // namespace andes::postproc
