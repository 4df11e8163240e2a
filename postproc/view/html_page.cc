#include "postproc/view/html_page.h"

#include <stdexcept>
#include <string_view>

#include "postproc/view/packed.h"
#include "postproc/view/pages.h"

namespace andes::postproc {
namespace {

/// In the place of a mark of the bundle.
void put(std::string& page, std::string_view mark, const std::string& text) {
  const std::size_t at = page.find(mark);
  if (at == page.npos) throw std::logic_error("the bundle of the page has no " + std::string(mark));
  page.replace(at, mark.size(), text);
}

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
    case '&': html += "&amp;"; break;
    case '<': html += "&lt;"; break;
    case '>': html += "&gt;"; break;
    default: html += c;
    }
  }
  return html;
}

/// JSON without "<", which could end the element that it stands in.
std::string without_markup(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<') text += "\\u003c";
    else text += c;
  }
  return text;
}

} // namespace

std::string html_page(const std::string& title, const Json& manifest, const std::vector<PagePart>& parts) {
  std::string content =
      "<script type=\"application/json\" id=\"andes-manifest\">" + without_markup(manifest) + "</script>\n";
  for (const PagePart& part : parts)
    content += "<script type=\"text/plain\" id=\"andes-" + part.name + "\">" + packed(part.content) + "</script>\n";
  std::string page(html_bundle);
  put(page, "@ANDES_TITLE@", html_text(title));
  put(page, "@ANDES_PARTS@", content);
  return page;
}

} // namespace andes::postproc
