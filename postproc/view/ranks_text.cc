// The end of `andes show`: a line for each rank, which is its main thread, and where ranks have others a line
// for the threads of each, or every thread's own.
#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/threads.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

using Align = TableColumn::Align;

constexpr std::size_t all_up_to = 64, at_either_end = 16;

std::string overlap_text(const Tree& tree, int rank) {
  const auto found = tree.overlaps.find(rank);
  return found == tree.overlaps.end() ? "" : bounds_text(found->second.low, found->second.high);
}

std::string known_seconds(const std::optional<double>& ns) { return ns ? significant(*ns * 1e-9) : std::string(); }

/// `wide`: with the parts of computing and communicating, and the synchronisation.
Table locations_table(const Profile& profile, const Tree& tree, const std::vector<Location>& locations, bool wide) {
  const auto part = [](double ns, const Location& l) {
    return l.wall_ns > 0 ? fixed(100 * ns / l.wall_ns, 1) : std::string();
  };
  Table table;
  table.columns = {
      {"rank"}, {"wall s"},    {"compute s"}, {"%"},       {"comm. s"},    {"%"},     {"idle s"},
      {"%"},    {"overlap %"}, {"tool s"},    {"sync. s"}, {"end wait s"}, {"off s"}, {"host", Align::left, true}};
  for (const Location& l : locations)
    table.rows.push_back(
        {l.thread == 0 ? std::to_string(l.rank) : fmt::format("{}.{}", l.rank, l.thread), significant(l.wall_ns * 1e-9),
         significant(l.compute_ns * 1e-9), wide ? part(l.compute_ns, l) : "", significant(l.communication_ns * 1e-9),
         wide ? part(l.communication_ns, l) : "", known_seconds(l.idle_ns), l.idle_ns ? part(*l.idle_ns, l) : "",
         l.thread == 0 ? overlap_text(tree, l.rank) : "", significant(l.tool_ns * 1e-9),
         wide ? significant(l.synchronisation_ns * 1e-9) : "", l.thread == 0 ? known_seconds(l.wait_at_end_ns) : "",
         l.off_ns && *l.off_ns > 0 ? significant(*l.off_ns * 1e-9) : "",
         l.host && profile.hosts.size() > 1 ? profile.hosts[static_cast<std::size_t>(*l.host)].name : ""});
  return table;
}

/// Of many rows some of either end stay, in the order of `before`; a line says so.
template <class Row, class Before>
std::string shorten(std::vector<Row>& rows, Before before, const char* first, const char* last) {
  if (rows.size() <= all_up_to) return "";
  std::stable_sort(rows.begin(), rows.end(), before);
  std::string note = fmt::format("the {} {} and the {} {} of {} (--json lists all, --rank chooses)\n", at_either_end,
                                 first, at_either_end, last, rows.size());
  rows.erase(rows.begin() + at_either_end, rows.end() - at_either_end);
  return note;
}

std::string locations_text(const Terminal& terminal, const Profile& profile, const Tree& tree,
                           std::vector<Location> locations) {
  const std::string note = shorten(
      locations, [](const Location& a, const Location& b) { return a.compute_ns > b.compute_ns; }, "that compute most",
      "that compute least");
  Table table = locations_table(profile, tree, locations, true);
  if (!fits(terminal, table, 0)) table = locations_table(profile, tree, locations, false);
  return table_text(terminal, table, 0) + "%: of the rank's wall time\n" + note;
}

std::string spread_text(const OverThreads& over) {
  return fmt::format("{} {} {}", significant(over.min), significant(over.mean), significant(over.max));
}

/// A line for the threads of each rank that has several.
std::string threads_text(const Terminal& terminal, const Threads& threads) {
  std::vector<RankThreads> ranks = threads.ranks;
  const std::string note = shorten(
      ranks,
      [](const RankThreads& a, const RankThreads& b) {
        return a.load_balance.value_or(1) < b.load_balance.value_or(1);
      },
      "with the least balance", "with the best");
  Table table;
  table.columns = {{"rank"},    {"threads"}, {"bal."},     {"wall s"}, {"compute s"},
                   {"comm. s"}, {"idle s"},  {"serial s"}, {"%"}};
  for (const RankThreads& r : ranks)
    table.rows.push_back({std::to_string(r.rank),
                          std::to_string(r.count),
                          {r.load_balance ? fixed(*r.load_balance, 2) : "",
                           r.load_balance && *r.load_balance < 0.8 ? Style::yellow : Style::plain},
                          spread_text(r.wall_s),
                          spread_text(r.compute_s),
                          r.communication_s.max > 0 ? spread_text(r.communication_s) : "",
                          r.idle_s && r.idle_s->max > 0 ? spread_text(*r.idle_s) : "",
                          r.serial_s ? significant(*r.serial_s) : "",
                          r.serial_percent ? fixed(*r.serial_percent, 1) : ""});
  std::string legend = "threads of a rank, the main one included: least, mean and largest; bal.: mean / max of compute";
  if (threads.serial_s) legend += "; serial: main thread outside parallel regions, of its wall time";
  return '\n' + table_text(terminal, table, 0) + wrapped(legend + " (--threads shows each)", terminal.width, "", "") +
         note;
}

/// What can be said of all threads in a line.
std::string all_threads_text(const Terminal& terminal, const Threads& threads) {
  std::string text;
  if (threads.load_balance)
    text =
        fmt::format("Load balance over all {} threads: {} (mean / max of compute).",
                    threads.ranks.size() + static_cast<std::size_t>(threads.others), fixed(*threads.load_balance, 2));
  if (threads.serial_percent)
    text += fmt::format("{}Outside parallel regions: {} s, {} % of the main thread{}.", text.empty() ? "" : " ",
                        significant(*threads.serial_s), fixed(*threads.serial_percent, 1),
                        threads.ranks.size() == 1 ? "'s wall time" : "s' wall time (mean over ranks)");
  return wrapped(text, terminal.width, "", "");
}

} // namespace

std::string ranks_text(const Terminal& terminal, const Profile& profile, const Tree& tree,
                       const std::vector<int>& chosen, bool each_thread) {
  const Threads threads = threads_of(profile, chosen);
  std::vector<Location> locations;
  for (const Location& l : profile.locations)
    if ((each_thread || l.thread == 0) &&
        (chosen.empty() || std::find(chosen.begin(), chosen.end(), l.rank) != chosen.end()))
      locations.push_back(l);
  const std::string text = locations_text(terminal, profile, tree, std::move(locations));
  if (threads.others == 0) return text;
  return text + (each_thread ? "" : threads_text(terminal, threads)) + all_threads_text(terminal, threads);
}

} // namespace andes
