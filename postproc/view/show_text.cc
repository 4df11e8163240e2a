// One run for people: what it was, its call tree, its ranks (ranks_text.cc). The tree stands first on its
// lines and gives way to the numbers; it is walked with a stack of its own, as depth comes from the file.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/threads.h"
#include "postproc/view/hybrid_text.h"
#include "postproc/view/number.h"
#include "postproc/view/phases_view.h"
#include "postproc/view/run_head.h"
#include "postproc/view/sampling_text.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

using Align = TableColumn::Align;

struct Visit {
  std::size_t row;
  std::string margin, branch; // before the children's lines; before the row's own name
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

/// What finds room beside names that can be read. The mean is inclusive / ranks: it goes first.
struct TreeLayout {
  ErrorColumn errors = ErrorColumn::interval;
  bool means = true, bytes = true, overlap = true, largest = true;
};
constexpr TreeLayout narrower_layouts[] = {{ErrorColumn::half},
                                           {ErrorColumn::half, false},
                                           {ErrorColumn::half, false, false},
                                           {ErrorColumn::none, false, false},
                                           {ErrorColumn::none, false, false, false},
                                           {ErrorColumn::none, false, false, false, false}};
constexpr int least_name = 16; // characters, behind the branches of the deepest call path

/// Constructs of OpenMP share a few names: lines tell them apart.
std::string shown_name(const TreeRow& row) {
  const bool is_construct = row.kind == "parallel" || row.kind == "workshare" || row.kind == "task" ||
                            row.kind == "critical" ||
                            (row.kind == "block" && (row.name == "barrier" || row.name == "taskwait"));
  return is_construct && row.line > 0 ? fmt::format("{}:{}", row.name, row.line) : row.name;
}

std::vector<Cell> row_cells(const Terminal& terminal, const TreeRow& row, const Visit& visit, double whole_s,
                            const TreeLayout& layout) {
  const int most = terminal.width / 4;
  const double percent = 100 * row.inclusive_s / whole_s;
  const double bytes = row.inclusive_bytes;
  Style style = Style::plain;
  if (is_mpi_kind(row.kind)) style = Style::cyan;
  else if (100 * row.exclusive_s / whole_s >= 10) style = Style::bold;
  const bool uneven = row.load_balance && *row.load_balance < 0.8;
  const SamplingError &inclusive = row.inclusive_error_s, &exclusive = row.exclusive_error_s;
  return {
      {short_margin(visit.branch, most) + shown_name(row), style},
      marked(fixed(percent, 1), inclusive),
      visits_text(row.visits, row.muted),
      marked(significant(row.inclusive_s), inclusive),
      time_error_text(row.inclusive_s, inclusive, layout.errors),
      marked(significant(row.exclusive_s), exclusive),
      time_error_text(row.exclusive_s, exclusive, layout.errors),
      layout.means ? marked(significant(row.mean_s), inclusive) : "",
      layout.largest ? marked(significant(row.max_s), inclusive) : "",
      {marked(row.load_balance ? fixed(row.load_balance, 2) : "", inclusive), uneven ? Style::yellow : Style::plain},
      row.communication_s > 0 ? significant(row.communication_s) : "",
      row.idle_s && *row.idle_s > 0 ? significant(*row.idle_s) : "",
      layout.overlap && row.overlap_percent ? bounds_text(row.overlap_percent->low, row.overlap_percent->high) : "",
      layout.bytes && bytes > 0 ? bytes_text(bytes) : ""};
}

/// The tree without call paths below the cut.
Table tree_table(const Terminal& terminal, const Tree& tree, double whole_s, double cut_percent,
                 const TreeLayout& layout) {
  const bool intervals = layout.errors == ErrorColumn::interval;
  const TableColumn error{intervals ? "" : "+-%", intervals ? Align::left : Align::right};
  Table table;
  table.columns = {{"call path", Align::left, true},
                   {"%"},
                   {"visits"},
                   {"incl. s"},
                   error,
                   {"excl. s"},
                   error,
                   {"mean s"},
                   {"max s"},
                   {"bal."},
                   {"comm. s"},
                   {"idle s"},
                   {"overlap %"},
                   {"bytes"}};
  std::vector<Visit> stack;
  for (auto root = tree.roots.rbegin(); root != tree.roots.rend(); ++root) stack.push_back({*root, "", ""});
  while (!stack.empty()) {
    const Visit visit = std::move(stack.back());
    stack.pop_back();
    const TreeRow& row = tree.rows[visit.row];
    table.rows.push_back(row_cells(terminal, row, visit, whole_s, layout));
    const int text = width_of(table.rows.back()[0].text), name = width_of(shown_name(row));
    table.columns[0].least = std::max(table.columns[0].least, text - name + std::min(name, least_name));
    std::vector<std::size_t> children;
    for (const std::size_t child : row.children)
      if (100 * tree.rows[child].inclusive_s >= cut_percent * whole_s) children.push_back(child);
    for (std::size_t i = children.size(); i-- > 0;) {
      const bool last = i + 1 == children.size();
      const char* branch = terminal.utf8 ? (last ? "\u2514\u2574" : "\u251c\u2574") : (last ? "`-" : "|-");
      const char* line = terminal.utf8 ? (last ? "  " : "\u2502 ") : (last ? "  " : "| ");
      // Of a deep tree's no more than can be shown.
      stack.push_back({children[i], short_margin(visit.margin + line, terminal.width), visit.margin + branch});
    }
  }
  return table;
}

/// What percentages are of.
std::string denominator(const Tree& tree, const Threads& threads, bool all_ranks) {
  const std::string mains = all_ranks ? "p x T" : tree.ranks == 1 ? "T" : fmt::format("{} x T", tree.ranks);
  if (threads.others == 0) return mains;
  return fmt::format("the time of all threads, {} s: {} and that of the {} beside the main one{}",
                     significant(tree.time_s), mains, threads.others, tree.ranks == 1 ? "" : "s");
}

std::string tree_text(const Terminal& terminal, const Tree& tree, const Threads& threads, double cut_percent,
                      bool all_ranks) {
  const double whole_s = tree.time_s;
  TreeLayout layout;
  Table table = tree_table(terminal, tree, whole_s, cut_percent, layout);
  const bool idle =
      std::any_of(tree.rows.begin(), tree.rows.end(), [](const TreeRow& row) { return row.idle_s.value_or(0) > 0; });
  if (tree.sampling.sampled > 0 || idle) {
    for (const TreeLayout& next : narrower_layouts) {
      if (fits(terminal, table, 0)) break;
      layout = next;
      table = tree_table(terminal, tree, whole_s, cut_percent, layout);
    }
  }
  std::string text = table_text(terminal, table, 0);
  if (table.rows.size() < tree.rows.size())
    text += fmt::format("call paths below {} % that are not shown: {} (--cut 0 shows all)\n", cut_percent,
                        tree.rows.size() - table.rows.size());
  std::string legend =
      fmt::format("%: of {}; incl., excl., comm.{}: sums over ranks; {}"
                  "bal.: mean / max of the time outside MPI",
                  denominator(tree, threads, all_ranks), idle ? " (without waiting), idle (waiting)" : "",
                  !layout.largest ? ""
                  : layout.means  ? "mean, max: of the inclusive time over ranks; "
                                  : "max: of the inclusive time over ranks; ");
  if (layout.overlap && has_overlap(tree))
    legend += "; overlap: with computation, at least..at most, in per cent of the transfers of "
              "non-blocking operations, callees included";
  if (layout.bytes) legend += "; bytes: sent and received, callees included";
  if (tree.roots.size() > 1) legend += "; (thread): threads beside the main ones";
  text += wrapped(legend, terminal.width, "", "");
  const char* marks = layout.errors == ErrorColumn::interval ? "[low, high]: 95 % interval"
                      : layout.errors == ErrorColumn::half   ? "+-%: half of the 95 % interval, in per cent of the time"
                                                             : "--csv has their intervals";
  return text + sampling_notes(terminal, tree.sampling, {marks, ">=, muted"}, "");
}

/// Counts of some of the events, from `first` on, by call path.
Table counters_table(const Profile& profile, const Tree& tree, double whole_s, double cut_percent, std::size_t first,
                     std::size_t end) {
  const bool cycles = cycle_events(profile.events).has_value();
  Table table;
  table.columns = {{"call path", Align::left, true}};
  for (std::size_t event = first; event < end; ++event) {
    table.columns.push_back({profile.events[event]});
    table.columns.push_back({"excl."});
  }
  if (cycles) table.columns.insert(table.columns.end(), {{"IPC"}, {"excl."}});
  std::vector<std::pair<std::size_t, int>> stack; // row, depth
  for (auto root = tree.roots.rbegin(); root != tree.roots.rend(); ++root) stack.push_back({*root, 0});
  while (!stack.empty()) {
    const auto [at, depth] = stack.back();
    stack.pop_back();
    const TreeRow& row = tree.rows[at];
    std::vector<Cell> cells = {std::string(static_cast<std::size_t>(2 * std::min(depth, 20)), ' ') + row.name};
    const bool tool = row.kind == "tool"; // counts nothing: what probes count is their callers'
    for (std::size_t event = first; event < end; ++event) {
      cells.push_back(tool ? "" : count_text(row.events[event].inclusive));
      cells.push_back(tool ? "" : count_text(row.events[event].exclusive));
    }
    if (cycles) {
      cells.push_back(tool ? "" : fixed(row.instructions_per_cycle, 2));
      cells.push_back(tool ? "" : fixed(row.own_instructions_per_cycle, 2));
    }
    table.rows.push_back(std::move(cells));
    for (auto child = row.children.rbegin(); child != row.children.rend(); ++child)
      if (100 * tree.rows[*child].inclusive_s >= cut_percent * whole_s) stack.push_back({*child, depth + 1});
  }
  return table;
}

/// What was counted, in as many tables as there is room for; what could not be counted, and why.
std::string counters_text(const Terminal& terminal, const Profile& profile, const Tree& tree, double cut_percent) {
  constexpr std::size_t most = 8;
  std::string text;
  const double whole_s = tree.time_s;
  for (std::size_t first = 0, end; first < profile.events.size(); first = end) {
    Table table;
    for (end = std::min(first + most, profile.events.size());; --end) {
      table = counters_table(profile, tree, whole_s, cut_percent, first, end);
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

} // namespace

std::string show_text(const Terminal& terminal, const Profile& profile, const Tree& tree, const std::vector<int>& ranks,
                      const ShownParts& parts) {
  std::string text = run_head(terminal, profile);
  if (!ranks.empty()) text += fmt::format("Only rank{} {}\n", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
  text += '\n' + tree_text(terminal, tree, threads_of(profile, ranks), parts.cut_percent, ranks.empty());
  if (lacks_overlap(profile, tree))
    text += wrapped(fmt::format("Overlap of the non-blocking operations with computation: {} "
                                "(setting transfer gives others).",
                                profile.facts.has("transfer_source")
                                    ? "nothing to hide by the times of transfers that were "
                                      "measured, which are those of the processors alone"
                                    : "not known, as no times of transfers could be measured"),
                    terminal.width, styled(terminal, Style::yellow, "! "), "  ");
  text += counters_text(terminal, profile, tree, parts.cut_percent);
  text += tool_cost_text(terminal, tool_cost(profile, summary_of(profile).tool_percent), "") + '\n';
  if (const std::string hybrid = hybrid_text(terminal, hybrid_of(profile), profile); ranks.empty() && !hybrid.empty())
    text += hybrid + '\n';
  if (ranks.empty()) text += phases_text(terminal, profile) + values_text(terminal, profile);
  return text + ranks_text(terminal, profile, tree, ranks, parts.each_thread);
}

} // namespace andes
