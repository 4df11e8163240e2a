#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "postproc/analysis/warnings.h"

namespace andes::postproc {
namespace {

/// What an exact run is good for: it distorts functions that are shorter than a few probes.
constexpr std::string_view times_every_visit =
    "budget_percent=0 times every visit, which is right for visits of a microsecond and more";

/// The last name of a call path, and those of callers before it as far as others of `wide` have the same ones; of many
/// such callers the first, which tells them apart.
std::string name_among(const std::vector<WideEstimate>& wide, std::size_t which) {
  const std::vector<std::string>& path = wide[which].path;
  std::size_t names = 0;
  for (const WideEstimate& other : wide) {
    if (&other == &wide[which]) continue;
    const auto differs = std::mismatch(path.rbegin(), path.rend(), other.path.rbegin(), other.path.rend());
    names = std::max(names, static_cast<std::size_t>(differs.first - path.rbegin()));
  }
  const auto first = path.end() - static_cast<std::ptrdiff_t>(std::min(names + 1, path.size()));
  if (path.end() - first > 3) return fmt::format("{} > … > {}", *first, path.back());
  return fmt::format("{}", fmt::join(first, path.end(), " > "));
}

/// The widest three of those that do or do not have their error from probes: "work 7.7 [0.0, 8.5] and 2 more".
std::string names_of_wide(const std::vector<WideEstimate>& all, bool by_probes) {
  constexpr std::size_t most = 3;
  std::string named;
  std::size_t count = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const WideEstimate& one = all[i];
    if (one.by_probes != by_probes || ++count > most) continue;
    named += fmt::format("{}{} {:.1f} [{:.1f}, {:.1f}]", count == 1 ? "" : ", ", name_among(all, i), one.percent,
                         one.low, one.high);
  }
  return most < count ? named + fmt::format(" and {} more", count - most) : named;
}

} // namespace

void add_sampling_warnings(const Sampling& sampling, int size, Axis axis, std::vector<Warning>& warnings) {
  const std::string where = size_text(size, axis);
  // Below this sum estimates cannot mislead; the marks of the table and its legend suffice.
  constexpr double least_percent = 1;
  if (sampling.unreliable_percent >= least_percent)
    warnings.push_back(
        {"unreliable",
         fmt::format(
             "{} of {} sampled call paths at {} {} no reliable interval (marked ?), as their visits are too "
             "uneven or too few were timed: the true time may be very different from the {:.1f} % of p x T that "
             "{} shown with; a longer run times more of them, and andes run --set {}",
             sampling.unreliable, sampling.sampled, where, sampling.unreliable == 1 ? "has" : "have",
             sampling.unreliable_percent, sampling.unreliable == 1 ? "it is" : "they are", times_every_visit),
         {size}});
  if (const std::string named = names_of_wide(sampling.wide, false); !named.empty())
    warnings.push_back(
        {"wide_intervals",
         fmt::format("known only within an interval that is wider than the time itself at {}: {} % of "
                     "p x T, callees apart; a longer run or a larger budget (andes run --set "
                     "budget_percent=3) narrows it; {}, and cheaper with probes in these functions alone (andes cc "
                     "--select FILE)",
                     where, named, times_every_visit),
         {size}});
  if (const std::string named = names_of_wide(sampling.wide, true); !named.empty())
    warnings.push_back(
        {"short_visits",
         fmt::format("every visit was timed at {}, but visits that are as short as their probes hide how much of the "
                     "time is theirs and how much their callers': {} % of p x T, callees apart; a run with the "
                     "default budget tells such functions by samples",
                     where, named),
         {size}});
  if (!sampling.muted.empty()) {
    constexpr std::size_t most = 5;
    const std::size_t named = std::min(most, sampling.muted.size());
    std::string names = fmt::format(
        "{}", fmt::join(sampling.muted.begin(), sampling.muted.begin() + static_cast<std::ptrdiff_t>(named), ", "));
    if (named < sampling.muted.size()) names += fmt::format(" and {} more", sampling.muted.size() - named);
    warnings.push_back({"muted",
                        fmt::format("called too often even to be sampled at {}, so their visits were not counted to "
                                    "the end: {}; step 3 shows how to leave {} out",
                                    where, names, sampling.muted.size() == 1 ? "it" : "them"),
                        {size}});
  }
  if (sampling.overflow_visits > 0)
    warnings.insert(
        sampling.overflow_percent >= large_overflow_percent ? warnings.begin() : warnings.end(),
        {"overflow",
         fmt::format("the call tree hit a limit at {}: {:.1f} % of p x T ({:.0f} visits) is summed in "
                     "(more call paths), without names; raise {} (andes run --set), or instrument fewer "
                     "functions (andes cc --select)",
                     where, sampling.overflow_percent, sampling.overflow_visits, sampling.settings_to_raise()),
         {size}});
}

void add_closed_warning(const ClosedVisits& closed, int size, Axis axis, std::vector<Warning>& warnings) {
  constexpr double least_percent = 2;
  constexpr std::size_t most = 3;
  if (closed.percent < least_percent) return;
  const std::size_t named = std::min(most, closed.functions.size());
  const auto end = closed.functions.begin() + static_cast<std::ptrdiff_t>(named);
  std::string names = fmt::format("{}", fmt::join(closed.functions.begin(), end, ", "));
  if (named < closed.functions.size()) names += fmt::format(" and {} more", closed.functions.size() - named);
  warnings.push_back(
      {"closed_probes",
       fmt::format(
           "functions were entered {:.0f} million times while their probes were out of use at {} ({}): what these "
           "keep the compiler from may take some {:.0f} % of p x T, which the time of the tool does not contain; "
           "without them the program is faster (andes filter RUN -o hot.sel, then andes build --select hot.sel)",
           closed.visits / 1e6, size_text(size, axis), names, closed.percent),
       {size}});
}

} // namespace andes::postproc
