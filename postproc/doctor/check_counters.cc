// Counters: PAPI is asked as the monitor asks it, for what a report uses.
#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "monitor/counters/counters.h"
#include "postproc/doctor/machine_checks.h"

namespace andes::postproc {

Check check_counters() {
  const auto counters = std::make_unique<monitor::Counters>();
  monitor::choose_counters(*counters, "PAPI_TOT_INS,PAPI_TOT_CYC", "");
  const monitor::CountedEvent* const event =
      std::find_if(counters->events, counters->events + counters->wanted, [](const auto& one) { return !one.counted; });
  if (event == counters->events + counters->wanted)
    return {"counters", Check::Result::works,
            "PAPI counts instructions and cycles (--set counters=PAPI_TOT_INS,PAPI_TOT_CYC)"};
  const std::string trouble = event->trouble; // "fact; remedy"
  const std::size_t between = trouble.rfind("; ");
  return {"counters", Check::Result::limited, fmt::format("{}: {}", event->name, trouble.substr(0, between)),
          between == std::string::npos ? "" : trouble.substr(between + 2)};
}

} // namespace andes::postproc
