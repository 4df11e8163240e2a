// Pages of the documentation that are part of the program; made by pages.cmake.
#pragma once
#include <string_view>

namespace andes::postproc {

extern const std::string_view metrics_page; // docs/metrics.md
extern const std::string_view rules_page;   // docs/rules.md

} // namespace andes::postproc
