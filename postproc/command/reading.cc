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

void require_documents(const Profile& profile) {
  constexpr std::size_t most_names = 10'000'000;
  std::size_t names = 0;
  std::vector<std::size_t> depths;
  for (const CallPath& path : profile.callpaths) {
    depths.push_back(path.parent < 0 ? 1 : depths[static_cast<std::size_t>(path.parent)] + 1);
    names += depths.back();
  }
  if (names > most_names)
    refuse(profile.file, fmt::format("its call paths have {} names in all", names),
           "show it as text, or run it again with a smaller depth_limit");
}

} // namespace andes::postproc
