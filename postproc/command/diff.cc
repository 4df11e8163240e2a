// andes diff BASE NEW: what changed between any two runs or directories.
#include "postproc/command/diff.h"

#include <memory>

#include "postproc/analysis/changes.h"
#include "postproc/analysis/comparison.h"
#include "postproc/command/page.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/view/formats.h"

namespace andes::postproc {
namespace {

struct DiffOptions {
  std::string before, after;
  std::vector<std::string> predicted;
  std::string format;
  double margin_percent = 3;
  bool oversubscribed_ok = false, force = false, full = false;
  PageOptions page;
};

void diff(const DiffOptions& options) {
  require_one_result(options.page, options.format);
  const Series before = series_of(runs_named(options.before), options.force);
  // Resampled apart, and in the order in which report takes the same two builds: the same figures.
  const auto after_stream = static_cast<unsigned>(before.builds.size());
  const Series after = series_of(runs_named(options.after), options.force, after_stream);
  const Build &old_build = before.builds.back(), &new_build = after.builds.back();
  if (!options.force)
    check_same_work(old_build.points.front().runs.front().profile, new_build.points.front().runs.front().profile);
  const auto size = read_common_size(old_build, new_build, options.oversubscribed_ok);
  if (!size)
    refuse(options.after, "no number of ranks in common with " + options.before,
           "run both at the same numbers of ranks");
  const Diff result{compare(old_build, new_build, *size, nullptr, options.oversubscribed_ok),
                    changes_of(old_build, new_build, options.margin_percent, &*size), options.full,
                    promises_of(old_build, new_build, *size, options.predicted, options.oversubscribed_ok)};
  if (options.page.file.empty()) return print_as(options.format, diff_formats(), result);
  write_page(options.page, diff_page(result, old_build, new_build, *size, options.page.sources));
}

} // namespace

void add_diff(CLI::App& app) {
  const Subcommand command(app, "diff", "Compare two runs or series: did it help?");
  const auto options = std::make_shared<DiffOptions>();
  command.option("before", options->before, "Run file or directory, or a label or commit of runs below runs")
      .required();
  command.option("after", options->after, "Run file or directory, or a label or commit of runs below runs").required();
  command.option("--margin", options->margin_percent, "What changes T by less than PERCENT is equal (default 3)")
      .value_name("PERCENT")
      .above_zero();
  command
      .repeated_option("--if", options->predicted,
                       "A change as of andes report --if: what BEFORE says that it would gain, and what was realised")
      .value_name("CHANGE");
  command.flag("--full", options->full, "Then step 4 of the report: causes of waiting, speedups");
  command.flag("--oversubscribed-ok", options->oversubscribed_ok,
               "Use runs with more ranks than cores like other runs");
  command.flag("--force", options->force, "Compare different programs or arguments");
  add_page_options(command, options->page);
  command.explains();
  command.formats(options->format, diff_formats());
  command.does([options] { diff(*options); });
}

} // namespace andes::postproc
