#include "postproc/view/columns/serial_routines.h"

#include "postproc/view/diagnosis_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {

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
       .text = {.title = "serial fraction", .cell = [](R r) { return fixed(r.fraction, 3); }}},
      {.key = "more_work",
       .value = &SerialRoutine::more_work,
       .text = {.title = "more work", .cell = [](R r) { return fixed(r.more_work, 3); }}},
      {.key = "waiting",
       .value = &SerialRoutine::waiting,
       .text = {.title = "waits for it", .cell = [](R r) { return fixed(r.waiting, 3); }}},
      {.key = "work_factor",
       .value = &SerialRoutine::work_factor,
       .text = {.title = "work x",
                .cell = [](R r) { return r.work_factor ? significant(*r.work_factor, 3) : std::string(); }}},
      {.key = "limit_speedup",
       .value = &SerialRoutine::limit_speedup,
       .text = {.title = "limit alone",
                .cell = [](R r) { return r.limit_speedup ? significant(*r.limit_speedup, 3) : std::string(); }}},
      {.key = "is_limit", .value = &SerialRoutine::is_limit},
  };
}

} // namespace andes::postproc::columns
