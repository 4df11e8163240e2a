#include "postproc/view/noise_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/printable.h"
#include "postproc/view/columns/outliers.h"
#include "postproc/view/number.h"

namespace andes::postproc {

std::string noise_sentence(const Noise& noise) {
  if (noise.word == NoiseWord::unknown) return "Noise of the machine: unknown, it takes three runs of one size";
  std::string text = fmt::format("Noise of the machine: {} (repeats spread by {} %", name_of(noise.word),
                                 significant(*noise.spread_percent, 2));
  if (noise.steal_percent)
    text += fmt::format("; the hypervisor kept {} % of the processor time", significant(*noise.steal_percent, 2));
  return text + ")";
}

std::vector<std::string> outlier_sentences(const Noise& noise) {
  constexpr std::size_t most = 5;
  std::vector<Outlier> outliers = noise.outliers;
  std::stable_sort(outliers.begin(), outliers.end(), [](const Outlier& a, const Outlier& b) {
    return std::fabs(a.time_s / a.median_s - 1) > std::fabs(b.time_s / b.median_s - 1);
  });
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < std::min(most, outliers.size()); ++i) {
    const Outlier& o = outliers[i];
    const bool slow = o.time_s > o.median_s;
    sentences.push_back(fmt::format("outlier: {} took {}, the median of its size is {}{}", printable(o.file),
                                    in_seconds(o.time_s), in_seconds(o.median_s),
                                    !slow               ? ""
                                    : o.reasons.empty() ? "; no reason was seen on the host of andes run"
                                                        : fmt::format("; {}", fmt::join(o.reasons, "; "))));
  }
  if (outliers.size() > most)
    sentences.push_back(fmt::format("and {} more outliers (--json lists them)", outliers.size() - most));
  return sentences;
}

Json noise_json(const Noise& noise) {
  Json json{{"word", name_of(noise.word)}};
  set(json, "spread_percent", noise.spread_percent);
  set(json, "steal_percent", noise.steal_percent);
  json["outliers"] = json_rows(columns::outliers(), noise.outliers);
  return json;
}

} // namespace andes::postproc
