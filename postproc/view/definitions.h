// Definitions: what the words of reports mean, as docs/metrics.md and docs/rules.md say it. The program has both pages.
#pragma once
#include <string>
#include <string_view>

#include "postproc/view/terminal.h"

namespace andes::postproc {

/// What `word` means: the title of a section, a term that a page defines, a key of JSON or CSV, the name of a cause.
/// Upper case, lines and hyphens between words make no difference, and a beginning of a word is enough if nothing
/// else has it. Throws Refusal, with the words that are near, if there is none or more than one.
std::string definition_text(const Terminal& terminal, const std::string& word);

/// The same from other pages: `metrics` with terms ("- **term**: ...") in sections and the table of columns, `rules`
/// with the table of causes.
std::string definition_text(const Terminal& terminal, const std::string& word, std::string_view metrics,
                            std::string_view rules);

} // namespace andes::postproc
