// andes recover [DIR...]. The work is done in monitor/recover, which has the monitor's structures.
#include "postproc/command/recover.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>

#include "common/message.h"
#include "monitor/recover/found_jobs.h"
#include "monitor/recover/jobs.h"
#include "monitor/recover/recover.h"
#include "postproc/command/subcommand.h"
#include "postproc/launch/installation.h"
#include "postproc/view/format.h"

namespace andes::postproc {
namespace {

using Json = nlohmann::ordered_json;

struct RecoverOptions {
  std::vector<std::string> directories;
  std::string out;
  bool keep = false;
  std::string format;
};

std::string bytes_text(std::uint64_t bytes) {
  return bytes < 10'000'000 ? fmt::format("{} kB", (bytes + 999) / 1000)
                            : fmt::format("{} MB", (bytes + 999'999) / 1'000'000);
}

std::string state_text(const monitor::FoundJob& job) {
  if (job.alive == job.ranks) return "running";
  if (job.alive > 0) return fmt::format("{} of {} running", job.alive, job.ranks);
  return "ended " + job.last_change;
}

/// What was asked for: the jobs that are there, or what was made of some.
using Results = std::variant<std::vector<monitor::FoundJob>, monitor::Recovery>;

Json jobs_json(const std::vector<monitor::FoundJob>& jobs) {
  Json list = Json::array();
  for (const monitor::FoundJob& job : jobs)
    list.push_back({{"directory", job.directories.front()},
                    {"directories", job.directories},
                    {"program", printable(job.program)},
                    {"ranks", job.ranks},
                    {"job_ranks", job.job_ranks},
                    {"alive", job.alive},
                    {"last_change", job.last_change},
                    {"bytes", job.bytes},
                    {"unreadable", job.unreadable}});
  return {{"schema", 1}, {"jobs", list}};
}

std::string job_text(const monitor::FoundJob& job) {
  std::vector<std::string> facts;
  if (!job.program.empty()) facts.push_back(printable(job.program));
  const int of = std::max(job.ranks, job.job_ranks);
  if (job.ranks > 0) facts.push_back(fmt::format("{} of {} rank{}", job.ranks, of, of == 1 ? "" : "s"));
  if (job.ranks > 0) facts.push_back(state_text(job));
  if (job.unreadable > 0)
    facts.push_back(fmt::format("{} unreadable arena{}", job.unreadable, job.unreadable == 1 ? "" : "s"));
  facts.push_back(bytes_text(job.bytes));
  return fmt::format("{}  {}\n", printable(fmt::format("{}", fmt::join(job.directories, " "))), fmt::join(facts, "; "));
}

Json recovery_json(const monitor::Recovery& recovery) {
  Json files = Json::array(), troubles = Json::array();
  for (const monitor::RecoveredFile& file : recovery.files)
    files.push_back({{"file", file.path},
                     {"ranks", file.ranks},
                     {"job_ranks", file.job_ranks},
                     {"live", file.live},
                     {"complete", file.complete},
                     {"hang", file.hang},
                     {"lines", file.lines}});
  for (const Refusal& trouble : recovery.troubles) troubles.push_back(trouble.what());
  return {{"schema", 1}, {"files", files}, {"troubles", troubles}};
}

std::string file_text(const monitor::RecoveredFile& file) {
  const std::string what = file.live       ? "a snapshot; the job is still running"
                           : file.complete ? "complete"
                                           : "incomplete";
  std::string text = fmt::format("{}: {} of {} rank{}, {}\n", printable(file.path), file.ranks, file.job_ranks,
                                 file.job_ranks == 1 ? "" : "s", what);
  for (const std::string& line : file.hang) text += fmt::format("  {}\n", printable(line));
  constexpr std::size_t most_lines = 12;
  for (std::size_t i = 0; i < std::min(file.lines.size(), most_lines); ++i)
    text += fmt::format("  {}\n", printable(file.lines[i]));
  if (file.lines.size() > most_lines)
    text += fmt::format("  and {} more; andes show {} lists the ranks\n", file.lines.size() - most_lines,
                        printable(file.path));
  return text;
}

std::string results_json(const Terminal&, const Results& results) {
  const auto* jobs = std::get_if<std::vector<monitor::FoundJob>>(&results);
  const Json json = jobs ? jobs_json(*jobs) : recovery_json(std::get<monitor::Recovery>(results));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string results_text(const Terminal&, const Results& results) {
  std::string text;
  if (const auto* jobs = std::get_if<std::vector<monitor::FoundJob>>(&results)) {
    if (jobs->empty())
      return fmt::format("there are no jobs to recover in {}\n", fmt::join(monitor::known_places(), ", "));
    for (const monitor::FoundJob& job : *jobs) text += job_text(job);
    return text;
  }
  for (const monitor::RecoveredFile& file : std::get<monitor::Recovery>(results).files) text += file_text(file);
  return text;
}

const Formats<Results> formats = {{{"text"}, results_text}, {{"json", "Print the JSON document"}, results_json}};

int recover_jobs(const RecoverOptions& options) {
  if (options.directories.empty()) {
    if (!options.out.empty() || options.keep)
      refuse("recover", "a directory is missing", "andes recover without options lists them");
    print_as(options.format, formats, Results(monitor::found_jobs(monitor::known_places())));
    return 0;
  }
  monitor::RecoverRequest request;
  request.directories = monitor::whole_jobs(options.directories, monitor::known_places());
  request.out = options.out;
  request.keep = options.keep;
  request.tell = [](const std::string& line) { say("{}", printable(line)); };
  request.libraries = std::filesystem::path(find_installation().library).parent_path().string();
  const Results results = recover(request);
  const auto& recovery = std::get<monitor::Recovery>(results);
  for (const Refusal& trouble : recovery.troubles) say("{}", trouble.what());
  print_as(options.format, formats, results);
  return recovery.troubles.empty() ? 0 : 2;
}

} // namespace

void add_recover(CLI::App& app, int& status) {
  const Subcommand command(app, "recover", "Make a run file from the arenas of a killed or running job");
  const auto options = std::make_shared<RecoverOptions>();
  command.option("directories", options->directories,
                 "Directory of the job's arenas; several if they come from several hosts; without one, list the jobs");
  command.option("-o,--out", options->out, "Name of the run file (default: from the job's setting out)")
      .value_name("FILE");
  command.flag("--keep", options->keep, "Leave the arenas where they are");
  command.formats(options->format, formats);
  command.does([options, &status] { status = recover_jobs(*options); });
}

} // namespace andes::postproc
