// What became faster is green, what became slower red. Call paths and causes are those at one size, which programs get
// in every row and people in the title.
#include "postproc/view/columns/comparison.h"

#include <fmt/format.h>

#include "postproc/view/columns/findings.h"
#include "postproc/view/fraction.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

using Known = std::optional<Estimate>;

std::string change_text(const Known& before, const Known& after, std::string (*written)(const Estimate&, int),
                        int digits, const char* arrow) {
  const auto one = [&](const Known& e) { return e ? written(*e, digits) : std::string("-"); };
  return before || after ? fmt::format("{} {} {}", one(before), arrow, one(after)) : "";
}

Style style_of(Change change) {
  if (change == Change::faster) return Style::green;
  return change == Change::slower ? Style::red : Style::plain;
}

/// Threads of a size, where sizes differ in them.
auto threads_text(const Comparison& comparison) {
  return [grid = comparison.grid](const ComparedPoint& p) { return grid ? std::to_string(p.threads) : ""; };
}

/// Of what the comparison has at one size: that size.
template <class Row> List<Row> size_of(const Comparison& comparison) {
  return List<Row>{{.key = "ranks", .value = [&comparison](const Row&) { return comparison.ranks; }},
                   {.key = "threads", .value = [&comparison](const Row&) {
                      return comparison.grid ? Value(comparison.threads) : Value();
                    }}};
}

SamplingError error_of(const ComparedPath& p) { return error_of_sum(p.before_error_s, p.after_error_s); }

/// A time of a call path, marked where it is estimated.
Column<ComparedPath> time(const char* key, const char* title, Estimate ComparedPath::* time_s,
                          SamplingError ComparedPath::* error) {
  using P = const ComparedPath&;
  return {.key = key,
          .value = time_s,
          .text = {.title = title,
                   .cell = [=](P p) { return marked(seconds_text((p.*time_s).median), p.*error); },
                   .error = [=](P p, ErrorColumn) { return seconds_spread(p.*time_s); }}};
}

const char* fate_of(const ComparedCause& cause) {
  constexpr double none_percent = 1;
  if (cause.after_percent < none_percent) return "gone";
  if (cause.before_percent < none_percent) return "new";
  return cause.realised_s > 0 ? "smaller" : "grew";
}

} // namespace

List<ComparedPoint> compared_points(const Comparison& comparison, const char* arrow) {
  using P = const ComparedPoint&;
  return List<ComparedPoint>{
      {.key = "ranks",
       .value = &ComparedPoint::ranks,
       .text = {.title = "ranks",
                .cell = [](P p) { return fmt::format("{}{}", p.ranks, p.oversubscribed ? "*" : ""); }}},
      {.key = "threads",
       .value = [grid = comparison.grid](P p) { return grid ? Value(p.threads) : Value(); },
       .text = {.title = "threads", .cell = threads_text(comparison)}},
      {.key = "oversubscribed", .value = &ComparedPoint::oversubscribed},
      {.key = "runs_before", .value = &ComparedPoint::runs_before},
      {.key = "runs_after", .value = &ComparedPoint::runs_after},
      {.key = "time_before_s",
       .value = &ComparedPoint::before_s,
       .text = {.title = "time s",
                .cell = [arrow](P p) { return change_text(p.before_s, p.after_s, estimate_text, 4, arrow); },
                .align = left}},
      {.key = "time_after_s", .value = &ComparedPoint::after_s},
      {.key = "change_percent",
       .value = &ComparedPoint::change_percent,
       .text = {
           .title = "change %",
           .cell = [](P p) -> Cell { return {fmt::format("{:+.1f}", p.change_percent.median), style_of(p.change)}; },
           .error = [](P p, ErrorColumn) { return spread_text(p.change_percent, 3); }}},
      {.key = "verdict",
       .value = [](P p) { return name_of(p.change); },
       .text = {.cell = [](P p) -> Cell { return {name_of(p.change), style_of(p.change)}; }, .align = left}},
      {.key = "speedup_before", .value = &ComparedPoint::speedup_before},
      {.key = "speedup_after", .value = &ComparedPoint::speedup_after},
      {.key = "serial_fraction_before", .value = &ComparedPoint::fraction_before},
      {.key = "serial_fraction_after", .value = &ComparedPoint::fraction_after},
  };
}

List<ComparedPoint> compared_scaling(const Comparison& comparison, const char* arrow) {
  using P = const ComparedPoint&;
  return List<ComparedPoint>{
      {.text = {.title = "ranks", .cell = [](P p) { return std::to_string(p.ranks); }}},
      {.text = {.title = "threads", .cell = threads_text(comparison)}},
      {.text = {.title = "speedup",
                .cell = [=](P p) { return change_text(p.speedup_before, p.speedup_after, estimate_text, 3, arrow); },
                .align = left}},
      {.text = {.title = "serial fraction",
                .cell =
                    [=](P p) {
                      return change_text(p.fraction_before, p.fraction_after, fraction_estimate_text, 4, arrow);
                    },
                .align = left}},
  };
}

List<ComparedPath> compared_paths(const Comparison& comparison) {
  using P = const ComparedPath&;
  const auto if_estimated = [](bool SamplingError::* flag) {
    return [flag](P p) { return error_of(p).estimated ? Value(error_of(p).*flag) : Value(); };
  };
  List<ComparedPath> list{
      {.key = "path",
       .value = &ComparedPath::path,
       .text = {.title = "call path",
                .cell = [](P p) { return joined_path(p.path) + (p.muted ? " (muted)" : ""); },
                .align = left,
                .gives_way = true},
       .text_after = "change_s"},
      {.key = "kind", .value = &ComparedPath::kind},
      {.key = "file", .value = [](P p) { return known(p.file); }},
      {.key = "line", .value = [](P p) { return known_line(p.line); }},
  };
  append(list, size_of<ComparedPath>(comparison));
  append(list, List<ComparedPath>{
                   {.key = "estimated", .value = if_estimated(&SamplingError::estimated)},
                   {.key = "reliable", .value = if_estimated(&SamplingError::reliable)},
                   {.key = "muted", .value = [](P p) { return p.muted ? Value(true) : Value(); }},
                   time("exclusive_before_s", "before s", &ComparedPath::before_s, &ComparedPath::before_error_s),
                   time("exclusive_after_s", "after s", &ComparedPath::after_s, &ComparedPath::after_error_s),
                   {.key = "change_s",
                    .value = &ComparedPath::change_s,
                    .text = {.title = "change s",
                             .cell = [](P p) { return marked(signed_seconds(p.change_s.median), error_of(p)); },
                             .error = [](P p, ErrorColumn) { return seconds_spread(p.change_s); }}},
               });
  return list;
}

List<ComparedCause> compared_causes(const Comparison& comparison) {
  using C = const ComparedCause&;
  List<ComparedCause> list{
      {.key = "cause",
       .value = &ComparedCause::cause,
       .text = {.title = "cause", .cell = [](C c) { return c.title.empty() ? c.cause : c.title; }, .align = left},
       .text_after = "fate"},
      {.key = "title", .value = [](C c) { return known(c.title); }},
      {.key = "path",
       .value = &ComparedCause::path,
       .text =
           {.title = "call path", .cell = [](C c) { return joined_path(c.path); }, .align = left, .gives_way = true},
       .text_after = "cause"},
      {.key = "kind", .value = &ComparedCause::kind},
      {.key = "file", .value = [](C c) { return known(c.place.file); }},
      {.key = "line", .value = [](C c) { return known_line(c.place.line); }},
  };
  append(list, size_of<ComparedCause>(comparison));
  append(list,
         List<ComparedCause>{
             {.key = "percent_before",
              .value = &ComparedCause::before_percent,
              .text = {.title = "before %", .cell = [](C c) { return fixed(c.before_percent, 1); }}},
             {.key = "percent_after",
              .value = &ComparedCause::after_percent,
              .text = {.title = "after %", .cell = [](C c) { return fixed(c.after_percent, 1); }}},
             gain_column("predicted_gain_s", "predicted s", &ComparedCause::predicted),
             {.key = "realised_gain_s",
              .value = &ComparedCause::realised_s,
              .text = {.title = "measured s", .cell = [](C c) { return seconds_text(c.realised_s); }}},
             {.key = "fate",
              .text = {.cell = [](C c) -> Cell { return {fate_of(c), c.realised_s > 0 ? Style::green : Style::red}; },
                       .align = left}},
         });
  return list;
}

} // namespace andes::postproc::columns
