// The end of `andes show`: a line for each rank, which is its main thread, and where ranks have others a line
// for the threads of each, or every thread's own.
#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/columns/locations.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

using columns::ShownLocation;

constexpr std::size_t all_up_to = 64, at_either_end = 16;

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
                           std::vector<ShownLocation> rows) {
  const std::string note = shorten(
      rows,
      [](const ShownLocation& a, const ShownLocation& b) { return a.location->compute_ns > b.location->compute_ns; },
      "that compute most", "that compute least");
  const auto columns = columns::locations(profile, tree);
  Table table = text_table(columns, rows);
  if (!fits(terminal, table, 0)) table = text_table(columns, rows, {.step = 1});
  return table_text(terminal, table, 0) + "%: of the rank's wall time\n" + note;
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
  std::string legend = "threads of a rank, the main one included: least, mean and largest; bal.: mean / max of compute";
  if (threads.serial_s) legend += "; serial: main thread outside parallel regions, of its wall time";
  return '\n' + table_text(terminal, text_table(columns::rank_threads(), ranks), 0) +
         wrapped(legend + " (--threads shows each)", terminal.width, "", "") + note;
}

/// What can be said of all threads in a line.
std::string all_threads_text(const Terminal& terminal, const Threads& threads) {
  std::string text;
  if (threads.load_balance)
    text =
        fmt::format("Load balance over all {} threads: {} (mean / max of compute).",
                    threads.ranks.size() + static_cast<std::size_t>(threads.others), fixed(*threads.load_balance, 2));
  if (threads.serial_percent)
    text += fmt::format("{}Outside parallel regions: {}, {} % of the main thread{}.", text.empty() ? "" : " ",
                        in_seconds(*threads.serial_s), fixed(*threads.serial_percent, 1),
                        threads.ranks.size() == 1 ? "'s wall time" : "s' wall time (mean over ranks)");
  return wrapped(text, terminal.width, "", "");
}

} // namespace

std::string ranks_text(const Terminal& terminal, const Profile& profile, const Tree& tree,
                       const std::vector<int>& chosen, bool each_thread) {
  const Threads threads = threads_of(profile, chosen);
  std::vector<ShownLocation> rows = columns::shown_locations(profile, threads, chosen);
  if (!each_thread) std::erase_if(rows, [](const ShownLocation& row) { return row.rank_threads == nullptr; });
  std::string text = locations_text(terminal, profile, tree, std::move(rows));
  if (threads.others == 0) return text;
  return text + (each_thread ? "" : threads_text(terminal, threads)) + all_threads_text(terminal, threads);
}

} // namespace andes::postproc
