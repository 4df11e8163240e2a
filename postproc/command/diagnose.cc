// andes diagnose RUN|DIR...: why ranks wait, each run by itself.
#include "postproc/command/diagnose.h"

#include <fmt/format.h>
#include <memory>

#include "postproc/command/page.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/model/read_run.h"
#include "postproc/model/run_files.h"
#include "postproc/view/formats.h"

namespace andes::postproc {
namespace {

struct DiagnoseOptions {
  std::vector<std::string> runs;
  double threshold_percent = 1;
  bool all = false;
  std::string format;
  PageOptions page;
};

/// A run that cannot be read is passed over with a message, unless it is the only one.
std::vector<DiagnosedRun> diagnosed(const std::vector<std::string>& files) {
  std::vector<DiagnosedRun> runs;
  for (const std::string& file : files) {
    try {
      Profile profile = read_run(file, Detail::tree);
      Diagnosis diagnosis = diagnosis_of(profile);
      runs.push_back({std::move(profile), std::move(diagnosis)});
    } catch (const Refusal& trouble) {
      if (files.size() == 1) throw;
      print_skipped(trouble);
    }
  }
  if (runs.empty()) refuse(files.front(), "no run can be read", "run the program again");
  return runs;
}

void diagnose(const DiagnoseOptions& options) {
  require_one_result(options.page, options.format);
  const Diagnoses results{diagnosed(given_run_files(options.runs)), options.all ? 0 : options.threshold_percent};
  if (options.page.file.empty()) return print_as(options.format, diagnose_formats(), results);
  std::vector<std::string> files;
  for (const DiagnosedRun& run : results.runs) files.push_back(run.profile.file);
  write_page(options.page, runs_page(files, options.page.sources));
}

} // namespace

void add_diagnose(CLI::App& app) {
  const Subcommand command(app, "diagnose", "Why ranks wait: the causes, their call paths, and the possible gains");
  const auto options = std::make_shared<DiagnoseOptions>();
  command.option("runs", options->runs, "Run files, or directories of them").required();
  const Option all = command.flag("--all", options->all, "List all findings");
  command
      .option("--threshold", options->threshold_percent,
              "Only summarise findings below this per cent of p x T (default 1)")
      .range(0, 100)
      .excludes(all);
  add_page_options(command, options->page);
  command.explains();
  command.formats(options->format, diagnose_formats());
  command.does([options] { diagnose(*options); });
}

} // namespace andes::postproc
