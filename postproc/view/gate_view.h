// The result of a gate written down: for people, as JSON, as JUnit's XML for a CI server, as Markdown for a merge
// request.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/gate.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

std::string gate_text(const Terminal& terminal, const Gate& gate);
std::string gate_json(const Gate& gate);
/// A test suite with a test for each size: failed is a regression, skipped is undecided, an error that it could not be
/// run.
std::string gate_junit(const Gate& gate);
std::string gate_markdown(const Gate& gate);

/// The pieces that these share.
/// "p = 2", "p = 2, t = 4".
std::string size_words(const GatedSize& size);
/// "+6.1 % [+4.9, +7.3]".
std::string change_words(const Shift& log_change);
/// What was found at a size, in a sentence without a full stop.
std::string verdict_sentence(const Gate& gate, const GatedSize& size);
/// The call path and term that a regression is due to, in a sentence; empty: nothing became longer.
std::string cause_sentence(const GatedSize& size);
/// Doubts, what would decide an undecided gate, notes, controls: a sentence each.
std::vector<std::string> remarks(const Gate& gate, const GatedSize& size);

} // namespace andes::postproc
