// The sentences name numbers that stand in the tables, and what to do next; they promise nothing.
#include "postproc/view/advice.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "postproc/view/advice_parts.h"
#include "postproc/view/diagnosis_text.h"
#include "postproc/view/models_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/sampling_text.h"
#include "postproc/view/unseen_functions.h"

namespace andes::postproc {
namespace {

/// What became of the cause whose waits shrank most.
std::string realised_text(const Comparison& comparison) {
  if (comparison.causes.empty() || comparison.causes.front().realised_s <= 0) return {};
  const ComparedCause& first = comparison.causes.front();
  return fmt::format(" {} in {}: the predicted gain was {}; these waits are shorter by {}, mean over ranks.",
                     first.title.empty() ? first.cause : first.title, joined_path(first.path),
                     gain_text(first.predicted), in_seconds(first.realised_s));
}

/// Where a rising serial fraction comes from: whether growing computation alone explains most of it.
const char* rising_overhead(const Report& report) {
  constexpr double most = 0.5;
  const char* const communication = "communication and synchronisation";
  if (!report.growth) return communication;
  const auto point = std::ranges::find(report.scaling.points, report.growth->size, &ScalingPoint::size);
  if (point == report.scaling.points.end() || !point->serial_fraction) return communication;
  return report.growth->explained < most * point->serial_fraction->median ? communication
                                                                          : "computation that grows with their number";
}

/// How far the program can go by Amdahl's law, and whether that may be believed.
std::string limit_advice(const Report& report) {
  const Scaling& s = report.scaling;
  const char* unit = unit_of(s.axis);
  if (s.weak) {
    const auto last = std::ranges::find_if(s.points.rbegin(), s.points.rend(), &ScalingPoint::usable);
    if (last == s.points.rend() || last->size == s.base_size)
      return fmt::format("No efficiency of a weak sweep: it needs a usable run at more {}s than the base.", unit);
    return fmt::format(
        "The problem grows with the {}s, so Amdahl's law, which is of a fixed problem, is not fitted. At {} "
        "the time is {} times that of the base; without losses it would be the same.",
        unit, size_text(last->size, s.axis), significant(1 / last->efficiency.median, 3));
  }
  if (s.superlinear) {
    const auto last = std::ranges::find_if(s.points.rbegin(), s.points.rend(), &ScalingPoint::usable);
    const bool surely = last != s.points.rend() && last->serial_fraction && is_superlinear(*last->serial_fraction);
    return fmt::format("Speedup grows {1} the number of {0}s{2}: there is no limit to report. Measure at more {0}s.",
                       unit, surely ? "faster than" : "in proportion to",
                       surely ? "" : ", within the spread of repeated runs");
  }
  if (s.slowdown)
    return fmt::format("More {}s do not make the program faster, so nothing can be projected. The call paths show "
                       "where the time goes.",
                       unit);
  if (!s.limit_speedup) return fmt::format("No projection: it needs a usable run at more {}s than the base.", unit);
  const double limit = s.limit_speedup->median;
  std::string text =
      is_limit_in_sight(s)
          ? fmt::format("If the serial fraction stays as it is, the program can never be more than {1} times "
                        "as fast as on one {0}, and beyond {2:.0f} {0}s its efficiency is below 50 %.",
                        unit, significant(limit, 3), 1 + limit)
          : fmt::format("The serial fraction is next to nothing: no limit is in sight of these numbers of {}s.", unit);
  switch (s.trend.verdict) {
  case Verdict::constant:
    return text +
           fmt::format(
               " The serial fraction does not grow with the {0}s: reduce the serial part instead of adding {0}s.",
               unit);
  case Verdict::rising:
    return text + fmt::format(" But the serial fraction rises with the {}s, so the true limit is lower. Look for "
                              "{} in step 3.",
                              unit, rising_overhead(report));
  case Verdict::falling:
    return text + fmt::format(" The serial fraction falls with the {}s: larger runs may do better.", unit);
  case Verdict::undecided:
    return text + fmt::format(" It is undecided whether the serial fraction grows ({}).", s.trend.why);
  }
  return text;
}

/// The numbers of ranks of failed and incomplete runs, without that of the only point.
std::set<int> failed_sizes(const Report& report) {
  std::set<int> sizes;
  for (const RunUse& run : report.runs)
    if (run.reason == RunUse::Reason::failed || run.reason == RunUse::Reason::incomplete) sizes.insert(run.ranks);
  sizes.erase(report.scaling.points.front().ranks);
  return sizes;
}

/// What to do where MPI ran at one usable size.
std::string advice_one_size(const Report& report) {
  if (const std::set<int> failed = failed_sizes(report); report.unfinished.empty() && !failed.empty())
    return fmt::format("Only runs at {} ended well, those at {} rank{} failed: nothing can be said about scaling yet. "
                       "Measure at numbers of ranks at which the program ends well.",
                       size_text(report.scaling.points.front().ranks, Axis::ranks), fmt::join(failed, ", "),
                       failed == std::set{1} ? "" : "s");
  return "Only one number of ranks was measured: nothing can be said about scaling yet. Run a "
         "sweep: andes run --ranks 1,2,4,8 --repeat 6 -- mpirun -n {p} PROGRAM.";
}

} // namespace

std::string advice_where(const Report& report) {
  const ScalingPoint *last = nullptr, *first_bad = nullptr;
  for (const ScalingPoint& p : report.scaling.points) {
    if (!p.usable) continue;
    last = &p;
    if (!first_bad && p.efficiency.median < acceptable_efficiency) first_bad = &p;
  }
  if (report.scaling.points.size() == 1)
    return report.mpi_library.empty()
               ? "One size of a program without MPI was measured: nothing can be said about scaling. If it has "
                 "threads, run a sweep: andes run --threads 1,2,4,8 --repeat 6 -- PROGRAM. That sets OMP_NUM_THREADS; "
                 "{t} in PROGRAM's arguments stands for the number of threads."
               : advice_one_size(report);
  const Axis axis = report.scaling.axis;
  if (!last || (last->size == report.scaling.base_size && !report.sequential))
    return fmt::format("No run larger than the base had a core for every {}: measure on a larger "
                       "machine, or use --oversubscribed-ok if the program sleeps rather than computes.",
                       axis == Axis::ranks ? "rank" : "thread");
  if (!first_bad)
    return fmt::format("Good up to {}: efficiency is {:.0f} %, above the acceptable 80 %.", size_text(last->size, axis),
                       100 * last->efficiency.median);
  return fmt::format(
      "From {} on, efficiency is below the acceptable 80 %. Step 2 shows how much can be gained, step 3 where.",
      size_text(first_bad->size, axis));
}

std::string advice_how_far(const Report& report) {
  const std::string next = next_size_text(report.models);
  return limit_advice(report) + (next.empty() ? "" : ' ' + next);
}

std::string advice_effort(const Report& report) {
  const PointShares* shares = shares_at(report, report.routine_size);
  const Routine* heaviest = heaviest_own(report);
  if (!shares || !heaviest)
    return fmt::format("No call path of the program was measured: {}.", remedy_for_unseen_functions(report));
  const double uneven = uneven_percent(*shares);
  std::string text = team_loss_text(report);
  if (uneven >= 5) {
    if (!text.empty()) text += ' ';
    text += fmt::format("The load is uneven: the rank with the most work computes {:.1f} % of T longer than the mean, "
                        "and the others wait.",
                        uneven);
    if (const Routine* least = most_uneven(report))
      text += fmt::format(" Look at {} (load balance {}).", joined_path(least->path),
                          marked(fixed(*least->load_balance, 2), least->inclusive_error_percent));
  }
  const bool waiting = shares->idle_percent.value_or(0) >= 1;
  // Waits of threads beside the main ones are no part of the ranks' idle time.
  const bool known = report.why_no_waits.empty() && !report.findings.empty();
  if (known && (waiting || report.findings.front().percent >= 1)) {
    const Finding& first = report.findings.front();
    if (!text.empty()) text += ' ';
    if (waiting) text += fmt::format("The ranks wait {:.1f} % of p x T. ", *shares->idle_percent);
    const bool is_largest = effect_of(first) >= effect_of(*std::ranges::max_element(report.findings, {}, effect_of));
    text += fmt::format("The cause {} is {} in {} ({:.1f} %{}; {}, T would shrink by {}).",
                        is_largest ? "with the largest effect on T" : "to begin with, from which a larger one follows,",
                        title_of(first), joined_path(first.path), first.percent,
                        first.whole == WaitWhole::ranks ? "" : " of " + first.whole,
                        is_of_sharing(first.gain) ? cure_text(first.gain.cure) : "without it", gain_text(first.gain));
    if (const std::string remedy = remedy_text(first); !remedy.empty()) text += ' ' + remedy;
  }
  if (shares->communication_percent >= 10) {
    if (!text.empty()) text += ' ';
    text +=
        fmt::format("Communication takes {:.1f} % of p x T, {}", shares->communication_percent,
                    shares->idle_percent ? "waiting for other ranks not included" : "waiting for other ranks included");
    if (const Routine* most = heaviest_communication(report))
      text += fmt::format(", most of it in {} ({:.1f} %)", joined_path(most->path), most->communication_percent);
    text += '.';
  }
  if (shares->io_percent.value_or(0) >= 1) {
    if (!text.empty()) text += ' ';
    text += fmt::format("Input and output takes {:.1f} % of p x T", *shares->io_percent);
    if (const Routine* most = heaviest_io(report))
      text += fmt::format(", most of it in {} ({:.1f} %)", joined_path(most->path), *most->io_percent);
    text += fmt::format("; {} are read and {} written.", bytes_text(shares->bytes_read.value_or(0)),
                        bytes_text(shares->bytes_written.value_or(0)));
  }
  if (!text.empty()) text += ' ';
  const char* const whole = has_threads(report) ? "the time of all threads" : "p x T";
  if (heaviest->kind == "root")
    return text + fmt::format("Where the program computes is not known: {}.", remedy_for_unseen_functions(report));
  if (is_overflow(heaviest->kind, heaviest->path.back()))
    return text + fmt::format("{} % of {} is in call paths without names, for which the call tree had no room: raise "
                              "{} (andes run --set).",
                              fixed(own_work_percent(*heaviest), 1), whole, report.sampling.settings_to_raise());
  const HeaviestFunction function = heaviest_function(report);
  const std::string last = waiting ? " and without waiting" : "; no change there can gain more";
  if (function.heaviest)
    return text +
           fmt::format(
               "The function with the most time of its own is {}: {} % of {} in {}, most of it in {}, with its calls "
               "of MPI but without the functions it calls{}.",
               function.heaviest->path.back(), marked(fixed(function.own_percent, 1), function.error), whole,
               counted(function.call_paths, "call path"), joined_path(function.heaviest->path), last);
  return text +
         fmt::format("The call path with the most time of its own is {}: {} % of {}, with its calls of MPI but without "
                     "the functions it calls{}.",
                     joined_path(heaviest->path),
                     marked(fixed(own_work_percent(*heaviest), 1), heaviest->own_error_percent), whole, last);
}

std::string advice_helped(const Comparison& comparison) {
  if (!comparison.before.unfinished.empty() || !comparison.after.unfinished.empty())
    return "Cannot be decided: a run that did not finish has no time to compare. The call paths above show how far "
           "each run came.";
  std::vector<int> faster, slower;
  const auto usable = [](const ComparedPoint& p) { return p.usable; };
  const bool any_usable = std::any_of(comparison.points.begin(), comparison.points.end(), usable);
  const ComparedPoint* last = nullptr; // the largest that is decided, or else the largest
  for (const ComparedPoint& p : comparison.points) {
    if (any_usable && !p.usable) continue;
    if (p.change == Change::faster) faster.push_back(p.ranks);
    if (p.change == Change::slower) slower.push_back(p.ranks);
    if (!last || p.change != Change::undecided || last->change == Change::undecided) last = &p;
  }
  const std::string change = fmt::format("{:+.1f} % of the time at {}", last->change_percent.median,
                                         place_text(last->ranks, last->threads, comparison.grid));
  if (!comparison.before.hash.empty() && comparison.before.hash == comparison.after.hash)
    return fmt::format("Both sides are the same build: {} comes from the spread of its runs{}.", change,
                       faster.empty() && slower.empty() ? "" : ", from other settings or from another machine");
  if (!faster.empty() && slower.empty())
    return fmt::format("Yes: {}.{} Keep the change and take the next thing from step 3.", change,
                       realised_text(comparison));
  if (faster.empty() && !slower.empty())
    return fmt::format("No, it is slower: {}. The call paths above show where.", change);
  if (!faster.empty())
    return fmt::format("It depends on the number of ranks{}: {}.", comparison.grid ? " and threads" : "", change);
  if (last->change_percent.kind == Estimate::Kind::point)
    return fmt::format("Undecided: {}, but single runs cannot tell a change from noise; use "
                       "--repeat 6.",
                       change);
  const Estimate& percent = last->change_percent;
  const bool leaves_zero_out = percent.low.value_or(0) > 0 || percent.high.value_or(0) < 0;
  if (leaves_zero_out)
    return fmt::format("Undecided: {}, but {} and {} runs of the same program differ this much by chance in {:.0f} of "
                       "100 cases; {} more runs of each can decide.",
                       change, last->runs_before, last->runs_after,
                       100 * chance_apart(last->runs_before, last->runs_after),
                       more_to_decide(last->runs_before, last->runs_after));
  return fmt::format("Undecided: {} is within the spread of repeated runs.", change);
}

} // namespace andes::postproc
