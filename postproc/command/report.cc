// andes report RUN|DIR...: the four steps of the ANDES method over a series of runs.
#include "postproc/command/report.h"

#include <memory>
#include <optional>

#include "postproc/analysis/report.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

// Resampled apart from the series itself, see read_series.
constexpr unsigned sequential_stream = 1u << 30;

struct Options {
  std::vector<std::string> runs;
  std::string sequential;
  std::string format = "text";
  bool oversubscribed_ok = false, force = false, full = false;
};

void report(const Options& options) {
  const Series series = series_of(options.runs, options.force);
  std::optional<Series> sequential;
  if (!options.sequential.empty()) sequential = series_of({options.sequential}, options.force, sequential_stream);
  const Report result = report_of(series, sequential ? &*sequential : nullptr, options.oversubscribed_ok);
  if (options.format == "json") print(report_json(result));
  else if (options.format == "csv") print(report_csv(result));
  else print(report_text(standard_output(), result, options.full));
}

} // namespace

void add_report(CLI::App& app) {
  const Subcommand command(app, "report",
                           "Report on a series of runs: speedup, its limit, and where to put the effort");
  const auto options = std::make_shared<Options>();
  command.option("runs", options->runs, "Run files, or directories of them").required();
  command.option("--sequential", options->sequential,
                 "Run (or directory of repeats) of the best sequential program, used as base");
  command.flag("--oversubscribed-ok", options->oversubscribed_ok,
               "Use runs with more ranks than cores like other runs");
  command.flag("--full", options->full, "All tables and definitions");
  command.flag("--force", options->force, "Mix runs of different programs or arguments");
  command.explains();
  command.formats(options->format,
                  {{"json", "Print the JSON document"}, {"csv", "Print the points and the routines as CSV"}});
  command.does([options] { report(*options); });
}

} // namespace andes::postproc
