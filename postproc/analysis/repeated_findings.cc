#include "postproc/analysis/repeated_findings.h"

#include <algorithm>
#include <map>
#include <utility>

#include "postproc/analysis/medians.h"

namespace andes::postproc {
namespace {

double median_of_repeats(std::vector<double> values, std::size_t count) {
  values.resize(std::max(count, values.size())); // repeats without it count as zero
  return median(std::move(values));
}

struct RepeatedGain {
  std::vector<double> low, high, value;

  void add(const Gain& gain) {
    low.push_back(gain.low_s);
    high.push_back(gain.high_s);
    value.push_back(gain.value_s.value_or(0));
  }
  Gain median(std::size_t repeats) const { return {median_of_repeats(low, repeats), median_of_repeats(high, repeats)}; }
};

} // namespace

std::vector<Finding> merged_findings(const std::vector<Diagnosis>& repeats) {
  struct Repeated {
    Finding heaviest;
    std::vector<double> severity, percent;
    RepeatedGain gain;
    std::map<std::string, RepeatedGain> cures;
  };
  std::map<std::pair<std::string, std::vector<std::string>>, Repeated> by_key;
  for (const Diagnosis& diagnosis : repeats)
    for (const Finding& f : diagnosis.findings) {
      Repeated& all = by_key[{f.cause, f.path}];
      if (all.severity.empty() || f.severity_s > all.heaviest.severity_s) all.heaviest = f;
      all.severity.push_back(f.severity_s);
      all.percent.push_back(f.percent);
      all.gain.add(f.gain);
      for (const Gain& gain : f.gains) all.cures[gain.cure].add(gain);
    }
  std::vector<Finding> merged;
  for (auto& [key, all] : by_key) {
    const std::size_t found = all.severity.size();
    Finding f = std::move(all.heaviest);
    f.severity_s = median_of_repeats(std::move(all.severity), repeats.size());
    f.percent = median_of_repeats(std::move(all.percent), repeats.size());
    // The cure is chosen by the medians of each: that which suits one repeat may be another than that of the next.
    std::erase_if(f.gains, [&](const Gain& gain) { return 2 * all.cures.at(gain.cure).value.size() <= found; });
    for (Gain& gain : f.gains) {
      const RepeatedGain& cure = all.cures.at(gain.cure);
      const std::string name = gain.cure;
      gain = cure.median(repeats.size());
      gain.value_s = median_of_repeats(cure.value, repeats.size());
      gain.cure = name;
    }
    f.gain = f.gains.empty() ? all.gain.median(repeats.size()) : best_of(f.cause, f.gains);
    if (f.severity_s > 0) merged.push_back(std::move(f));
  }
  sort_by_effect(merged);
  return merged;
}

} // namespace andes::postproc
