// andes report RUN|DIR...: the four steps of the ANDES method over a series of runs.
#include "postproc/command/report.h"

#include <filesystem>
#include <memory>
#include <optional>

#include "common/message.h"
#include "postproc/analysis/axis_models.h"
#include "postproc/analysis/report.h"
#include "postproc/command/history.h"
#include "postproc/command/page.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/view/formats.h"

namespace andes::postproc {
namespace {

// Resampled apart from the series itself, see read_series.
constexpr unsigned sequential_stream = 1u << 30;

// Where andes run puts run files.
constexpr const char* default_directory = "runs";

struct ReportOptions {
  std::vector<std::string> runs, changes;
  std::string sequential;
  std::string format;
  bool oversubscribed_ok = false, full = false;
  Mixing mixing;
  PageOptions page;
  HistoryOptions history;
};

std::vector<std::string> options_of_series(const ReportOptions& options) {
  std::vector<std::string> given;
  if (!options.sequential.empty()) given.push_back("--sequential");
  if (options.oversubscribed_ok) given.push_back("--oversubscribed-ok");
  if (!options.changes.empty()) given.push_back("--if");
  if (options.mixing.force) given.push_back("--force");
  if (options.mixing.weak) given.push_back("--weak");
  if (options.page.sources) given.push_back("--source");
  return given;
}

void report(const ReportOptions& options) {
  if (const auto history = history_request(options.history, options.runs, options_of_series(options), "andes report"))
    return report_history(*history, options.format, options.full, options.page);
  require_one_result(options.page, options.format);
  if (options.runs.empty() && !std::filesystem::exists(default_directory))
    refuse("report", fmt::format("no runs are named, and there is no directory {} here", default_directory),
           "name run files or directories of them; andes run makes them");
  const std::vector<std::string> runs =
      options.runs.empty() ? std::vector<std::string>{default_directory} : options.runs;
  Reports results{.series = all_series_of(runs, options.mixing), .reports = {}, .overview = {}, .full = options.full};
  std::optional<Series> sequential;
  if (!options.sequential.empty())
    sequential = series_of({options.sequential}, options.mixing.force, sequential_stream);
  for (const Series& series : results.series)
    results.reports.push_back(
        report_of(series, sequential ? &*sequential : nullptr, options.oversubscribed_ok, options.changes));
  results.overview = overview_with_models(results.reports, results.series, options.oversubscribed_ok);
  if (options.page.file.empty()) return print_as(options.format, report_formats(), results);
  write_page(options.page, report_page(results, options.page.sources));
}

} // namespace

void add_report(CLI::App& app) {
  const Subcommand command(app, "report",
                           "Report on a series of runs: speedup, its limit, and where to put the effort");
  const auto options = std::make_shared<ReportOptions>();
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
  add_page_options(command, options->page);
  add_history_options(command, options->history);
  command.explains();
  command.formats(options->format, report_formats());
  command.does([options] { report(*options); });
}

} // namespace andes::postproc
