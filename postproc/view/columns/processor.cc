// Sizes and call paths have the columns of work and of its scaling in common. Factors have two decimals; those that
// lose a fifth and more are coloured.
#include "postproc/view/columns/processor.h"

#include "postproc/analysis/warnings.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

List<Work> work() {
  return List<Work>{
      {.key = "useful_s",
       .value = &Work::useful_s,
       .text = {.title = "useful s", .cell = [](const Work& w) { return seconds_text(w.useful_s); }}},
      {.key = "instructions",
       .value = &Work::instructions,
       .text = {.title = "instructions", .cell = [](const Work& w) { return significant(w.instructions); }}},
      {.key = "cycles", .value = &Work::cycles},
      {.key = "instructions_per_cycle",
       .value = &Work::per_cycle,
       .text = {.title = "per cycle", .cell = [](const Work& w) { return fixed(w.per_cycle(), 2); }}},
      {.key = "frequency_hz",
       .value = &Work::frequency_hz,
       .text = {.title = "GHz", .cell = [](const Work& w) { return fixed(1e-9 * w.frequency_hz(), 2); }}},
      {.key = "memory_stall_cycles", .value = &Work::memory_stalls},
      {.key = "cache_misses", .value = &Work::cache_misses},
  };
}

Column<WorkScaling> factor(const char* key, const char* name, double WorkScaling::* member, const char* title) {
  return {.key = key,
          .value = member,
          .text = {.title = title,
                   .cell = [member](const WorkScaling& s) -> Cell {
                     return {fixed(s.*member, 2), s.*member < acceptable_efficiency ? Style::yellow : Style::plain};
                   }},
          .json_path = {"scaling", name}};
}

List<WorkScaling> scaling() {
  return List<WorkScaling>{
      factor("scaling_computation", "computation", &WorkScaling::computation, "computation"),
      factor("scaling_instructions", "instructions", &WorkScaling::instructions, "= instructions"),
      factor("scaling_instructions_per_cycle", "instructions_per_cycle", &WorkScaling::per_cycle, "x IPC"),
      factor("scaling_frequency", "frequency", &WorkScaling::frequency, "x frequency")};
}

Cell bound(const ProcessorPath& p) {
  return {name_of(p.bound), p.bound == Bound::memory || p.bound == Bound::low_ipc ? Style::yellow : Style::plain};
}

} // namespace

List<ProcessorPoint> processor_points(bool grid) {
  List<ProcessorPoint> list{
      {.key = "ranks",
       .value = &ProcessorPoint::ranks,
       .text = {.title = "ranks", .cell = [](const ProcessorPoint& p) { return std::to_string(p.ranks); }}},
      {.key = "threads",
       .value = [grid](const ProcessorPoint& p) { return grid ? Value(p.threads) : Value(); },
       .text = {.title = "threads",
                .cell = [grid](const ProcessorPoint& p) { return grid ? std::to_string(p.threads) : ""; }},
       .csv = grid},
  };
  append(list, of_part<ProcessorPoint>(work(), [](const ProcessorPoint& p) { return &p.work; }));
  append(list, of_part<ProcessorPoint>(scaling(), [](const ProcessorPoint& p) { return &p.scaling; }));
  return list;
}

List<ProcessorPath> processor_paths() {
  List<ProcessorPath> list{
      {.key = "path",
       .value = &ProcessorPath::path,
       .text = {.title = "call path",
                .cell = [](const ProcessorPath& p) { return joined_path(p.path); },
                .align = left,
                .gives_way = true},
       .text_after = "bound"},
      {.key = "kind", .value = &ProcessorPath::kind},
      {.key = "file", .value = [](const ProcessorPath& p) { return known(p.file); }},
      {.key = "line", .value = [](const ProcessorPath& p) { return known_line(p.line); }},
      {.key = "percent",
       .value = &ProcessorPath::percent,
       .text = {.title = "useful %", .cell = [](const ProcessorPath& p) { return fixed(p.percent, 1); }}},
  };
  List<Work> own = work();
  for (Column<Work>& column : own) // whose share says enough
    if (column.key == "useful_s" || column.key == "instructions") column.text = {};
  append(list, of_part<ProcessorPath>(own, [](const ProcessorPath& p) { return &p.work; }));
  append(list,
         of_part<ProcessorPath>(scaling(), [](const ProcessorPath& p) { return p.scaling ? &*p.scaling : nullptr; }));
  append(list, List<ProcessorPath>{{.key = "bound",
                                    .value = [](const ProcessorPath& p) { return known(name_of(p.bound)); },
                                    .text = {.cell = bound, .align = left}}});
  return list;
}

} // namespace andes::postproc::columns
