// How estimated times look: marks and intervals in tables, and the lines below a table that explain
// them. ASCII alone: "~12.3" is estimated, "?12.3" is estimated and not reliable, ">=400" visits
// are those until the function was muted. Exact values look as if there were no sampling.
#pragma once
#include <string>

#include "postproc/analysis/sampling.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// "~" or "?" before the text of an estimated value; "?" alone, where nothing was timed that could be believed or not.
std::string marked(std::string text, const SamplingError& error);

/// ">=" before visits that were not counted to the end. Numbers of visits that windows estimate, which may be `above`
/// more, have three digits and the mark of their time.
std::string visits_text(double visits, double above, const SamplingError& time_error, bool muted);

/// What an interval column shows, depending on the room there is.
enum class ErrorColumn { interval, half, none };

/// Of a time: "[11.90, 12.80]", or the larger half in per cent of the time: "4.1"; nothing without
/// an interval, or for `none`.
std::string time_error_text(double value, const SamplingError& error, ErrorColumn column);

/// Of a percentage: "[8.5, 10.0]", or the larger half in the same unit: "0.4".
std::string percent_error_text(double value, const SamplingError& error, ErrorColumn column);

/// How the table above the notes shows errors and muted call paths.
struct TableMarks {
  std::string errors, muted;
};

/// Lines, each behind `margin`: what was sampled, is not reliable, was muted (with the selection
/// that leaves it out) or did not fit. Empty when every visit was timed.
std::string sampling_notes(const Terminal& terminal, const Sampling& sampling, const TableMarks& marks,
                           const std::string& margin);

/// What the tool took `where` (" at 4 ranks"), and of what budget. Empty for runs without one.
std::string tool_cost_text(const Terminal& terminal, const ToolCost& cost, const std::string& where);

} // namespace andes::postproc
