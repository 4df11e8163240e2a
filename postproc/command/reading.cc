// Messages of the reading commands go to standard error, results alone to standard output.
#include "postproc/command/reading.h"

#include "common/message.h"
#include "postproc/model/run_files.h"

namespace andes::postproc {

void print_skipped(const Refusal& trouble) { say("{}: {}; skipped", trouble.object, trouble.fact); }

std::vector<std::string> given_run_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files = run_files(arguments);
  if (files.empty()) refuse(arguments.front(), "it contains no run files (*.andes)", "andes run writes them");
  return files;
}

std::vector<Series> all_series_of(const std::vector<std::string>& arguments, const Mixing& mixing) {
  return read_all_series(given_run_files(arguments), mixing, print_skipped);
}

Series series_of(const std::vector<std::string>& arguments, bool force, unsigned stream) {
  return read_series(given_run_files(arguments), force, print_skipped, stream);
}

} // namespace andes::postproc
