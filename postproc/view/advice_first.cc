// The candidates are losses of the same kind of figure, per cent of p x T; the largest is what to do first. Computation
// that grows with the ranks counts in the ledger's way: what a size takes more than the base. Communication without
// waiting and growing computation may be nothing but waits for a core: they count by what is beyond these, unless the
// ledger has taken them out.
#include "postproc/view/advice_first.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/analysis/sampling.h"
#include "postproc/view/advice_parts.h"
#include "postproc/view/call_remedy.h"
#include "postproc/view/diagnosis_text.h"
#include "postproc/view/ledger_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/small_messages_text.h"
#include "postproc/view/unseen_functions.h"

namespace andes::postproc {
namespace {

constexpr double matters_percent = 2;

struct Loss {
  double percent = 0;
  std::string advice;
};

/// The last names of a path, for a line that has more to say.
std::string short_path(const std::vector<std::string>& path) {
  constexpr int width = 40;
  return cut_path(joined_path(path), width, false);
}

std::string most_of_all_in(const std::vector<std::string>& path, const Place& place = {}) {
  return ", most of all in " + short_path(path) + place_text(path, place);
}

/// For whom the ranks wait, and what made those late: ", for rank 0, which computes in main > setup (a.c:7)".
std::string origin_text(const Finding& finding, int all_ranks) {
  if (!finding.begin) return {};
  const WaitBegin& begin = *finding.begin;
  constexpr std::size_t most_ranks = 3;
  const bool is_one = begin.ranks.size() == 1;
  const bool by_turns = !is_one && begin.ranks.size() == static_cast<std::size_t>(all_ranks);
  const std::string ranks = begin.ranks.size() > most_ranks
                                ? fmt::format("{} ranks", begin.ranks.size())
                                : fmt::format("rank{} {}", is_one ? "" : "s", fmt::join(begin.ranks, ", "));
  const std::string where = short_path(begin.path) + place_text(begin.path, begin.place);
  switch (begin.kind) {
  case OriginKind::imbalance:
    if (by_turns) return ", for one rank after the other, which then computes longer in " + where;
    return fmt::format(", for {}, which compute{} longer in {}", ranks, is_one ? "s" : "", where);
  case OriginKind::serial: return fmt::format(", for {}, which alone computes in {}", ranks, where);
  case OriginKind::input_output: return fmt::format(", for {}, busy with input or output in {}", ranks, where);
  default:
    if (!begin.path.empty() && begin.path.back().starts_with("MPI_Win_unlock"))
      return fmt::format(", for {}, which hold{} the lock until {}", ranks, is_one ? "s" : "", where);
    return begin.path == finding.path ? fmt::format(", for {}", ranks)
                                      : fmt::format(", for {}, late in {}", ranks, where);
  }
}

/// The cause of waiting whose cure gains most.
std::optional<Loss> waiting(const Report& report) {
  if (!report.why_no_waits.empty() || report.findings.empty()) return std::nullopt;
  const Finding& first = report.findings.front();
  return Loss{first.percent,
              fmt::format("{} in {}{}{}: {} T would shrink by {}. {}", title_of(first), short_path(first.path),
                          place_text(first.path, first.place), origin_text(first, report.routine_ranks),
                          is_of_sharing(first.gain) ? cure_text(first.gain.cure) : "without this wait",
                          gain_text(first.gain), remedy_text(first))};
}

/// Where ranks wait, the first cause of that tells where the load is uneven.
Loss imbalance(const Report& report, const PointShares& shares, const std::optional<Loss>& waits) {
  const double percent = uneven_percent(shares);
  if (waits && waits->percent > 0) return {percent, waits->advice};
  const Routine* least = most_uneven(report);
  return {percent, fmt::format("Share the work evenly{}: the rank with most of it computes {} % of T longer than the "
                               "mean.",
                               least ? " in " + short_path(least->path) : "", fixed(percent, 0))};
}

double beyond_core_waits(double percent, const PointShares& shares) {
  return std::max(0.0, percent - shares.core_wait_percent.value_or(0));
}

/// What ranks waited for a core is in all other losses, wherever it fell.
Loss core_waits(const Report& report, const PointShares& shares) {
  const double percent = shares.core_wait_percent.value_or(0);
  const bool has_teams = report.routine_threads > 1;
  return {percent, fmt::format("Measure again with a core for each {}: {} waited {} % of p x T for one, the "
                               "largest of all losses.",
                               has_teams ? "thread" : "rank", has_teams ? "main threads" : "they", fixed(percent, 0))};
}

Loss threads(const Report& report) {
  return {report.team_losses ? report.team_losses->losses.front().percent : 0, team_loss_text(report)};
}

Loss communication(const Report& report, const PointShares& shares) {
  const double percent = shares.communication_percent, counts = beyond_core_waits(percent, shares);
  if (!report.small_messages.empty() && report.small_messages.front().communication_percent >= 50)
    return {percent, small_messages_sentence(report.small_messages.front())}; // their number is no matter of cores
  const Routine* call = heaviest_communication(report);
  const CallRemedy words = call ? remedy_of_call(call->path.back(), call->kind) : remedy_of_call("", "send");
  return {counts, fmt::format("{}{}: MPI takes {} % of p x T, waiting left out. {}", words.advice,
                              call ? most_of_all_in(call->path) : "", fixed(percent, 0), words.remedy)};
}

Loss input_output(const Report& report, const PointShares& shares) {
  const double percent = shares.io_percent.value_or(0);
  const double read = shares.bytes_read.value_or(0), written = shares.bytes_written.value_or(0);
  const Routine* call = heaviest_io(report);
  return {percent, fmt::format("{}{}: input and output takes {} % of p x T ({} are read and {} written).",
                               advice_of_io(call ? call->path.back() : "", read, written),
                               call ? most_of_all_in(call->path) : "", fixed(percent, 0), bytes_text(read),
                               bytes_text(written))};
}

/// What is known of why computation grows: the ledger's terms, and a remedy for each.
struct GrowthWords {
  const char *term, *remedy, *why;
};
constexpr GrowthWords growths[] = {
    {"computation", "Find out why computation grows",
     "Counters tell more instructions from slower ones: --set counters=PAPI_TOT_INS,PAPI_TOT_CYC."},
    {"instructions", "Share out what each rank repeats", "More instructions are executed."},
    {"instructions_per_cycle", "Use memory less",
     "The same instructions take more cycles: cores share memory bandwidth and caches."},
    {"frequency", "Expect less of more cores",
     "Cores run slower the more of them are busy; no change of the program "
     "helps against that."},
};

/// Own computation of the call path at the ledger's size and at the base, in core-seconds; nothing if it is not known.
struct PathSeconds {
  double now_s, base_s;
};
std::optional<PathSeconds> seconds_of(const Report& report, const Ledger& ledger, const LedgerPath& path) {
  const auto routine = std::ranges::find(report.routines, path.path, &Routine::path);
  if (routine == report.routines.end()) return std::nullopt;
  double percent = own_work_percent(*routine); // with what the calls of MPI directly below it take
  for (const Routine& call : report.routines)
    if (is_mpi_kind(call.kind) && call.path.size() == path.path.size() + 1 &&
        std::ranges::equal(path.path, call.path | std::views::take(path.path.size())))
      percent -= call.communication_percent + call.io_percent.value_or(0);
  const double now_s = percent / 100 * ledger.whole_s;
  return PathSeconds{now_s, now_s - path.computation_s};
}

/// Whether each rank computes about as long in the call path as one of the base: its work is not shared out. Where it
/// computes longer the work itself grows with the ranks.
bool is_repeated_by_ranks(const Report& report, const Ledger& ledger, const LedgerPath& path) {
  constexpr double nearly = 0.8, hardly_more = 1.25;
  if (report.scaling.weak || ledger.size < 2 * report.scaling.base_size) return false;
  const std::optional<PathSeconds> own = seconds_of(report, ledger, path);
  if (!own || own->base_s <= 0) return false;
  const double of_rank = own->now_s / own->base_s * report.scaling.base_size / ledger.size;
  return nearly <= of_rank && of_rank <= hardly_more;
}

/// Whether the base computes next to nothing in the call path: then counters have nothing to compare with.
bool is_not_in_base(const Report& report, const Ledger& ledger, const LedgerPath& path) {
  const std::optional<PathSeconds> own = seconds_of(report, ledger, path);
  return own && own->now_s > 0 && own->base_s < own->now_s / 100;
}

/// Computation that the base does not need; only where every repeat has it, as a small part may be noise.
std::optional<Loss> more_computation(const Report& report, const PointShares& shares) {
  const Ledger* ledger = shown_ledger(report);
  if (!ledger || ledger->size != report.routine_size) return std::nullopt;
  const bool is_usable = std::ranges::any_of(
      report.scaling.points, [&](const ScalingPoint& point) { return point.size == ledger->size && point.usable; });
  // More ranks than cores: what they wait for cores looks like computation, unless the ledger has it apart.
  if (!is_usable && !ledger->core_wait_error_s) return std::nullopt;
  for (const LedgerTerm& term : ledger->terms) { // largest first
    const auto growth = std::ranges::find(growths, term.name, &GrowthWords::term);
    if (growth == std::end(growths)) continue;
    if (!std::ranges::all_of(term.repeats, [](double seconds) { return seconds > 0; })) return std::nullopt;
    const auto most = std::ranges::max_element(ledger->paths, {}, &LedgerPath::computation_s);
    const bool is_placed = most != ledger->paths.end() && most->computation_s > 0 && most->path.size() > 1;
    const std::string where = is_placed ? most_of_all_in(most->path, {most->file, most->line}) : "";
    const std::string at = place_text(ledger->ranks, ledger->threads, report.grid.has_value());
    const double counts = ledger->core_wait_error_s ? term.percent - 100 * *ledger->core_wait_error_s / ledger->whole_s
                          : ledger->cores > ledger->ranks ? term.percent
                                                          : beyond_core_waits(term.percent, shares);
    const std::string whole = whole_of_shares(*ledger);
    if (is_placed && is_repeated_by_ranks(report, *ledger, *most))
      return Loss{counts,
                  fmt::format("Divide the work among the {}{}: at {} each computes as long in it as at the "
                              "base. What is computed more in all is {} % of {}.",
                              report.grid ? "ranks and threads" : "ranks", where, at, fixed(term.percent, 0), whole)};
    if (is_placed && is_not_in_base(report, *ledger, *most))
      return Loss{counts,
                  fmt::format("See whether work that the base does not have is needed{}: at {} computation takes "
                              "{} % of {} more than {}.",
                              where, at, fixed(term.percent, 0), whole,
                              report.scaling.weak ? "its share of the work" : "at the base")};
    return Loss{counts, fmt::format("{}{}: at {} computation takes {} % of {} more than {}. {}", growth->remedy, where,
                                    at, fixed(term.percent, 0), whole,
                                    report.scaling.weak ? "its share of the work" : "at the base", growth->why)};
  }
  return std::nullopt;
}

/// What has no name may be any of the other losses, or nothing.
Loss nameless(const Report& report) {
  const double percent = report.sampling.overflow_percent;
  if (percent < large_overflow_percent) return {};
  return {percent, fmt::format("Measure again with more room for the call tree (andes run --set: {}): {} % of p x T is "
                               "in call paths without names.",
                               report.sampling.settings_to_raise(), fixed(percent, 0))};
}

} // namespace

std::string advice_first(const Report& report) {
  const PointShares* shares = shares_at(report, report.routine_size);
  const Routine* heaviest = heaviest_own(report);
  if (!shares || !heaviest)
    return fmt::format("No call path of the program was measured: {}.", remedy_for_unseen_functions(report));
  const std::optional<Loss> waits = waiting(report);
  std::vector<Loss> losses{threads(report),
                           waits.value_or(Loss{}),
                           imbalance(report, *shares, waits),
                           communication(report, *shares),
                           input_output(report, *shares),
                           more_computation(report, *shares).value_or(Loss{}),
                           core_waits(report, *shares),
                           nameless(report)};
  std::erase_if(losses, [](const Loss& loss) { return loss.percent < matters_percent || loss.advice.empty(); });
  if (!losses.empty()) return std::ranges::max_element(losses, {}, &Loss::percent)->advice;
  if (heaviest->kind == "root")
    return fmt::format("Where the program computes is not known: {}.", remedy_for_unseen_functions(report));
  const bool one_core = report.routine_ranks * report.routine_threads == 1 && report.scaling.points.size() == 1;
  const HeaviestFunction function = heaviest_function(report);
  const bool several = function.heaviest != nullptr;
  return fmt::format("{} The largest own time is that of {} ({} %{}).",
                     one_core ? "What more ranks would lose, only runs with more of them tell."
                              : "Nothing is lost that matters.",
                     several ? function.heaviest->path.back() : joined_path(heaviest->path),
                     fixed(several ? function.own_percent : own_work_percent(*heaviest), 0),
                     several ? " in " + counted(function.call_paths, "call path") : "");
}

} // namespace andes::postproc
