// A compiler cache in front (`ccache andes cc gcc ...`) finds out what a command would compile by asking
// for the preprocessed text, and takes andes for the compiler. The text, andes' path and the words of the
// command do not decide it all: so does a selection, a setting of the environment, the compiler behind.
// The answer to such a question has a last line that stands for these: a line marker, which makes ccache leave its
// direct mode. Behind `andes cc` a cache finds objects again because the directory of copies is named after the
// command.
#pragma once
#include <string>
#include <vector>

#include "common/settings.h"
#include "preprocessor/command.h"
#include "preprocessor/process.h"
#include "preprocessor/selection.h"

namespace andes {

/// Whether the command is such a question: preprocessing alone, under ccache.
bool asks_for_cache_key(const CompilerCommand& command);

/// Runs the question, adds the line to what it wrote, and returns the exit status. `said`: all settings that are said.
int answer_with_key(const std::vector<std::string>& as_written, const CompilerCommand& command,
                    const Settings& said, const Selection& selection);

} // namespace andes
