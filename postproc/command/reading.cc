// Messages of the reading commands go to standard error, results alone to standard output.
#include "postproc/command/reading.h"

#include <cstdio>
#include <fmt/format.h>

#include "postproc/model/run_files.h"

namespace andes {

void print_error(const BadInput& trouble) { fmt::print(stderr, "{}\n", trouble.what()); }

Series series_of(const std::vector<std::string>& arguments, bool force, unsigned stream) {
  const std::vector<std::string> files = run_files(arguments);
  if (files.empty())
    throw BadInput(arguments.front(), "no run files (*.andes) in it", "make some with andes run");
  return read_series(
      files, force,
      [](const BadInput& trouble) {
        fmt::print(stderr, "andes: {}: {}; skipped\n", trouble.object, trouble.fact);
      },
      stream);
}

} // namespace andes
