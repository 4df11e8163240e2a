// What the plug-in has to tell `andes cc`: the answer to its request.
#pragma once
#include "preprocessor/pipeline.h"

namespace andes::preprocessor::plugin {

/// Appends to the answer of the request what concerns the source at `path`: lines for the user, with `explain` a row
/// for each function and block.
void answer(const Regions& regions, const std::string& path, const Decisions& decisions, bool explain);

} // namespace andes::preprocessor::plugin
