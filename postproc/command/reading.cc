// Messages of the reading commands go to standard error, results alone to standard output.
#include "postproc/command/reading.h"

#include <filesystem>

#include "common/message.h"
#include "postproc/model/read_run.h"
#include "postproc/model/run_files.h"

namespace andes::postproc {
namespace {

bool is_named(const Profile& run, const std::string& word) {
  constexpr std::size_t least_digits = 7;
  return fact_text(run, "label") == word || (word.size() >= least_digits && fact_text(run, "commit").starts_with(word));
}

} // namespace

void print_skipped(const Refusal& trouble) { say("{}: {}; skipped", trouble.object, trouble.fact); }

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

std::vector<std::string> runs_named(const std::string& word) {
  std::error_code none;
  if (std::filesystem::exists(word, none) || !std::filesystem::is_directory("runs", none)) return {word};
  std::vector<std::string> named;
  for (const std::string& file : run_files({"runs"})) {
    try {
      if (is_named(read_run(file, Detail::totals), word)) named.push_back(file);
    } catch (const Refusal&) { // no run: it is not asked for
    }
  }
  return named.empty() ? std::vector{word} : named;
}

} // namespace andes::postproc
