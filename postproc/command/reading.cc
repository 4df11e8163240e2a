// Messages of the reading commands go to standard error, results alone to standard output.
#include "postproc/command/reading.h"

#include <cstdio>
#include <fmt/format.h>

#include "postproc/model/run_files.h"
#include "common/printable.h"

namespace andes {

void print_error(const BadInput& trouble) { fmt::print(stderr, "{}\n", printable(trouble.what())); }

void print_skipped(const BadInput& trouble) {
  fmt::print(stderr, "andes: {}; skipped\n", printable(trouble.object + ": " + trouble.fact));
}

std::vector<std::string> given_run_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files = run_files(arguments);
  if (files.empty())
    throw BadInput(arguments.front(), "no run files (*.andes) in it", "make some with andes run");
  return files;
}

Series series_of(const std::vector<std::string>& arguments, bool force, unsigned stream) {
  return read_series(given_run_files(arguments), force, print_skipped, stream);
}

} // namespace andes
