// andes show RUN: the call tree of one run, its ranks, or one rank's own tree.
#include "postproc/command/show.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "postproc/command/reading.h"
#include "postproc/model/read_run.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

struct Options {
  std::string run;
  std::vector<int> ranks;
  double cut_percent = 1;
  bool json = false, csv = false;
};

void show(const Options& options) {
  const Profile profile = read_run(options.run, Detail::tree);
  const std::set<int> unique(options.ranks.begin(), options.ranks.end());
  const std::vector<int> ranks(unique.begin(), unique.end());
  Tree tree = ranks.empty()
                  ? tree_of(profile, profile.statistics, static_cast<std::size_t>(profile.ranks))
                  : tree_of(profile, statistics_of_ranks(profile, ranks), ranks.size());
  if (has_overlap(tree)) tree.overlaps = overlaps_of_ranks(profile);
  if (options.json)
    print(show_json(profile, tree, ranks));
  else if (options.csv)
    print(show_csv(profile, tree));
  else
    print(show_text(standard_output(), profile, tree, ranks, options.cut_percent));
}

} // namespace

void add_show(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("show", "Show one run: its call tree and its ranks");
  const auto options = std::make_shared<Options>();
  command->add_option("run", options->run, "Run file")->required();
  command->add_option("--rank", options->ranks, "Only these ranks: R,...")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--cut", options->cut_percent,
                   "Leave out call paths below this per cent of p x T (default 1)")
      ->check(CLI::Range(0.0, 100.0));
  CLI::Option* json = command->add_flag("--json", options->json, "Print the JSON document");
  command->add_flag("--csv", options->csv, "Print the call paths as CSV")->excludes(json);
  command->callback([options, &status] { status = guarded([&] { show(*options); }); });
}

} // namespace andes
