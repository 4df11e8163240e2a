// The machine's noise and the outliers of a report.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/noise.h"
#include "postproc/view/json.h"

namespace andes::postproc {

/// "Noise of the machine: usual (repeats spread by 2.1 %, ...)".
std::string noise_sentence(const Noise& noise);

/// A sentence for each outlier; of many, the worst and how many others there are.
std::vector<std::string> outlier_sentences(const Noise& noise);

Json noise_json(const Noise& noise);

} // namespace andes::postproc
