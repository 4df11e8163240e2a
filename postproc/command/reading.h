// What the reading commands share: from arguments to series, and from BadInput to a message.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/series.h"

namespace andes {

/// Run files that the arguments name. Throws BadInput when there are none.
std::vector<std::string> given_run_files(const std::vector<std::string>& arguments);

/// Says on standard error that a run is passed over.
void print_skipped(const BadInput& trouble);

/// Runs of the files and directories given. Throws BadInput when there are none.
Series series_of(const std::vector<std::string>& arguments, bool force, unsigned stream = 0);

/// Runs `command`; 0, or 2 after printing the message of a BadInput on standard error.
template <class Command> int guarded(Command command);

void print_error(const BadInput& trouble);

template <class Command> int guarded(Command command) {
  try {
    command();
    return 0;
  } catch (const BadInput& trouble) {
    print_error(trouble);
    return 2;
  }
}

} // namespace andes
