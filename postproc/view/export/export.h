// Export: an output format that other tools read, whole in one file of this folder.
//
// The file COMMAND_NAME.cc (show_folded.cc) defines the variable of that name, an Export of the command's results with
// name, sentence for the help and writer; CMake collects the names of the files, formats.cc adds their formats to those
// of the command. docs/exports.md says how to open each. Formats do not register themselves by constructors: objects of
// an archive that nobody refers to are not linked.
//
// What stands in a file for another tool is written here, without that tool's library: the formats are small (some
// fields of protocol buffers, JSON), and a library would be a dependency of everybody. Results go to standard output,
// bytes not to a terminal. Cube 4 is left out: its library is packaged nowhere, and Hatchet reads what Caliper writes.
//
// Names come from the program and may hold anything: each writer escapes what its format gives a meaning. Totals are
// those of the JSON document.
#pragma once
#include <variant>

#include "postproc/view/formats.h"

namespace andes::postproc {

using Export = std::variant<Format<ShownRun>, Format<Reports>, Format<Diagnoses>, Format<Diff>, Format<Examined>,
                            Format<LiveView>>;

#define ANDES_EXPORT(NAME) extern const Export NAME;
#include "exports.inc"
#undef ANDES_EXPORT

inline const std::vector<const Export*> exports = {
#define ANDES_EXPORT(NAME) &NAME,
#include "exports.inc"
#undef ANDES_EXPORT
};

} // namespace andes::postproc
