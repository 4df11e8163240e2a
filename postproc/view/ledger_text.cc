// Terms that are too small to matter are summed in one line, so that what is printed adds up, too.
#include "postproc/view/ledger_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "postproc/analysis/core_waits.h"
#include "postproc/view/columns/ledger.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

constexpr double least_lost_percent = 0.5; // of the time of all threads, for a line of its own
constexpr double large_lost_percent = 5;   // the same at a size that is not the shown one
constexpr double least_shown_percent = 0.05; // for one of all others together
constexpr int bar_width = 20, digits = 2;

/// Draws seconds, the largest as a whole bar; what was saved has none.
columns::BarOf bars(const Terminal& terminal, double largest_s) {
  return [=](double seconds) { return bar_text(terminal, cells_of(seconds, largest_s, bar_width)); };
}

std::optional<double> seconds_of(const Ledger& ledger, const std::string& term) {
  for (const LedgerTerm& one : ledger.terms)
    if (one.name == term) return one.seconds;
  return {};
}

/// Those that have a line of their own: of the shown size, behind them what is large at other sizes.
std::vector<LedgerTerm> listed_terms(const std::vector<Ledger>& ledgers, std::size_t shown) {
  std::vector<LedgerTerm> terms = ledgers[shown].terms;
  std::erase_if(terms, [](const LedgerTerm& term) { return std::fabs(term.percent) < least_lost_percent; });
  for (const Ledger& ledger : ledgers)
    for (const LedgerTerm& term : ledger.terms) {
      if (std::fabs(term.percent) < large_lost_percent) continue;
      if (std::ranges::find(terms, term.name, &LedgerTerm::name) != terms.end()) continue;
      const std::optional<double> seconds = seconds_of(ledgers[shown], term.name);
      terms.push_back(
          {term.name, term.title, seconds.value_or(0), 100 * seconds.value_or(0) / ledgers[shown].whole_s, {}});
    }
  return terms;
}

/// The terms of all sizes, those of `shown` first, and what they add up to.
std::vector<columns::TermRow> rows_of(const std::vector<Ledger>& ledgers, std::size_t shown) {
  const Ledger& main = ledgers[shown];
  std::vector<columns::TermRow> rows;
  columns::TermRow rest{"the rest", std::vector<std::optional<double>>(ledgers.size()), 0};
  columns::TermRow sum{"together", {}, main.percent, true};
  for (const LedgerTerm& term : listed_terms(ledgers, shown)) {
    columns::TermRow row{term.title, {}, term.percent};
    for (const Ledger& ledger : ledgers) row.seconds.push_back(seconds_of(ledger, term.name));
    rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < ledgers.size(); ++i) {
    double listed_s = 0;
    for (const columns::TermRow& row : rows) listed_s += row.seconds[i].value_or(0);
    sum.seconds.emplace_back(ledgers[i].lost_s);
    rest.seconds[i] = ledgers[i].lost_s - listed_s;
  }
  rest.percent = 100 * *rest.seconds[shown] / main.whole_s;
  if (std::fabs(rest.percent) >= least_shown_percent) rows.push_back(std::move(rest));
  rows.push_back(std::move(sum));
  return rows;
}

double largest_seconds(const std::vector<columns::TermRow>& rows, std::size_t shown) {
  double largest = 0;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) largest = std::max(largest, rows[i].seconds[shown].value_or(0));
  return largest;
}

std::string cores_by_time(const Ledger& ledger) { return ledger.cores > ledger.ranks ? "cores x T" : "p x T"; }

/// Behind a table that has a line for waits for a core.
std::string core_waits_text(const Terminal& terminal, const Ledger& ledger, int decimals) {
  const auto term = std::ranges::find(ledger.terms, core_wait_part, &LedgerTerm::name);
  if (term == ledger.terms.end() || std::fabs(term->percent) < least_lost_percent) return {};
  std::string text = "Waiting for a core is taken out of the other terms.";
  if (const std::string error = signed_text(ledger.core_wait_error_s.value_or(0), decimals); !error.empty())
    text += fmt::format(" How much of it fell into computation is known to +-{} s.", error.substr(1));
  return wrapped(text, terminal.width, "  ", "  ");
}

std::string origins_text(const Terminal& terminal, const Ledger& ledger, int decimals) {
  std::vector<LedgerOrigin> origins = ledger.origins;
  double rest_s = 0;
  std::erase_if(origins, [&](const LedgerOrigin& origin) {
    const bool small = 100 * std::fabs(origin.seconds) < least_lost_percent * ledger.whole_s;
    if (small) rest_s += origin.seconds;
    return small;
  });
  if (origins.empty()) return {};
  std::string text =
      "\n  Where the waiting began (adds up to the idle terms above):\n" +
      table_text(terminal,
                 text_table(columns::ledger_origins(decimals, bars(terminal, origins.front().seconds)), origins));
  if (const std::string rest = signed_text(rest_s, decimals); !rest.empty())
    text += fmt::format("  and {} s in smaller ones\n", rest);
  return text;
}

std::string paths_text(const Terminal& terminal, const Ledger& ledger, int decimals) {
  constexpr std::size_t most = 10;
  std::vector<LedgerPath> paths = ledger.paths;
  std::erase_if(paths, [&](const LedgerPath& path) {
    return 100 * std::fabs(path.lost_s) < least_lost_percent * ledger.whole_s;
  });
  if (paths.empty()) return {};
  std::string note;
  if (paths.size() > most) {
    note = fmt::format("  and {} more (--json lists them)\n", paths.size() - most);
    paths.resize(most);
  }
  const auto waits = std::ranges::find(ledger.terms, core_wait_part, &LedgerTerm::name);
  const bool any_waits = waits != ledger.terms.end() && std::fabs(waits->percent) >= least_lost_percent;
  return wrapped(fmt::format("The same by call path, with its MPI calls, without the functions it calls{}:",
                             any_waits ? "; waiting for a core is in the times in which it fell" : ""),
                 terminal.width, "\n  ", "  ") +
         table_text(terminal, text_table(columns::ledger_paths(decimals), paths)) + note;
}

} // namespace

const Ledger* shown_ledger(const Report& report) {
  const Ledger* shown = nullptr;
  for (const Ledger& ledger : report.ledgers)
    if (!shown || ledger.size <= report.routine_size) shown = &ledger;
  return shown;
}

std::string whole_of_shares(const Ledger& ledger) {
  return ledger.other_threads_s > 0 ? "the time of all threads" : cores_by_time(ledger);
}

std::string ledger_text(const Terminal& terminal, const Report& report, bool full) {
  const Ledger* ledger = shown_ledger(report);
  if (!ledger) return {};
  const auto shown = static_cast<std::size_t>(ledger - report.ledgers.data());
  const std::vector<columns::TermRow> rows = rows_of(report.ledgers, shown);
  const int decimals =
      std::max(decimals_of(largest_seconds(rows, shown), digits),
               decimals_of(2 * least_lost_percent / 100 * ledger->whole_s, 1)); // a half rounds up: no row is blank
  const auto list = columns::term_rows(report.ledgers, shown, report.grid.has_value(), decimals,
                                       bars(terminal, largest_seconds(rows, shown)));
  Table table = text_table(list, rows);
  if (!fits(terminal, table)) table = text_table(list, rows, columns::Narrowing{1});
  return wrapped(
             fmt::format("Lost time, in core-seconds: what a size takes more than {}{} ({}); %: of {}{}.",
                         report.scaling.weak ? "if T were that of " : "",
                         place_text(report.scaling.base_ranks, report.scaling.base_threads, report.grid.has_value()),
                         in_seconds(report.scaling.base_time_s.median), whole_of_shares(*ledger),
                         ledger->other_threads_s > 0
                             ? fmt::format(" ({} and the wall times of the other threads)", cores_by_time(*ledger))
                             : ""),
             terminal.width, "  ", "  ") +
         table_text(terminal, table) + core_waits_text(terminal, *ledger, decimals) +
         origins_text(terminal, *ledger, decimals) + (full ? paths_text(terminal, *ledger, decimals) : "");
}

std::string ledger_sentence(const Report& report) {
  const Ledger* ledger = shown_ledger(report);
  if (!ledger || ledger->lost_s <= 0) return {};
  std::string text;
  int named = 0;
  for (const LedgerTerm& term : ledger->terms) {
    if (named == 2 || term.percent < least_lost_percent) break;
    text += fmt::format("{}{} ({} %)", named == 0 ? "" : " and ", term.title, fixed(term.percent, 0));
    ++named;
  }
  return text;
}

} // namespace andes::postproc
