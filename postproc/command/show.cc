// andes show RUN: the call tree of one run, its ranks, or one rank's own tree.
#include "postproc/command/show.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>

#include "postproc/analysis/flat.h"
#include "postproc/analysis/phases.h"
#include "postproc/command/page.h"
#include "postproc/command/reading.h"
#include "postproc/command/subcommand.h"
#include "postproc/model/read_events.h"
#include "postproc/model/read_run.h"
#include "postproc/view/formats.h"

namespace andes::postproc {
namespace {

struct ShowOptions {
  std::string run;
  std::vector<int> ranks;
  double cut_percent = 1;
  std::string sort = "time";
  std::string format;
  bool threads = false, phases = false, flat = false;
  std::string function; // name; empty: all
  PageOptions page;
};

TreeOrder order_of(const Profile& profile, const std::string& key) {
  if (key == "time") return {};
  if (key == "ipc" && cycle_events(profile.events)) return {TreeOrder::By::instructions_per_cycle};
  const auto found = std::find(profile.events.begin(), profile.events.end(), key);
  if (found != profile.events.end())
    return {TreeOrder::By::event, static_cast<std::size_t>(found - profile.events.begin())};
  std::string keys = "time";
  if (cycle_events(profile.events)) keys += ", ipc";
  for (const std::string& event : profile.events) keys += ", " + event;
  refuse(profile.file, fmt::format("it cannot be sorted by {}", key), "give one of: " + keys);
}

void show(const ShowOptions& options) {
  require_one_result(options.page, options.format);
  if (!options.page.file.empty()) {
    if (!options.ranks.empty() || options.threads || options.phases || options.flat || !options.function.empty())
      refuse("--html", "a page has all ranks, and functions by call path", "give it without other choices");
    write_page(options.page, runs_page({options.run}, options.page.sources));
    return;
  }
  ShownRun shown{.profile = read_run(options.run, Detail::tree),
                 .tree = {},
                 .ranks = {},
                 .flat = {},
                 .parts = {options.cut_percent, options.threads}};
  Profile& profile = shown.profile;
  if (options.phases && !options.ranks.empty())
    refuse("--phases with --rank", "the steps of phases are only kept as sums over all ranks", "give one of the two");
  if (options.phases) profile = with_steps_apart(profile);
  if (options.format != "text") require_documents(profile);
  const TreeOrder order = order_of(profile, options.sort);
  const std::set<int> unique(options.ranks.begin(), options.ranks.end());
  const std::vector<int>& ranks = shown.ranks = {unique.begin(), unique.end()};
  const std::vector<Statistic> statistics = ranks.empty() ? profile.statistics : statistics_of_ranks(profile, ranks);
  Tree& tree = shown.tree = tree_of(profile, statistics, ranks);
  sort_children(tree, order);
  tree.event_totals = event_totals(profile);
  if (has_overlap(tree)) tree.overlaps = overlaps_of_ranks(profile);
  if (options.format == "json") {
    tree.sent = sent_messages(profile);
    tree.wait_pairs = wait_pairs(profile);
    if (!ranks.empty()) {
      std::erase_if(tree.sent, [&](const SentMessages& entry) { return !unique.contains(entry.source); });
      std::erase_if(tree.wait_pairs, [&](const WaitPair& pair) { return !unique.contains(pair.rank); });
    }
  }
  if (!options.function.empty()) shown.flat = {{}, {}, {}, calls_of(profile, statistics, tree, options.function)};
  else if (options.flat) shown.flat = flat_profiles(profile, statistics, tree);
  print_as(options.format, show_formats(), shown);
}

} // namespace

void add_show(CLI::App& app) {
  const Subcommand command(app, "show", "Show one run: its call tree and its ranks");
  const auto options = std::make_shared<ShowOptions>();
  command.option("run", options->run, "Run file").required();
  command.option("--rank", options->ranks, "Only these ranks: R,...");
  command
      .option("--cut", options->cut_percent,
              "Leave out call paths and functions below this per cent of p x T (default 1)")
      .range(0, 100);
  command.option("--sort", options->sort,
                 "Order of call paths below their caller: time (default), ipc, or an event that was counted");
  const Option threads = command.flag("--threads", options->threads, "One line for every thread of the ranks");
  command.flag("--flat", options->flat, "Sums by function, by file and by group of MPI calls, not by call path")
      .excludes(threads);
  command.option("--function", options->function, "The callers and callees of this function").excludes(threads);
  command.flag("--phases", options->phases, "Show the steps of phases separately");
  add_page_options(command, options->page);
  command.explains();
  command.formats(options->format, show_formats());
  command.does([options] { show(*options); });
}

} // namespace andes::postproc
