#include "postproc/view/columns/small_messages.h"

namespace andes::postproc::columns {

List<SmallMessages> small_messages() {
  using S = const SmallMessages&;
  return List<SmallMessages>{
      {.key = "path", .value = &SmallMessages::path},
      {.key = "file", .value = [](S one) { return known(one.place.file); }},
      {.key = "line", .value = [](S one) { return known_line(one.place.line); }},
      {.key = "messages", .value = [](S one) { return Value(Whole{one.messages}); }},
      {.key = "below", .value = [](S one) { return Value(Whole{one.below}); }},
      {.key = "per_destination", .value = &SmallMessages::per_destination},
      {.key = "percent", .value = &SmallMessages::percent},
      {.key = "communication_percent", .value = &SmallMessages::communication_percent},
      {.key = "gain_s",
       .value = [](S one) { return Json{{"low", one.gain.low_s}, {"high", one.gain.high_s}}; },
       .csv = false},
  };
}

} // namespace andes::postproc::columns
