// A paragraph for each group of comparable runs: a curve, and for each change when, by how much, which commits, and
// what it consists of.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "common/printable.h"
#include "postproc/view/history_view.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

std::string name_of(const HistoryCommit& commit) {
  return commit.commit.empty() ? "build " + commit.build : short_commit(commit.commit);
}

/// The day of an ISO time.
std::string day_of(const std::string& time) { return time.substr(0, time.find('T')); }

/// T over the commits in so many cells that each is a commit, or the median of a few.
std::string curve(const Terminal& terminal, const HistoryGroup& group) {
  constexpr const char* heights[] = {"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
  if (!terminal.utf8 || group.commits.size() < 2) return {};
  const auto room = static_cast<std::size_t>(std::max(10, terminal.width - 4));
  const std::size_t count = std::min(room, group.commits.size());
  std::vector<double> cells;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> times;
    for (std::size_t c = i * group.commits.size() / count; c < (i + 1) * group.commits.size() / count; ++c)
      times.push_back(group.commits[c].time_s);
    std::sort(times.begin(), times.end());
    cells.push_back(median_of(times));
  }
  const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
  std::string text = "  ";
  for (const double cell : cells)
    text += heights[*high > *low ? static_cast<int>(7.999 * (cell - *low) / (*high - *low)) : 0];
  return text + fmt::format("\n  {} to {}\n", time_text(*low), time_text(*high));
}

std::string head(const Terminal& terminal, const HistoryGroup& group) {
  std::set<std::string> branches;
  std::size_t runs = 0;
  for (const HistoryCommit& commit : group.commits) {
    runs += commit.runs.size();
    if (!commit.branch.empty()) branches.insert(commit.branch);
  }
  std::string size = fmt::format("{}", counted(static_cast<std::size_t>(group.ranks), "rank"));
  if (group.threads > 1) size += fmt::format(" of {} threads", group.threads);
  std::vector<std::string> facts = {size};
  if (!group.label.empty()) facts.push_back(group.label);
  facts.push_back(group.host);
  facts.push_back(short_library(group.mpi));
  facts.push_back(fmt::format("{} of {}", counted(runs, "run"), counted(group.commits.size(), "commit")));
  const HistoryCommit &first = group.commits.front(), &last = group.commits.back();
  facts.push_back(
      fmt::format("{} ({}) to {} ({})", name_of(first), day_of(first.time), name_of(last), day_of(last.time)));
  if (!group.by_git && group.commits.size() > 1) facts.push_back("ordered by time, as git does not tell the order");
  if (branches.size() > 1)
    facts.push_back(fmt::format("branches {}; --branch NAME takes one", fmt::join(branches, ", ")));
  return styled(terminal, Style::bold, printable(group.command)) + '\n' +
         wrapped(printable(fmt::format("{}", fmt::join(facts, "; "))), terminal.width, "  ", "  ");
}

std::string terms_text(const Terminal& terminal, const HistoryChange& change, bool full) {
  constexpr std::size_t most = 4;
  constexpr double least = 0.02; // of the sum of all changes
  double all = 0;
  for (const HistoryTerm& term : change.terms) all += std::fabs(term.change_s());
  std::vector<std::string> terms;
  for (const HistoryTerm& term : change.terms) {
    if (!full && (terms.size() == most || std::fabs(term.change_s()) < least * all)) break;
    const std::string title = term.name == "computation" ? term.name : term.title;
    terms.push_back(fmt::format("{} {:+.2g} s", title, term.change_s()));
  }
  if (terms.empty()) return {};
  return wrapped(printable(fmt::format("ledger, in core-seconds: {}", fmt::join(terms, ", "))), terminal.width,
                 "      ", "        ");
}

std::string paths_text(const Terminal& terminal, const HistoryChange& change, bool full) {
  const std::size_t most = full ? 20 : 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, change.paths.size()); ++i) {
    const HistoryPath& path = change.paths[i];
    const std::string numbers =
        fmt::format("{:+.2g} s ({} -> {})", path.change_s.median, time_text(path.before_s), time_text(path.after_s));
    text += wrapped(printable(fmt::format("{} {}{}{}", numbers, joined_path(path.path),
                                          path.part.empty() ? "" : fmt::format(": {}", path.part),
                                          path.guess.is_guess() ? fmt::format(" (guess: {})", path.guess.reason) : "")),
                    terminal.width, "      ", "        ");
  }
  if (change.paths.size() > most)
    text += fmt::format("      and {} more (--json lists them)\n", change.paths.size() - most);
  return text;
}

std::string commits_text(const Terminal& terminal, const HistoryGroup& group, const HistoryChange& change,
                         const CommitsBetween& between, bool full) {
  const std::size_t most = full ? 50 : 6;
  const auto found = between.find(ends_of(group, change));
  const auto& [from, to] = ends_of(group, change);
  if (found == between.end() || found->second.empty()) {
    if (from.empty() || to.empty()) return {};
    return fmt::format("      git log {}..{}\n", short_commit(from), short_commit(to));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(most, found->second.size()); ++i) {
    const CommitTitle& commit = found->second[i];
    text += wrapped(printable(fmt::format("{} {}", short_commit(commit.commit), commit.title)), terminal.width,
                    "      ", "        ");
  }
  if (found->second.size() > most)
    text += fmt::format("      and more: git log {}..{}\n", short_commit(from), short_commit(to));
  return text;
}

std::string change_text(const Terminal& terminal, const HistoryGroup& group, const HistoryChange& change,
                        const CommitsBetween& between, bool full) {
  const HistoryCommit& at = group.commits[change.point.at];
  const bool slower = change.percent.median > 0;
  const std::string what =
      fmt::format("{} % {}{}: {} -> {}", significant(std::fabs(change.percent.median), 2), slower ? "slower" : "faster",
                  change.percent.kind == Estimate::Kind::point ? "" : ", " + spread_text(change.percent, 2),
                  time_text(change.before_s), time_text(change.after_s));
  const std::size_t places = change.point.high - change.point.low + 1;
  const std::string where =
      places == 1 ? fmt::format("at {} ({})", name_of(at), day_of(at.time))
                  : fmt::format("at {} ({}), or between {} and {}", name_of(at), day_of(at.time),
                                name_of(group.commits[change.point.low]), name_of(group.commits[change.point.high]));
  std::string text = "    " + styled(terminal, slower ? Style::red : Style::green, what) + '\n' +
                     wrapped(where, terminal.width, "    ", "      ");
  for (const std::string& condition : change.conditions)
    text += wrapped(printable("also changed: " + condition), terminal.width, "      ", "        ");
  return text + terms_text(terminal, change, full) + paths_text(terminal, change, full) +
         commits_text(terminal, group, change, between, full);
}

std::string group_text(const Terminal& terminal, const HistoryGroup& group, const CommitsBetween& between, bool full) {
  std::string text = head(terminal, group) + curve(terminal, group);
  if (group.commits.size() < 2 * least_stretch)
    return text + fmt::format("  Too few commits to tell a change: {} are needed at least.\n", 2 * least_stretch);
  if (group.changes.empty()) return text + "  No change.\n";
  text += fmt::format("  {}, newest first:\n", counted(group.changes.size(), "change"));
  for (auto change = group.changes.rbegin(); change != group.changes.rend(); ++change)
    text += change_text(terminal, group, *change, between, full);
  return text;
}

} // namespace

std::pair<std::string, std::string> ends_of(const HistoryGroup& group, const HistoryChange& change) {
  return {group.commits[change.point.low - 1].commit, group.commits[change.point.high].commit};
}

std::string history_text(const Terminal& terminal, const History& history, const CommitsBetween& between, bool full) {
  std::string text;
  for (const HistoryGroup& group : history.groups)
    text += (text.empty() ? "" : "\n") + group_text(terminal, group, between, full);
  for (const auto& [reason, runs] : history.left_out)
    text += fmt::format("{}! {} left out: {}\n", text.empty() ? "" : "\n", counted(runs, "run"), reason);
  return text;
}

} // namespace andes::postproc
