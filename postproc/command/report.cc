// andes report RUN|DIR...: the four steps of the ANDES method over a series of runs.
#include "postproc/command/report.h"

#include <filesystem>
#include <memory>
#include <optional>

#include "common/message.h"
#include "postproc/analysis/report.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/view/overview_view.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

// Resampled apart from the series itself, see read_series.
constexpr unsigned sequential_stream = 1u << 30;

// Where andes run puts run files.
constexpr const char* default_directory = "runs";

struct Options {
  std::vector<std::string> runs, changes;
  std::string sequential;
  std::string format = "text";
  bool oversubscribed_ok = false, full = false;
  Mixing mixing;
};

void report(const Options& options) {
  if (options.runs.empty() && !std::filesystem::exists(default_directory))
    refuse("report", fmt::format("no runs are named, and there is no directory {} here", default_directory),
           "name run files or directories of them; andes run makes them");
  const std::vector<Series> all =
      all_series_of(options.runs.empty() ? std::vector<std::string>{default_directory} : options.runs, options.mixing);
  std::optional<Series> sequential;
  if (!options.sequential.empty())
    sequential = series_of({options.sequential}, options.mixing.force, sequential_stream);
  std::vector<Report> reports;
  for (const Series& series : all)
    reports.push_back(
        report_of(series, sequential ? &*sequential : nullptr, options.oversubscribed_ok, options.changes));
  if (options.format == "json") print(reports_json(reports));
  else if (options.format == "csv") print(reports_csv(reports));
  else print(reports_text(standard_output(), reports, options.full));
}

} // namespace

void add_report(CLI::App& app) {
  const Subcommand command(app, "report",
                           "Report on a series of runs: speedup, its limit, and where to put the effort");
  const auto options = std::make_shared<Options>();
  command.option("runs", options->runs, "Run files, or directories of them (default: runs)");
  command.option("--sequential", options->sequential,
                 "Run (or directory of repeats) of the best sequential program, used as base");
  command.flag("--oversubscribed-ok", options->oversubscribed_ok,
               "Use runs with more ranks than cores like other runs");
  command
      .repeated_option("--if", options->changes,
                       "What would be gained: 'NAME xK' (K times faster), 'balance NAME', 'parallel NAME' or 'no-wait "
                       "NAME'; several of them together")
      .value_name("CHANGE");
  command.flag("--full", options->full, "All tables and definitions");
  command.flag("--force", options->mixing.force, "Mix runs of different programs or arguments");
  command.flag("--weak", options->mixing.weak,
               "The problem grew with the ranks: runs of a program with different arguments are one weak sweep");
  command.explains();
  command.formats(options->format,
                  {{"json", "Print the JSON document"}, {"csv", "Print the points and the routines as CSV"}});
  command.does([options] { report(*options); });
}

} // namespace andes::postproc
