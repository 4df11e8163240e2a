// Two passes over the runs of every size: sums of the program, and of each call path by its names.
#include "postproc/analysis/processor.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string_view>

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/counters.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/points.h"

namespace andes::postproc {
namespace {

constexpr std::string_view stall_events[] = {"PAPI_MEM_SCY", "CYCLE_ACTIVITY:STALLS_MEM_ANY",
                                             "CYCLE_ACTIVITY:STALLS_L3_MISS"};
constexpr std::string_view miss_events[] = {"PAPI_L3_TCM",     "PAPI_L3_DCM",  "LLC-MISSES",
                                            "LLC-LOAD-MISSES", "CACHE-MISSES", "PERF_COUNT_HW_CACHE_MISSES"};

/// Of the events with one of these names, behind any table's ("perf::") and before any mask, the one named first.
template <class Names>
std::optional<std::size_t> find_counted_event(const std::vector<std::string>& events, const Names& names) {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::size_t table = events[i].find("::");
      const std::string event = table == std::string::npos ? events[i] : events[i].substr(table + 2);
      if (event.compare(0, name.size(), name) == 0 && (event.size() == name.size() || event[name.size()] == ':'))
        return i;
    }
  return {};
}

struct PathWork {
  std::vector<std::string> path;
  std::string kind, file;
  int line = 0;
  Work work;
};
using PathWorks = std::map<std::vector<std::string>, PathWork>;

void add(Work& sum, const Work& more) {
  sum.useful_s += more.useful_s;
  sum.instructions += more.instructions;
  sum.cycles += more.cycles;
  if (more.memory_stalls) sum.memory_stalls = sum.memory_stalls.value_or(0) + *more.memory_stalls;
  if (more.cache_misses) sum.cache_misses = sum.cache_misses.value_or(0) + *more.cache_misses;
}

/// Own work of every computing call path of a run that has counted instructions and cycles.
PathWorks works_of(const Profile& profile) {
  const std::vector<std::optional<Work>> own = own_works(profile);
  PathWorks works;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!own[i]) continue;
    const Region& region = profile.region_of(i);
    std::vector<std::string> names = path_of(profile, static_cast<int>(i));
    PathWork& of_path = works[names];
    of_path.path = std::move(names);
    of_path.kind = region.kind;
    of_path.file = region.file;
    of_path.line = region.line;
    add(of_path.work, *own[i]);
  }
  return works;
}

Work median_of_works(const std::vector<Work>& works) {
  const auto median = [&](auto part) {
    std::vector<double> values;
    for (const Work& work : works) values.push_back(part(work));
    std::sort(values.begin(), values.end());
    return median_of(values);
  };
  Work m;
  for (auto member : {&Work::useful_s, &Work::instructions, &Work::cycles})
    m.*member = median([member](const Work& work) { return work.*member; });
  for (auto member : {&Work::memory_stalls, &Work::cache_misses})
    if (std::all_of(works.begin(), works.end(), [member](const Work& work) { return (work.*member).has_value(); }))
      m.*member = median([member](const Work& work) { return *(work.*member); });
  return m;
}

/// A size's repeats.
struct Measured {
  std::vector<Work> wholes;
  std::map<std::vector<std::string>, std::vector<Work>> paths;
  PathWorks last; // places and kinds
};

Measured measured(const Point& point) {
  Measured m;
  for (const Profile& profile : read_trees(point)) {
    m.last = works_of(profile);
    Work whole;
    for (const auto& [names, of_path] : m.last) {
      add(whole, of_path.work);
      m.paths[names].push_back(of_path.work);
    }
    m.wholes.push_back(whole);
  }
  return m;
}

bool is_counted(const Work& work) { return work.useful_s > 0 && work.instructions > 0 && work.cycles > 0; }

/// Why the runs of a build cannot be told about; empty: they can.
std::string why_not_counted(const Build& build) {
  const char* remedy =
      "andes run --set counters=PAPI_TOT_INS,PAPI_TOT_CYC counts them, where the processor and the system allow it";
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs) {
      if (cycle_events(run.profile.events)) continue;
      for (const MissingEvent& missing : run.profile.missing_events)
        if (!missing.reason.empty()) return fmt::format("{}: {}", missing.event, missing.reason);
      return fmt::format("the runs have not counted instructions and cycles; {}", remedy);
    }
  return {};
}

std::string rule_of(const Work& work) {
  if (work.memory_stalls)
    return fmt::format(
        "memory-bound: at least {:.0f} % of the cycles are stalls for memory; compute-bound: at most {:.0f} %",
        100 * stalled_mostly, 100 * stalled_hardly);
  if (work.cache_misses)
    return fmt::format("memory-bound: at least {:.0f} last-level cache misses per 1000 instructions; compute-bound: at "
                       "most {:.0f}, and at least {} instructions per cycle",
                       misses_many, misses_few, few_per_cycle);
  return fmt::format("low IPC: less than {} instructions per cycle; instructions and cycles alone do not show the "
                     "reason (count PAPI_MEM_SCY or PAPI_L3_TCM, too)",
                     few_per_cycle);
}

} // namespace

const char* name_of(Bound bound) {
  constexpr const char* names[] = {"", "memory-bound", "compute-bound", "mixed", "low IPC"};
  return names[static_cast<int>(bound)];
}

std::vector<std::optional<Work>> own_works(const Profile& profile) {
  std::vector<std::optional<Work>> works(profile.callpaths.size());
  const auto per = cycle_events(profile.events);
  if (!per) return works;
  const auto stalls = find_counted_event(profile.events, stall_events),
             misses = find_counted_event(profile.events, miss_events);
  const std::vector<EventCount> counts = event_counts(profile, profile.statistics);
  for (std::size_t i = 0; i < works.size(); ++i) {
    if (!is_computing_kind(profile.region_of(i).kind)) continue;
    const auto count = [&](std::size_t event) { return counts[i * profile.events.size() + event].exclusive; };
    Work work{
        profile.statistic(i, run_file::exclusive_ns).sum * 1e-9, count(per->instructions), count(per->cycles), {}, {}};
    if (stalls) work.memory_stalls = count(*stalls);
    if (misses) work.cache_misses = count(*misses);
    works[i] = work;
  }
  return works;
}

std::optional<Work> whole_work(const Profile& profile) {
  if (!cycle_events(profile.events)) return {};
  Work whole;
  for (const auto& [names, of_path] : works_of(profile)) add(whole, of_path.work);
  return whole;
}

WorkScaling scaling_between(const Work& base, const Work& at) {
  return {base.useful_s / at.useful_s, base.instructions / at.instructions, at.per_cycle() / base.per_cycle(),
          at.frequency_hz() / base.frequency_hz()};
}

Bound bound_of(const Work& work) {
  if (!is_counted(work)) return Bound::unknown;
  const bool low = work.per_cycle() < few_per_cycle;
  if (work.memory_stalls) {
    const double stalled = *work.memory_stalls / work.cycles;
    return stalled >= stalled_mostly ? Bound::memory : stalled <= stalled_hardly ? Bound::compute : Bound::mixed;
  }
  if (work.cache_misses) {
    const double misses = 1000 * *work.cache_misses / work.instructions;
    if (misses >= misses_many) return Bound::memory;
    return misses <= misses_few && !low ? Bound::compute : low ? Bound::low_ipc : Bound::mixed;
  }
  return low ? Bound::low_ipc : Bound::unknown;
}

Processor processor_of(const Build& build, const Point& largest) {
  Processor processor;
  processor.why_not = why_not_counted(build);
  if (!processor.why_not.empty()) return processor;
  std::optional<Measured> base, at;
  for (const Point& point : build.points) {
    Measured m = measured(point);
    const Work work = median_of_works(m.wholes);
    if (!is_counted(work)) continue;
    processor.points.push_back({point.ranks, point.threads, point.size, work, {}});
    processor.points.back().scaling = scaling_between(processor.points.front().work, work);
    if (&point == &largest) at = m;
    if (!base) base = std::move(m);
  }
  if (!base || !at) {
    processor.why_not = "nothing was counted in the program's own code";
    return processor;
  }
  const Work whole = median_of_works(at->wholes);
  processor.rule = rule_of(whole);
  const auto repeats = at->wholes.size();
  for (const auto& [names, works] : at->paths) {
    const Work work = median_of_works(works);
    const double percent = 100 * work.useful_s / whole.useful_s;
    if (works.size() < repeats || percent < 1 || !is_counted(work)) continue;
    const PathWork& place = at->last.at(names);
    ProcessorPath path{names, place.kind, place.file, place.line, percent, work, {}, bound_of(work)};
    if (const auto before = base->paths.find(names); before != base->paths.end())
      if (const Work old = median_of_works(before->second); is_counted(old)) path.scaling = scaling_between(old, work);
    processor.paths.push_back(std::move(path));
  }
  std::stable_sort(processor.paths.begin(), processor.paths.end(),
                   [](const ProcessorPath& a, const ProcessorPath& b) { return a.percent > b.percent; });
  constexpr std::size_t most = 10;
  if (processor.paths.size() > most) processor.paths.resize(most);
  return processor;
}

} // namespace andes::postproc
