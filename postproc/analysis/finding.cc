#include "postproc/analysis/finding.h"

#include <algorithm>
#include <utility>

#include "postproc/analysis/rounding.h"

namespace andes::postproc {

double effect_of(const Finding& finding) {
  const double twice = finding.gain.low_s + finding.gain.high_s;
  return twice > 0 ? two_digits(twice) : twice;
}

Place place_of(const Profile& profile, int callpath) {
  for (int at = callpath; at >= 0; at = profile.callpaths[static_cast<std::size_t>(at)].parent) {
    const CallPath& path = profile.callpaths[static_cast<std::size_t>(at)];
    const Region& region = profile.regions[static_cast<std::size_t>(path.region)];
    if (region.line > 0) return {region.file, region.line};
  }
  return {};
}

void sort_by_effect(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return effect_of(a) != effect_of(b) ? effect_of(a) > effect_of(b) : a.severity_s > b.severity_s;
  });
  std::vector<Finding> sorted;
  std::vector<bool> taken(findings.size());
  const auto take = [&](const auto& self, std::size_t number) -> void {
    taken[number] = true;
    const FindingName name = {findings[number].cause, findings[number].path};
    sorted.push_back(std::move(findings[number]));
    for (std::size_t i = 0; i < findings.size(); ++i)
      if (!taken[i] && findings[i].follows == name) self(self, i);
  };
  const auto first_cause = [&](std::size_t number) { // that of a chain of findings
    for (std::size_t steps = 0; steps < findings.size() && findings[number].follows; ++steps) {
      const auto cause = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
        return FindingName{f.cause, f.path} == *findings[number].follows;
      });
      if (cause == findings.end() || taken[static_cast<std::size_t>(cause - findings.begin())]) break;
      number = static_cast<std::size_t>(cause - findings.begin());
    }
    return number;
  };
  // A finding with a large effect takes its cause along.
  for (std::size_t i = 0; i < findings.size(); ++i)
    while (!taken[i]) take(take, first_cause(i));
  findings = std::move(sorted);
}

std::size_t split_findings(std::vector<Finding>& findings, double threshold_percent) {
  const auto rest = std::stable_partition(findings.begin(), findings.end(),
                                          [&](const Finding& f) { return f.percent >= threshold_percent; });
  return static_cast<std::size_t>(rest - findings.begin());
}

} // namespace andes::postproc
