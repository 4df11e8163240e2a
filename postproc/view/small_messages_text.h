// Call paths that send many small messages, for people.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/small_messages.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Where they are sent, what they cost, and what to do: a sentence without a margin.
std::string small_messages_sentence(const SmallMessages& one);

/// A paragraph for each of them; empty without any.
std::string small_messages_text(const Terminal& terminal, const std::vector<SmallMessages>& all, int indent);

} // namespace andes::postproc
