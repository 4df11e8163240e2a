// From two builds to pairs, from pairs to verdicts.
#include "postproc/analysis/gate.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "postproc/analysis/noise.h"

namespace andes::postproc {
namespace {

using ByRepeat = std::map<int, const SeriesRun*>;

/// Throws Refusal where the numbers do not tell the runs apart.
ByRepeat by_repeat(const Point& point) {
  ByRepeat runs;
  for (const SeriesRun& run : point.runs) {
    const auto repeat = fact_number(run.profile, "repeat");
    if (!repeat) refuse(run.profile.file, "its number in a series is not known", "andes gate and andes run write it");
    const auto [other, added] = runs.try_emplace(static_cast<int>(*repeat), &run);
    if (!added)
      refuse(run.profile.file,
             fmt::format("is repeat {:.0f}, as {} is: which runs are pairs?", *repeat, other->second->profile.file),
             "name the directory of one series");
  }
  return runs;
}

std::vector<RunPair> pairs_of(const Point& base, const Point& newer) {
  const ByRepeat old_runs = by_repeat(base), new_runs = by_repeat(newer);
  std::vector<RunPair> pairs;
  for (const auto& [repeat, run] : old_runs)
    if (const auto other = new_runs.find(repeat); other != new_runs.end())
      pairs.push_back({repeat, run, other->second});
  return pairs;
}

/// Runs that stand out, with what was seen of the reason.
void add_outliers(const Build& build, const Point& point, std::vector<std::string>& notes) {
  constexpr std::size_t most_named = 3;
  std::size_t named = 0, more = 0;
  for (const Outlier& outlier : noise_of(build).outliers) {
    if (outlier.ranks != point.ranks || outlier.threads != point.threads) continue;
    if (named == most_named) {
      ++more;
      continue;
    }
    ++named;
    notes.push_back(fmt::format("{} stands out: {:.3g} s, else {:.3g} s{}", outlier.file, outlier.time_s,
                                outlier.median_s, outlier.reasons.empty() ? "" : "; " + outlier.reasons.front()));
  }
  if (more == 1) notes.push_back("1 more run of this build stands out");
  if (more > 1) notes.push_back(fmt::format("{} more runs of this build stand out", more));
}

void watch(const std::vector<RunPair>& pairs, const GateOptions& options, bool oversubscribed, GatedSize& size) {
  size.controls.push_back(same_build_control(pairs));
  if (!size.changes.untouched_log_ratios.empty())
    size.controls.push_back({"untouched", "call paths that the change cannot have touched",
                             size.changes.untouched_log_ratios.size(),
                             shift_of(size.changes.untouched_log_ratios, control_level)});
  else if (size.changes.unknown.size() < options.untouched.size())
    size.notes.push_back("the regions of --untouched have no computation in some runs, and say nothing");
  for (const std::string& name : size.changes.unknown)
    size.notes.push_back(fmt::format("--untouched {}: no region of the runs has this name", name));
  if (oversubscribed && !options.oversubscribed_ok)
    size.doubts.push_back("more ranks than cores, so that times are mostly those of taking turns (--oversubscribed-ok "
                          "accepts it)");
  for (const GateControl& control : size.controls)
    if (has_failed(control, options.tolerance))
      size.doubts.push_back(fmt::format("{}: {:+.1f} %, so the machine makes differences as large as the tolerance",
                                        control.title, percent_of_log(control.log_change.middle)));
  if (size.judgement.verdict != GateVerdict::undecided)
    for (std::string& phrase : one_sided_disturbances(pairs, size.judgement, options.tolerance))
      size.doubts.push_back(std::move(phrase));
  if (options.only_exe && !pairs.empty()) {
    const std::string before = fact_text(pairs.front().base->profile, "arguments", "[]"),
                      now = fact_text(pairs.front().newer->profile, "arguments", "[]");
    if (before != now && now.find('"' + *options.only_exe + '"') == now.npos)
      size.doubts.push_back(fmt::format("the older runs had the arguments {}, the new ones {}", before, now));
  }
  if (std::string other = other_machine_text(pairs); !other.empty()) size.doubts.push_back(std::move(other));
  if (!are_interleaved(pairs))
    size.notes.push_back("the runs were not made in pairs: what changed on the machine between them counts as change");
  if (std::string drift = drift_text(pairs, options.tolerance); !drift.empty()) size.notes.push_back(std::move(drift));
}

GatedSize gated(const Point& base, const Point& newer, const GateRule& rule, const GateOptions& options) {
  GatedSize size;
  size.ranks = newer.ranks;
  size.threads = newer.threads;
  const std::vector<RunPair> pairs = pairs_of(base, newer);
  size.unpaired = base.runs.size() + newer.runs.size() - 2 * pairs.size();
  size.base_s = estimate_of(base.times_s);
  size.new_s = estimate_of(newer.times_s);
  std::vector<double> log_ratios;
  std::vector<PairOfFiles> files;
  for (const RunPair& pair : pairs) {
    log_ratios.push_back(pair.log_ratio());
    files.push_back({pair.base->profile.file, pair.newer->profile.file});
    size.pairs.push_back({pair.repeat, pair.base->profile.file, pair.newer->profile.file, pair.base->summary.time_s,
                          pair.newer->summary.time_s});
  }
  size.judgement = judge(log_ratios, rule, true);
  size.changes = changed_paths(files, options.untouched);
  watch(pairs, options, base.oversubscribed || newer.oversubscribed, size);
  size.verdict = size.doubts.empty() ? size.judgement.verdict : GateVerdict::undecided;
  return size;
}

GatedBuild gated_build(const Build& build) {
  GatedBuild described{build.hash, "", 0};
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs) {
      ++described.runs;
      described.executable = fact_text(run.profile, "executable");
    }
  return described;
}

/// A regression at one size is one; no regression is shown at all sizes.
GateVerdict verdict_of(const std::vector<GatedSize>& sizes) {
  const auto any = [&sizes](GateVerdict verdict) {
    return std::any_of(sizes.begin(), sizes.end(), [&](const GatedSize& size) { return size.verdict == verdict; });
  };
  if (any(GateVerdict::regression)) return GateVerdict::regression;
  return any(GateVerdict::undecided) ? GateVerdict::undecided : GateVerdict::no_regression;
}

} // namespace

GateRule rule_for(double tolerance, std::size_t sizes) {
  GateRule rule;
  rule.tolerance = tolerance;
  rule.level /= static_cast<double>(std::max<std::size_t>(1, sizes));
  return rule;
}

Gate gate_of(const Build& base, const Build& newer, const GateOptions& options) {
  Gate gate;
  gate.tolerance_percent = 100 * options.tolerance;
  gate.base = gated_build(base);
  gate.newer = gated_build(newer);
  std::vector<std::pair<const Point*, const Point*>> common;
  for (const Point& after : newer.points)
    for (const Point& before : base.points)
      if (before.ranks == after.ranks && before.threads == after.threads) common.emplace_back(&before, &after);
  for (const auto& [before, after] : common) {
    GatedSize size = gated(*before, *after, rule_for(options.tolerance, common.size()), options);
    add_outliers(base, *before, size.notes);
    add_outliers(newer, *after, size.notes);
    gate.sizes.push_back(std::move(size));
  }
  if (std::none_of(gate.sizes.begin(), gate.sizes.end(), [](const GatedSize& size) { return !size.pairs.empty(); }))
    refuse("andes gate", "no run of the one build has a run of the other with the same size and repeat number",
           "run both with andes gate");
  gate.program = swept_program(newer.points.front().runs.front().profile);
  gate.verdict = verdict_of(gate.sizes);
  return gate;
}

} // namespace andes::postproc
