// The file is written whole or not at all; a summary goes to standard error, as the selection may
// go to standard output.
#include "postproc/command/filter.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "common/whole_file.h"
#include "postproc/analysis/exclusions.h"
#include "postproc/command/subcommand.h"
#include "postproc/model/read_run.h"
#include "postproc/model/run_files.h"
#include "postproc/view/number.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

struct FilterOptions {
  std::vector<std::string> runs;
  std::string out;
  double cost_percent = 100;
};

void filter(const FilterOptions& options) {
  std::vector<Profile> runs;
  for (const std::string& file : given_run_files(options.runs)) runs.push_back(read_run(file, Detail::tree));
  // What they spawn may be another program.
  if (!std::ranges::all_of(runs, is_spawned)) std::erase_if(runs, is_spawned);
  const Exclusions exclusions = exclusions_of(runs, options.cost_percent);
  const std::string text = selection_text(runs, exclusions, options.cost_percent, options.out);
  if (options.out.empty()) print(text);
  else if (const std::string reason = write_whole(options.out, text); !reason.empty())
    refuse(options.out, "cannot be written (" + reason + ")", "choose another place with -o");
  const std::size_t count = exclusions.functions.size();
  const auto functions = [](std::size_t number) {
    return fmt::format("{} function{}", number, number == 1 ? "" : "s");
  };
  if (!exclusions.any_function)
    fmt::print(stderr,
               "andes: {}: nothing to leave out, as no function of this program has a probe; build it with andes cc\n",
               printable(runs[0].file));
  else if (count > 0)
    fmt::print(stderr, "andes: {}: {} to leave out; the probes cost {} % of p x T\n",
               options.out.empty() ? "filter" : printable(options.out), functions(count),
               fixed(exclusions.saved_percent, 2));
  else if (exclusions.nameless == 0)
    fmt::print(stderr, "andes: {}: nothing to leave out, as every probe is worth its cost\n", printable(runs[0].file));
  if (exclusions.nameless > 0)
    fmt::print(stderr, "andes: {}: {} to leave out {} no name for a selection; build with -g, and do not strip\n",
               printable(runs[0].file), functions(exclusions.nameless), exclusions.nameless == 1 ? "has" : "have");
}

} // namespace

void add_filter(CLI::App& app) {
  const Subcommand command(app, "filter", "Write a selection without the functions whose probes cost too much");
  const auto options = std::make_shared<FilterOptions>();
  command.option("runs", options->runs, "Run files of one build, or directories of them").required();
  command.option("-o", options->out, "Selection file to write (default: standard output)").value_name("FILE");
  command
      .option("--cost", options->cost_percent,
              "Leave out functions whose probes cost more than this per cent of their time "
              "(default 100)")
      .value_name("PERCENT")
      .above_zero();
  command.footer("Functions that call MPI, and main, are never left out. Build with the file:\n"
                 "  andes filter runs/lattice-003.andes -o hot.sel\n"
                 "  andes cc --select hot.sel mpicxx -O2 lattice.cc -o lattice");
  command.does([options] { filter(*options); });
}

} // namespace andes::postproc
