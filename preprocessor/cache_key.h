// A compiler cache in front (`ccache andes cc gcc ...`) identifies the input of a command by its preprocessed
// text, and takes andes for the compiler. But the result depends on more than the text, andes' path and the words
// of the command: on the selection, on settings in the environment, on the real compiler. So the answer to such a
// query gets a last line for these: a line marker, which makes ccache leave its direct mode. A cache behind `andes
// cc` finds objects again because the directory of copies is named after the command.
#pragma once
#include <string>
#include <vector>

#include "common/settings.h"
#include "preprocessor/command.h"
#include "preprocessor/process.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// Whether the command is such a query: only preprocessing, under ccache.
bool asks_for_cache_key(const CompilerCommand& command);

/// Runs the query, appends the line to its output, and returns the exit status. `said`: all explicit settings.
int answer_with_key(const std::vector<std::string>& as_written, const CompilerCommand& command, const Settings& said,
                    const Selection& selection);

} // namespace andes::preprocessor
