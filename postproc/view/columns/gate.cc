#include "postproc/view/columns/gate.h"

#include <fmt/format.h>

#include "postproc/view/columns/guess.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

/// An interval of a change in JSON and text; it is given where there are enough pairs.
Estimate estimate_of(const Shift& shift) {
  return {shift.middle, shift.low, shift.high, shift.low ? Estimate::Kind::interval : Estimate::Kind::point};
}

Estimate percent_of(const Shift& log_change) {
  Shift percent{percent_of_log(log_change.middle), {}, {}};
  if (log_change.low) percent.low = percent_of_log(*log_change.low);
  if (log_change.high) percent.high = percent_of_log(*log_change.high);
  return estimate_of(percent);
}

std::string signed_percent(double value) { return fmt::format("{:+.2f}", value); }

Style style_of(const ChangedPath& path) {
  return path.is_longer ? Style::red : path.is_shorter ? Style::green : Style::plain;
}

} // namespace

List<GatePair> gate_pairs() {
  return List<GatePair>{
      {.key = "repeat", .value = &GatePair::repeat},
      {.key = "base_file", .value = &GatePair::base_file},
      {.key = "new_file", .value = &GatePair::new_file},
      {.key = "time_base_s", .value = &GatePair::base_s},
      {.key = "time_new_s", .value = &GatePair::new_s},
      {.key = "change_percent", .value = [](const GatePair& p) { return 100 * (p.new_s / p.base_s - 1); }},
  };
}

List<ChangedPath> changed_paths() {
  using P = const ChangedPath&;
  List<ChangedPath> list{
      {.key = "path",
       .value = &ChangedPath::path,
       .text = {.title = "call path",
                .cell = [](P p) -> Cell { return {joined_path(p.path), style_of(p)}; },
                .align = left,
                .gives_way = true}},
      {.key = "file", .value = [](P p) { return known(p.file); }},
      {.key = "line", .value = [](P p) { return known_line(p.line); }},
      {.key = "base_s",
       .value = &ChangedPath::base_s,
       .text = {.title = "base s", .cell = [](P p) { return seconds_text(p.base_s); }}},
      {.key = "new_s",
       .value = &ChangedPath::newer_s,
       .text = {.title = "new s", .cell = [](P p) { return seconds_text(p.newer_s); }}},
      {.key = "change_percent",
       .value = [](P p) { return estimate_of(p.whole.percent); },
       .text = {.title = "change %",
                .cell = [](P p) -> Cell { return {signed_percent(p.whole.percent.middle), style_of(p)}; },
                .error = [](P p, ErrorColumn) { return spread_text(estimate_of(p.whole.percent), 3); }}},
      {.key = "verdict",
       .value = [](P p) { return p.is_longer    ? "longer"
                                 : p.is_shorter ? "shorter"
                                                : "undecided"; },
       .text = {.cell = [](P p) -> Cell {
                  return {p.is_longer ? "longer" : p.is_shorter ? "shorter" : "undecided", style_of(p)};
                },
                .align = left}},
      {.key = "term", .value = [](P p) { return p.most.name; }},
      {.key = "term_title",
       .value = [](P p) { return p.most.title; },
       .text = {.title = "mostly", .cell = [](P p) { return p.most.title; }, .align = left}},
      {.key = "term_percent", .value = [](P p) { return estimate_of(p.most.percent); }},
  };
  append(list, guess_columns<ChangedPath>());
  return list;
}

List<ChangedTerm> changed_terms() {
  using T = const ChangedTerm&;
  return List<ChangedTerm>{
      {.key = "term", .value = &ChangedTerm::name},
      {.key = "title",
       .value = &ChangedTerm::title,
       .text = {.title = "term", .cell = [](T t) { return t.title; }, .align = left}},
      {.key = "change_percent",
       .value = [](T t) { return estimate_of(t.percent); },
       .text = {.title = "change %",
                .cell = [](T t) { return signed_percent(t.percent.middle); },
                .error = [](T t, ErrorColumn) { return spread_text(estimate_of(t.percent), 3); }}},
  };
}

List<GateControl> gate_controls() {
  return List<GateControl>{
      {.key = "control", .value = &GateControl::name},
      {.key = "title", .value = &GateControl::title},
      {.key = "pairs", .value = &GateControl::pairs},
      {.key = "change_percent", .value = [](const GateControl& c) { return percent_of(c.log_change); }},
  };
}

} // namespace andes::postproc::columns
