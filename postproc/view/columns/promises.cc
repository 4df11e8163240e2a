#include "postproc/view/columns/promises.h"

#include "postproc/view/columns/what_if.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

const char* words_of(Kept kept) {
  constexpr const char* words[] = {"as promised", "more", "less", "not realised", "cannot be told"};
  return words[static_cast<int>(kept)];
}

} // namespace

List<Promise> promises() {
  using P = const Promise&;
  return List<Promise>{
      {.key = "changes",
       .value = [](P p) { return p.prediction.changes; },
       .text = {.title = "change",
                .cell = [](P p) { return changes_cell(p.prediction.changes); },
                .align = left,
                .gives_way = true}},
      {.key = "asked", .value = [](P p) { return p.asked ? Value(true) : Value(); }},
      {.key = "predicted_gain_s",
       .value = [](P p) { return Json{{"low", p.prediction.low.gain_s}, {"high", p.prediction.high.gain_s}}; },
       .text = {.title = "promised s",
                .cell = [](P p) { return seconds_bounds(p.prediction.low.gain_s, p.prediction.high.gain_s); }}},
      {.key = "realised_gain_s",
       .value = &Promise::realised_s,
       .text = {.title = "realised s",
                .cell = [](P p) { return seconds_text(p.realised_s.median); },
                .error = [](P p, ErrorColumn) { return seconds_spread(p.realised_s); }}},
      {.key = "verdict",
       .value = [](P p) { return name_of(p.kept); },
       .text = {.title = "verdict", .cell = [](P p) { return words_of(p.kept); }, .align = left}},
  };
}

} // namespace andes::postproc::columns
