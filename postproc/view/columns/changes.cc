// Slower is red, faster green, as in columns/comparison.cc. The table for people has only the call paths that changed.
#include "postproc/view/columns/changes.h"

#include <fmt/format.h>

#include "postproc/view/columns/guess.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

Style style_of(ChangeVerdict verdict) {
  if (verdict == ChangeVerdict::faster) return Style::green;
  return verdict == ChangeVerdict::slower ? Style::red : Style::plain;
}

std::string with_sign(double value) { return fmt::format("{}{}", value > 0 ? "+" : "", seconds_text(value)); }

/// Columns of the figures that `of` finds in a row.
template <class Row, class Of> List<Row> figure_columns(Of of) {
  using R = const Row&;
  return List<Row>{
      {.key = "before_s", .value = [of](R r) { return of(r).before_s; }},
      {.key = "after_s", .value = [of](R r) { return of(r).after_s; }},
      {.key = "change_s", .value = [of](R r) { return of(r).change_s; }},
      {.key = "chance", .value = [of](R r) { return of(r).chance; }},
      {.key = "unequal_chance", .value = [of](R r) { return of(r).unequal_chance; }},
      {.key = "verdict", .value = [of](R r) { return name_of(of(r).verdict); }},
      {.key = "more_runs", .value = [of](R r) { return of(r).more_runs ? Value(*of(r).more_runs) : Value(); }},
  };
}

} // namespace

List<SizeChanges> size_changes(const std::function<std::string(const ChangeFigures&)>& verdict, bool grid,
                               const char* arrow) {
  using S = const SizeChanges&;
  List<SizeChanges> list{
      {.key = "ranks",
       .value = &SizeChanges::ranks,
       .text = {.title = "ranks",
                .cell = [](S s) { return fmt::format("{}{}", s.ranks, s.oversubscribed ? "*" : ""); }}},
      {.key = "threads",
       .value = [grid](S s) { return grid ? Value(s.threads) : Value(); },
       .text = {.title = "threads", .cell = [grid](S s) { return grid ? std::to_string(s.threads) : ""; }}},
      {.key = "oversubscribed", .value = &SizeChanges::oversubscribed},
      {.key = "cores", .value = &SizeChanges::cores},
      {.key = "other_threads_s",
       .value = [](S s) { return s.other_threads_s > 0 ? Value(s.other_threads_s) : Value(); }},
      {.key = "runs_before", .value = &SizeChanges::runs_before},
      {.key = "runs_after", .value = &SizeChanges::runs_after},
      {.text = {.title = "time",
                .cell = [arrow](S s) { return before_and_after(s.time.before_s.median, s.time.after_s.median, arrow); },
                .align = left}},
      {.text = {.title = "change s",
                .cell = [](S s) -> Cell { return {with_sign(s.time.change_s.median), style_of(s.time.verdict)}; },
                .error = [](S s, ErrorColumn) { return seconds_spread(s.time.change_s); }}},
      {.text = {.title = "verdict",
                .cell = [verdict](S s) -> Cell { return {verdict(s.time), style_of(s.time.verdict)}; },
                .align = left}},
  };
  append(list, figure_columns<SizeChanges>([](S s) -> const ChangeFigures& { return s.time; }));
  append(list, List<SizeChanges>{{.key = "light", .value = &SizeChanges::light}});
  return list;
}

List<TermChange> term_changes() {
  return List<TermChange>{
      {.key = "term", .value = &TermChange::name},         {.key = "title", .value = &TermChange::title},
      {.key = "before_s", .value = &TermChange::before_s}, {.key = "after_s", .value = &TermChange::after_s},
      {.key = "change_s", .value = &TermChange::change_s}, {.key = "chance", .value = &TermChange::chance},
      {.key = "changed", .value = &TermChange::changed}};
}

List<PathChange> path_changes(double time_s, const std::function<std::string(const PathChange&)>& what) {
  using P = const PathChange&;
  List<PathChange> list{
      {.text = {.title = "change s",
                .cell = [](P p) -> Cell {
                  return {with_sign(p.figures.change_s.median), style_of(p.figures.verdict)};
                }}},
      {.text = {.title = "% of T",
                .cell = [time_s](P p) { return fmt::format("{:+.1f}", 100 * p.figures.change_s.median / time_s); }}},
      {.key = "path",
       .value = &PathChange::path,
       .text =
           {.title = "call path", .cell = [](P p) { return joined_path(p.path); }, .align = left, .gives_way = true}},
      {.text = {.title = "what changed", .cell = [what](P p) { return what(p); }, .align = left}},
      {.key = "kind", .value = &PathChange::kind},
      {.key = "file", .value = [](P p) { return known(p.file); }},
      {.key = "line", .value = [](P p) { return known_line(p.line); }},
      {.key = "new", .value = [](P p) { return p.is_new ? Value(true) : Value(); }},
      {.key = "vanished", .value = [](P p) { return p.vanished ? Value(true) : Value(); }},
  };
  append(list, guess_columns<PathChange>());
  append(list, figure_columns<PathChange>([](P p) -> const ChangeFigures& { return p.figures; }));
  return list;
}

List<Unlike> unlike_paths() {
  List<Unlike> list{{.key = "path", .value = [](const Unlike& u) { return u.path.empty() ? Value() : Value(u.path); }}};
  append(list, guess_columns<Unlike>());
  return list;
}

} // namespace andes::postproc::columns
