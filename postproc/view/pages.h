// Pages of the documentation, and the bundle of the page of HTML, that are part of the program; made by pages.cmake.
#pragma once
#include <string_view>

namespace andes::postproc {

extern const std::string_view metrics_page; // docs/metrics.md
extern const std::string_view rules_page;   // docs/rules.md
extern const std::string_view html_bundle;  // page/built/page.html

} // namespace andes::postproc
