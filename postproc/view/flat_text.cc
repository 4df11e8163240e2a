// The flat profile of one run for people: what takes the time, whoever called it, and who called whom.
#include "postproc/view/flat_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/threads.h"
#include "postproc/view/columns/flat.h"
#include "postproc/view/message_sizes_text.h"
#include "postproc/view/number.h"
#include "postproc/view/run_head.h"
#include "postproc/view/sampling_text.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

constexpr columns::Narrowing flat_narrowings[] = {{0, ErrorColumn::interval},    {1, ErrorColumn::interval},
                                                  {2, ErrorColumn::half, "+-%"}, {3, ErrorColumn::half, "+-%"},
                                                  {4, ErrorColumn::half, "+-%"}, {5, ErrorColumn::none}};

/// The widest form that fits, with what it means.
template <class Row>
std::string fitting_table(const Terminal& terminal, const columns::List<Row>& list, const std::vector<Row>& rows,
                          int margin = 0) {
  const std::string indent(static_cast<std::size_t>(margin), ' ');
  Table table;
  columns::Narrowing chosen;
  for (const columns::Narrowing& narrowing : flat_narrowings) {
    chosen = narrowing;
    table = text_table(list, rows, narrowing);
    if (fits(terminal, table, margin)) break;
  }
  std::string text = table_text(terminal, table, margin);
  if (const std::string titles = columns::titles_left_out(list, rows, chosen); !titles.empty())
    text += wrapped("no room for: " + titles + " (a wider terminal or --csv has them)", terminal.width, indent, indent);
  if (const std::string legend = legend_of(list, chosen); !legend.empty())
    text += wrapped(legend, terminal.width, indent, indent);
  return text;
}

/// A function without much time of its own still matters if much is spent below it.
std::vector<FlatRow> above_cut(std::vector<FlatRow> rows, double cut_s) {
  std::erase_if(rows, [=](const FlatRow& row) { return std::max(row.exclusive_s, row.inclusive_s) < cut_s; });
  return rows;
}

std::string functions_text(const Terminal& terminal, const FlatProfile& flat, const columns::FlatKinds& kinds,
                           double cut_percent) {
  const double cut_s = cut_percent / 100 * kinds.time_s;
  const std::vector<FlatRow> functions = above_cut(flat.functions, cut_s), files = above_cut(flat.files, cut_s);
  std::string text = "\nFunctions:\n" + fitting_table(terminal, columns::functions(kinds), functions);
  if (functions.size() < flat.functions.size())
    text += fmt::format("functions not shown, each below {} %: {} (--cut 0 shows all)\n", cut_percent,
                        flat.functions.size() - functions.size());
  text += "\nFiles:\n" + fitting_table(terminal, columns::files(kinds), files);
  if (flat.groups.empty()) return text;
  return text + "\nGroups of calls of MPI, and of input and output:\n" +
         fitting_table(terminal, columns::groups(kinds), flat.groups) + message_sizes_text(terminal, flat.groups);
}

std::string calls_text(const Terminal& terminal, const FlatProfile& flat, const columns::FlatKinds& kinds) {
  std::string text;
  for (const FunctionCalls& calls : flat.calls)
    text += '\n' + fitting_table(terminal, columns::call_lines(kinds), columns::lines_of({calls})) +
            message_sizes_text(terminal, {calls.function});
  return text;
}

} // namespace

std::string flat_text(const Terminal& terminal, const Profile& profile, const Tree& tree, const std::vector<int>& ranks,
                      const FlatProfile& flat, double cut_percent) {
  std::string text = run_head(terminal, profile);
  if (!ranks.empty()) text += fmt::format("Only rank{} {}\n", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
  const bool threads = threads_of(profile, ranks).others > 0;
  const columns::FlatKinds kinds = columns::flat_kinds(profile, tree);
  text +=
      fmt::format("\nPercentages are of {}; times are sums over ranks.\n", threads         ? "the time of all threads"
                                                                           : ranks.empty() ? "p x T"
                                                                                           : "the time of these ranks");
  text += flat.calls.empty() ? functions_text(terminal, flat, kinds, cut_percent) : calls_text(terminal, flat, kinds);
  text += sampling_notes(terminal, tree.sampling,
                         {"[low, high]: 95 % interval; +-%: half of it, in per cent", ">=, muted"}, "");
  return text + tool_cost_text(terminal, tool_cost(profile), "") + '\n';
}

std::string report_functions(const Terminal& terminal, const Report& report) {
  constexpr std::size_t most = 15;
  std::vector<FlatRow> rows = report.flat.rows;
  rows.resize(std::min(most, rows.size()));
  std::string text = fitting_table(terminal, columns::functions(columns::flat_kinds(report)), rows, 2);
  if (report.flat.rows.size() > most)
    text += fmt::format("  and {} more (--json lists them; andes show --flat has files and groups of MPI calls)\n",
                        report.flat.rows.size() - most);
  return text;
}

} // namespace andes::postproc
