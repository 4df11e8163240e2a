// One run for people: what it was, its call tree, its ranks (ranks_text.cc). The tree stands first on its
// lines and gives way to the numbers; it is walked with a stack of its own, as depth comes from the file.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/file_identity.h"
#include "postproc/analysis/threads.h"
#include "postproc/view/columns/callpaths.h"
#include "postproc/view/hybrid_text.h"
#include "postproc/view/left_out_text.h"
#include "postproc/view/left_overs_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/phases_view.h"
#include "postproc/view/run_head.h"
#include "postproc/view/sampling_text.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

using Align = TableColumn::Align;

struct Visit {
  std::size_t row;
  std::string margin, branch, name; // before the children's lines; before the row's own name
  int depth = 0;
};

/// Deep trees leave room for names: a margin is cut on its left.
std::string short_margin(const std::string& margin, int most) {
  if (width_of(margin) <= most) return margin;
  std::size_t at = margin.size();
  for (int kept = 0; kept < most - 2 && at > 0; ++kept) {
    --at;
    while (at > 0 && (static_cast<unsigned char>(margin[at]) & 0xC0) == 0x80) --at;
  }
  return ".." + margin.substr(at);
}

/// The errors of times become shorter first, then columns are left out (columns/callpaths.cc): the errors behind the
/// overlap, or last where one is wide.
constexpr columns::Narrowing first_narrowings[] = {
    {1, ErrorColumn::half, "+-%"}, {2, ErrorColumn::half, "+-%"}, {3, ErrorColumn::half, "+-%"}};
constexpr columns::Narrowing narrowings_with_errors[] = {{4, ErrorColumn::half, "+-%"},
                                                         {5, ErrorColumn::half, "+-%"},
                                                         {6, ErrorColumn::half, "+-%"},
                                                         {7, ErrorColumn::half, "+-%"}};
constexpr columns::Narrowing last_narrowings[] = {
    {4, ErrorColumn::none}, {5, ErrorColumn::none}, {6, ErrorColumn::none}};
constexpr int least_name = 16; // characters, behind the branches of the deepest call path

/// Constructs of OpenMP share a few names: lines tell them apart.
std::string shown_name(const TreeRow& row) {
  const bool is_construct = row.kind == "parallel" || row.kind == "workshare" || row.kind == "task" ||
                            row.kind == "critical" ||
                            (row.kind == "block" && (row.name == "barrier" || row.name == "taskwait"));
  return is_construct && row.line > 0 ? fmt::format("{}:{}", row.name, row.line) : readable_name(row.name);
}

/// Of the children of one row. Functions with one name in several files, such as the main of each program of a job,
/// have their places, with folders where files have one name, too.
std::vector<std::string> child_names(const Tree& tree, const std::vector<std::size_t>& children) {
  std::map<std::string, int> times;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> files; // by name and name of the file
  std::vector<std::string> names;
  for (const std::size_t child : children) {
    const TreeRow& row = tree.rows[child];
    names.push_back(shown_name(row));
    ++times[names.back()];
    files[{names.back(), base_name(row.file)}].insert(row.file);
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    const TreeRow& row = tree.rows[children[i]];
    if (times[names[i]] < 2 || row.line <= 0) continue;
    const std::string last_part = base_name(row.file);
    names[i] += fmt::format(" ({}:{})", files[{names[i], last_part}].size() > 1 ? row.file : last_part, row.line);
  }
  return names;
}

/// A call path that is not below the cut, as a branch of the tree.
struct Branch {
  const TreeRow* row;
  std::string text, name; // what stands before its name
  int depth = 0;
};

const TreeRow* row_of(const Branch& branch) { return branch.row; }

/// In the order of the tree, which is walked with a stack of its own.
std::vector<Branch> branches_of(const Terminal& terminal, const Tree& tree, double cut_percent) {
  std::vector<Branch> branches;
  std::vector<Visit> stack;
  for (auto root = tree.roots.rbegin(); root != tree.roots.rend(); ++root)
    stack.push_back({*root, "", "", shown_name(tree.rows[*root]), 0});
  while (!stack.empty()) {
    const Visit visit = std::move(stack.back());
    stack.pop_back();
    const TreeRow& row = tree.rows[visit.row];
    branches.push_back({&row, short_margin(visit.branch, terminal.width / 4), visit.name, visit.depth});
    const std::vector<std::string> names = child_names(tree, row.children);
    bool last = true;
    for (std::size_t i = row.children.size(); i-- > 0;) {
      if (100 * tree.rows[row.children[i]].inclusive_s < cut_percent * tree.time_s) continue;
      const char* branch = terminal.utf8 ? (last ? "\u2514\u2574" : "\u251c\u2574") : (last ? "`-" : "|-");
      const char* line = terminal.utf8 ? (last ? "  " : "\u2502 ") : (last ? "  " : "| ");
      // Of a deep tree's no more than can be shown.
      stack.push_back({row.children[i], short_margin(visit.margin + line, terminal.width), visit.margin + branch,
                       names[i], visit.depth + 1});
      last = false;
    }
  }
  return branches;
}

Style style_of(const TreeRow& row, double whole_s) {
  if (is_mpi_kind(row.kind)) return Style::cyan;
  return 100 * row.exclusive_s / whole_s >= 10 ? Style::bold : Style::plain;
}

/// The columns of call paths, and before them the tree.
columns::List<Branch> tree_columns(const Profile& profile, const Tree& tree, const std::string& whole) {
  columns::List<Branch> list{{.text = {.title = "call path",
                                       .cell = [&tree](const Branch& branch) -> Cell {
                                         Cell cell(branch.name, style_of(*branch.row, tree.time_s));
                                         cell.stem = branch.text;
                                         return cell;
                                       },
                                       .align = Align::left,
                                       .gives_way = true}}};
  append(list, columns::of_part<Branch>(columns::callpaths(profile, tree, whole), row_of));
  return list;
}

/// What percentages are of.
std::string denominator(const Tree& tree, const Threads& threads, bool all_ranks) {
  std::string mains = all_ranks ? "p x T" : tree.ranks == 1 ? "T" : fmt::format("{} x T", tree.ranks);
  if (threads.others == 0) return mains;
  return fmt::format("the time of all threads, {}: {} and that of the {} beside the main one{}",
                     in_seconds(tree.time_s), mains, threads.others, tree.ranks == 1 ? "" : "s");
}

/// Whether a time may be off by more of all time than changes what a reader does.
bool has_wide_error(const Tree& tree, const std::vector<Branch>& branches) {
  constexpr double wide = 0.02;
  const auto is_wide = [&](const SamplingError& error) {
    return has_interval(error) && error.below + error.above > 2 * wide * tree.time_s;
  };
  return std::ranges::any_of(branches, [&](const Branch& branch) {
    return is_wide(branch.row->inclusive_error_s) || is_wide(branch.row->exclusive_error_s);
  });
}

std::vector<columns::Narrowing> narrowings(bool keeps_errors) {
  std::vector<columns::Narrowing> all(std::begin(first_narrowings), std::end(first_narrowings));
  if (keeps_errors) all.insert(all.end(), std::begin(narrowings_with_errors), std::end(narrowings_with_errors));
  all.insert(all.end(), std::begin(last_narrowings), std::end(last_narrowings));
  return all;
}

std::string tree_text(const Terminal& terminal, const Profile& profile, const Tree& tree,
                      const std::vector<Branch>& branches, const Threads& threads, double cut_percent, bool all_ranks) {
  const columns::List<Branch> list = tree_columns(profile, tree, denominator(tree, threads, all_ranks));
  const auto table_of = [&](const columns::Narrowing& narrowing) {
    Table table = text_table(list, branches, narrowing);
    int& least = table.columns[0].least;
    for (const Branch& branch : branches)
      least = std::max(least, width_of(branch.text) + std::min(width_of(branch.name), least_name));
    return table;
  };
  columns::Narrowing narrowing;
  Table table = table_of(narrowing);
  const bool idle =
      std::any_of(tree.rows.begin(), tree.rows.end(), [](const TreeRow& row) { return row.idle_s.value_or(0) > 0; });
  if (tree.sampling.has_estimates() || idle) {
    for (const columns::Narrowing& next : narrowings(has_wide_error(tree, branches))) {
      if (fits(terminal, table, 0)) break;
      narrowing = next;
      table = table_of(narrowing);
    }
  }
  std::string text = table_text(terminal, table, 0);
  if (table.rows.size() < tree.rows.size())
    text += fmt::format("call paths not shown, each below {} %: {} (--cut 0 shows all)\n", cut_percent,
                        tree.rows.size() - table.rows.size());
  if (const std::string titles = columns::titles_left_out(list, branches, narrowing); !titles.empty())
    text += wrapped("no room for: " + titles + " (a wider terminal or --csv has them)", terminal.width, "", "");
  std::string legend = legend_of(list, narrowing);
  if (tree.roots.size() > 1) legend += "; (thread): threads beside the main ones";
  text += wrapped(legend, terminal.width, "", "");
  const char* marks = narrowing.errors == ErrorColumn::interval ? "[low, high]: 95 % interval"
                      : narrowing.errors == ErrorColumn::half
                          ? "+-%: half of the 95 % interval, in per cent of the time"
                          : "--csv has their intervals";
  return text + sampling_notes(terminal, tree.sampling, {marks, ">=, muted"}, "");
}

/// Counts of some of the events by call path, which is only indented: there are many numbers.
columns::List<Branch> counters_columns(const Profile& profile, std::size_t first, std::size_t end) {
  columns::List<Branch> list{{.text = {.title = "call path",
                                       .cell =
                                           [](const Branch& branch) {
                                             const auto indent =
                                                 static_cast<std::size_t>(2 * std::min(branch.depth, 20));
                                             return std::string(indent, ' ') + branch.row->name;
                                           },
                                       .align = Align::left,
                                       .gives_way = true}}};
  append(list, columns::of_part<Branch>(columns::counts(profile, first, end), row_of));
  return list;
}

/// What was counted, in as many tables as there is room for; what could not be counted, and why.
std::string counters_text(const Terminal& terminal, const Profile& profile, const std::vector<Branch>& branches) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t first = 0, end; first < profile.events.size(); first = end) {
    Table table;
    for (end = std::min(first + most, profile.events.size());; --end) {
      table = text_table(counters_columns(profile, first, end), branches);
      if (end == first + 1 || fits(terminal, table, 0)) break;
    }
    text += '\n' + table_text(terminal, table, 0);
  }
  if (!profile.events.empty())
    text += wrapped(
        std::string("events counted by PAPI, sums over ranks and their threads, callees included; excl.: without")
            .append(cycle_events(profile.events) ? "; IPC: instructions per cycle" : ""),
        terminal.width, "", "");
  for (const MissingEvent& missing : profile.missing_events)
    text += wrapped(
        fmt::format("{} was not counted{}: {}", missing.event,
                    missing.ranks ? fmt::format(" throughout on {} of {} ranks", *missing.ranks, profile.ranks) : "",
                    missing.reason),
        terminal.width, styled(terminal, Style::yellow, "! "), "  ");
  return text;
}

/// Whether each non-blocking message was complete when the call that started it returned: of the others those whose
/// transfer time is not known are counted.
bool ended_at_once(const Profile& profile) {
  constexpr FactName doubts[] = {"transfers_unknown", "messages_unmatched", "log_level",
                                 "events_lost",       "events_unordered",   "events_outside"};
  if (!profile.counts_unknown_transfers || profile.facts.has("transfer_source") || profile.facts.has("events_left_out"))
    return false;
  return std::none_of(std::begin(doubts), std::end(doubts),
                      [&](FactName doubt) { return fact_number(profile, doubt).value_or(0) > 0; });
}

/// What the column of overlap does not say; empty: nothing.
std::string overlap_note(const Profile& profile, const Tree& tree) {
  const double unknown = fact_number(profile, "transfers_unknown").value_or(0);
  const bool lacks = lacks_overlap(profile, tree);
  if (!lacks && unknown == 0) return {};
  if (!lacks)
    return fmt::format("Overlap: without {} non-blocking messages, whose transfer times could not be measured (the "
                       "setting transfer can give them).",
                       count_text(unknown));
  if (ended_at_once(profile))
    return "Overlap of non-blocking operations with computation: nothing to hide, as each message was complete when "
           "the call that started it returned.";
  return fmt::format("Overlap of non-blocking operations with computation: {} (the setting transfer can give them).",
                     profile.counts_unknown_transfers && profile.facts.has("transfer_source") && unknown == 0
                         ? "nothing to hide, as the measured transfers kept the processors busy all the time"
                         : "not known, as transfer times could not be measured");
}

} // namespace

std::string show_text(const Terminal& terminal, const Profile& profile, const Tree& tree, const std::vector<int>& ranks,
                      const ShownParts& parts) {
  std::string text = run_head(terminal, profile);
  if (!ranks.empty()) text += fmt::format("Only rank{} {}\n", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
  const std::vector<Branch> branches = branches_of(terminal, tree, parts.cut_percent);
  text +=
      '\n' + tree_text(terminal, profile, tree, branches, threads_of(profile, ranks), parts.cut_percent, ranks.empty());
  if (const std::string overlap = overlap_note(profile, tree); !overlap.empty())
    text += wrapped(overlap, terminal.width, styled(terminal, Style::yellow, "! "), "  ");
  text += left_overs_text(terminal, profile);
  text += counters_text(terminal, profile, branches);
  if (const std::string functions = left_out_text(terminal, left_out_times(profile, own_percents(tree)), 0);
      !functions.empty())
    text += functions + '\n';
  text += tool_cost_text(terminal, tool_cost(profile), "") + '\n';
  if (const std::string hybrid = hybrid_text(terminal, hybrid_of(profile), profile); ranks.empty() && !hybrid.empty())
    text += hybrid + '\n';
  if (ranks.empty()) text += phases_text(terminal, profile) + values_text(terminal, profile);
  return text + ranks_text(terminal, profile, tree, ranks, parts.each_thread);
}

} // namespace andes::postproc
