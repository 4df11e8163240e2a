#include "postproc/model/kept_in_log.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace andes::postproc {
namespace {

constexpr double most_level = 63; // what else a damaged file may say

double one_in(double level) { return std::exp2(std::clamp(level, 0.0, most_level)); }

std::string kept_text(double one_in, const char* what) {
  return one_in > 1 ? fmt::format("1 {} in {:.0f}", what, one_in) : fmt::format("all {}s", what);
}

} // namespace

std::string KeptInLog::text() const {
  return kept_text(one_message_in, "message") + " and " + kept_text(one_collective_in, "collective");
}

KeptInLog kept_in_log(const Profile& profile) {
  const double messages = fact_number(profile, "log_level").value_or(0);
  // Files of before do not have it: collectives were thinned like messages.
  return {one_in(messages), one_in(fact_number(profile, "log_level_collectives").value_or(messages))};
}

} // namespace andes::postproc
