// Markdown as merge requests show it (https://github.github.com/gfm/): tables, and text of programs in it.
#pragma once
#include <string>
#include <string_view>

#include "postproc/view/table.h"

namespace andes::postproc {

/// Text that Markdown shows as it is: no markup, no HTML, no mention of a person or an issue.
std::string markdown_text(std::string_view text);

/// Without the columns that hold nothing.
std::string markdown_table(const Table& table);

/// Lines shown as they are.
std::string markdown_block(const std::string& lines);

} // namespace andes::postproc
