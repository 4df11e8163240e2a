#include "postproc/view/columns/checks.h"

namespace andes::postproc::columns {

const char* word_of(Check::Result result) {
  switch (result) {
  case Check::Result::works: return "works";
  case Check::Result::limited: return "limited";
  case Check::Result::fails: return "fails";
  }
  return "";
}

List<Check> checks() {
  return List<Check>{{.key = "subject", .value = &Check::subject},
                     {.key = "result", .value = [](const Check& check) { return word_of(check.result); }},
                     {.key = "fact", .value = &Check::fact},
                     {.key = "remedy", .value = [](const Check& check) { return known(check.remedy); }}};
}

} // namespace andes::postproc::columns
