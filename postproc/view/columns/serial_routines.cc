#include "postproc/view/columns/serial_routines.h"

#include "postproc/view/diagnosis_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/sampling_text.h"

namespace andes::postproc::columns {
namespace {

std::string ratio(double value, const SerialRoutine& r) { return marked(fixed(value, 3), r.more_work_error); }

std::string factor(std::optional<double> value, const SerialRoutine& r) {
  return value ? marked(significant(*value, 3), r.more_work_error) : std::string();
}

auto if_estimated(bool SamplingError::* flag) {
  return
      [flag](const SerialRoutine& r) { return r.more_work_error.estimated ? Value(r.more_work_error.*flag) : Value(); };
}

} // namespace

List<SerialRoutine> serial_routines() {
  using R = const SerialRoutine&;
  return List<SerialRoutine>{
      {.key = "path",
       .value = &SerialRoutine::path,
       .text =
           {.title = "call path", .cell = [](R r) { return joined_path(r.path); }, .align = left, .gives_way = true}},
      {.key = "kind", .value = &SerialRoutine::kind},
      {.key = "file", .value = [](R r) { return known(r.file); }},
      {.key = "line",
       .value = [](R r) { return known_line(r.line); },
       .text = {.cell = [](R r) { return source_text(r.file, r.line); }, .align = left}},
      {.key = "fraction",
       .value = &SerialRoutine::fraction,
       .text = {.title = "serial fraction", .cell = [](R r) { return ratio(r.fraction, r); }}},
      {.key = "more_work",
       .value = &SerialRoutine::more_work,
       .text = {.title = "more work", .cell = [](R r) { return ratio(r.more_work, r); }}},
      {.key = "waiting",
       .value = &SerialRoutine::waiting,
       .text = {.title = "waits for it", .cell = [](R r) { return ratio(r.waiting, r); }}},
      {.key = "work_factor",
       .value = &SerialRoutine::work_factor,
       .text = {.title = "work x", .cell = [](R r) { return factor(r.work_factor, r); }}},
      {.key = "limit_speedup",
       .value = &SerialRoutine::limit_speedup,
       .text = {.title = "limit alone", .cell = [](R r) { return factor(r.limit_speedup, r); }}},
      {.key = "is_limit", .value = &SerialRoutine::is_limit},
      {.key = "estimated", .value = if_estimated(&SamplingError::estimated)},
      {.key = "reliable", .value = if_estimated(&SamplingError::reliable)},
  };
}

} // namespace andes::postproc::columns
