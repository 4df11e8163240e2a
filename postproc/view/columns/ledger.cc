#include "postproc/view/columns/ledger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/columns/guess.h"
#include "postproc/view/diagnosis_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

std::string place_of_size(const Ledger& ledger, bool grid) {
  return place_text(ledger.ranks, ledger.threads, grid) + (ledger.oversubscribed ? "*" : "");
}

std::string title_of(OriginKind kind) {
  switch (kind) {
  case OriginKind::imbalance: return "imbalance";
  case OriginKind::serial: return "serial part";
  case OriginKind::input_output: return "input and output";
  case OriginKind::late_messages: return "late messages";
  case OriginKind::end: return "ends at different times";
  case OriginKind::not_known: break;
  }
  return "not attributed";
}

Column<LedgerPath> path_part(const char* key, const char* title, double LedgerPath::* part, int decimals) {
  return {.key = key, .value = part, .text = {.title = title, .cell = [=](const LedgerPath& p) {
                                                return signed_text(p.*part, decimals);
                                              }}};
}

} // namespace

List<LedgerTerm> ledger_terms() {
  return List<LedgerTerm>{
      {.key = "name", .value = &LedgerTerm::name},
      {.key = "title", .value = &LedgerTerm::title, .csv = false},
      {.key = "seconds", .value = &LedgerTerm::seconds},
      {.key = "percent", .value = &LedgerTerm::percent},
      {.key = "repeats", .value = [](const LedgerTerm& t) { return Value(Json(t.repeats)); }, .csv = false},
  };
}

List<LedgerOrigin> ledger_origins(int decimals, const BarOf& bar_of) {
  using O = const LedgerOrigin&;
  return List<LedgerOrigin>{
      {.key = "kind",
       .value = [](O origin) { return name_of(origin.kind); },
       .text = {.title = "origin", .cell = [](O origin) { return title_of(origin.kind); }, .align = left}},
      {.key = "path",
       .value = &LedgerOrigin::path,
       .text = {.title = "where",
                .cell = [](O origin) { return joined_path(origin.path); },
                .align = left,
                .gives_way = true}},
      {.key = "file", .value = [](O origin) { return known(origin.file); }},
      {.key = "line",
       .value = [](O origin) { return known_line(origin.line); },
       .text = {.cell = [](O origin) { return source_text(origin.file, origin.line); }, .align = left}},
      {.key = "ranks",
       .value = [](O origin) { return Value(Json(origin.ranks)); },
       .text = {.title = "rank",
                .cell =
                    [](O origin) {
                      if (origin.ranks.empty()) return std::string();
                      return fmt::format("{}{}", origin.ranks.front(), origin.ranks.size() > 1 ? " ..." : "");
                    }},
       .csv = false},
      {.key = "seconds",
       .value = &LedgerOrigin::seconds,
       .text = {.title = "s", .cell = [=](O origin) { return signed_text(origin.seconds, decimals); }}},
      {.text = {.cell = [=](O origin) { return bar_of(origin.seconds); }, .align = left}},
  };
}

List<LedgerPath> ledger_paths(int decimals) {
  using P = const LedgerPath&;
  List<LedgerPath> list{
      path_part("lost_s", "lost s", &LedgerPath::lost_s, decimals),
      path_part("computation_s", "comp. s", &LedgerPath::computation_s, decimals),
      path_part("communication_s", "comm. s", &LedgerPath::communication_s, decimals),
      path_part("idle_s", "idle s", &LedgerPath::idle_s, decimals),
      path_part("io_s", "i/o s", &LedgerPath::io_s, decimals),
      path_part("team_idle_s", "threads s", &LedgerPath::threads_s, decimals),
      {.key = "path",
       .value = &LedgerPath::path,
       .text = {.title = "call path",
                .cell =
                    [](P path) {
                      return joined_path(path.path) +
                             (path.was.empty() ? "" : fmt::format(" (guess: {})", path.guess.reason));
                    },
                .align = left,
                .gives_way = true}},
      {.key = "file", .value = [](P path) { return known(path.file); }},
      {.key = "line", .value = [](P path) { return known_line(path.line); }},
  };
  append(list, guess_columns<LedgerPath>()); // beside the sequential program
  return list;
}

List<TermRow> term_rows(const std::vector<Ledger>& ledgers, std::size_t shown, bool grid, int decimals,
                        const BarOf& bar_of) {
  List<TermRow> list{
      {.text = {.title = "lost to", .cell = [](const TermRow& row) { return row.title; }, .align = left}}};
  for (std::size_t i = 0; i < ledgers.size(); ++i)
    list.push_back({.text = {.title = place_of_size(ledgers[i], grid),
                             .cell =
                                 [=](const TermRow& row) {
                                   return row.seconds[i] ? signed_text(*row.seconds[i], decimals) : std::string();
                                 },
                             .steps = i == shown ? always : 0}});
  list.push_back({.text = {.title = "%", .cell = [=](const TermRow& row) {
                             return row.seconds[shown] || row.is_sum ? fixed(row.percent, 1) : std::string();
                           }}});
  list.push_back({.text = {.cell =
                               [=](const TermRow& row) {
                                 return row.seconds[shown] && !row.is_sum ? bar_of(*row.seconds[shown]) : std::string();
                               },
                           .align = left}});
  return list;
}

} // namespace andes::postproc::columns
