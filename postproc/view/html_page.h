// A page of HTML: the bundle that page/ makes, and documents in it. Nothing that comes from a run is markup: names
// stand in JSON, and the page's script puts them in as text (docs/page.md).
#pragma once
#include <string>
#include <vector>

#include "postproc/view/json.h"

namespace andes::postproc {

/// A document, or numbers, that the page unpacks.
struct PagePart {
  std::string name; // of letters, digits and "-"
  std::string content;
};

/// `manifest` says what the parts are.
std::string html_page(const std::string& title, const Json& manifest, const std::vector<PagePart>& parts);

} // namespace andes::postproc
