// Decides which loops, marked statements and OpenMP constructs become regions. Pure, as decide.h.
#pragma once
#include <vector>

#include "preprocessor/decide.h"
#include "preprocessor/options.h"
#include "preprocessor/pipeline.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// One decision per block, in the same order; `decided` are those of the functions. A rule of the
/// selection that names a function holds for the blocks in it too. A loop with a known number of
/// iterations and no more work than a small function gets no probe unless a rule names it. Neither
/// does the loop of an OpenMP construct with a probe.
std::vector<Decision> decide_blocks(const std::vector<Block>& blocks, const std::vector<Function>& functions,
                                    const std::vector<Decision>& decided, const Selection& selection,
                                    const Options& options, Care care = Care::normal);

/// All decisions about a source: functions and blocks.
Decisions decide_all(const Regions& regions, const Selection& selection, const Options& options,
                     Care care = Care::normal);

/// A line "FILE:LINE: fact" for each mark that cannot become a region, whatever is selected, and one
/// if that holds for all loops and OpenMP constructs. `sentinel`: how marks begin.
std::vector<std::string> unheeded_blocks(const Regions& regions, const Decisions& decisions,
                                         const char* sentinel = "#pragma andes");

} // namespace andes::preprocessor
