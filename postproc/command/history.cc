#include "postproc/command/history.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "common/message.h"
#include "postproc/command/history_cache.h"
#include "postproc/model/read_run.h"
#include "postproc/model/run_files.h"
#include "postproc/view/formats.h"

namespace andes::postproc {
namespace {

/// The commits of the runs in git's order. It is asked for the time since the oldest; where times of commits do not
/// follow the order, for all.
std::vector<std::string> order_of(const std::vector<HistoryRun>& runs, const std::string& repository) {
  std::set<std::string> wanted;
  std::string oldest;
  for (const HistoryRun& run : runs) {
    if (run.stamp.commit.empty()) continue;
    wanted.insert(run.stamp.commit);
    if (oldest.empty() || run.stamp.commit_time < oldest) oldest = run.stamp.commit_time;
  }
  const std::vector<std::string> all(wanted.begin(), wanted.end());
  std::vector<std::string> order = commits_in_order(repository, all, oldest);
  const std::set<std::string> found(order.begin(), order.end());
  if (order.empty() || std::includes(found.begin(), found.end(), wanted.begin(), wanted.end())) return order;
  return commits_in_order(repository, all, "");
}

BuildTree read_tree(const HistoryRun& run) {
  BuildTree tree;
  add_run(tree, read_run(run.file, Detail::tree));
  return tree;
}

CommitsBetween commits_of_changes(const History& history, const std::string& repository) {
  constexpr std::size_t most = 50;
  CommitsBetween between;
  for (const HistoryGroup& group : history.groups)
    for (const HistoryChange& change : group.changes) {
      const auto ends = ends_of(group, change);
      if (group.by_git && !between.contains(ends))
        between[ends] = commits_between(repository, ends.first, ends.second, most);
    }
  return between;
}

} // namespace

void add_history_options(const Subcommand& command, HistoryOptions& options) {
  command
      .option("--history", options.directory,
              "The runs of many commits in DIR instead: where did the time change, by how much, and what?")
      .value_name("DIR");
  command.option("--branch", options.branch, "With --history: runs of this branch alone").value_name("NAME");
  command.option("--repository", options.repository, "With --history: where git knows the commits (default: here)")
      .value_name("DIR");
}

std::optional<HistoryRequest> history_request(const HistoryOptions& options, const std::vector<std::string>& runs,
                                              const std::vector<std::string>& of_series, const std::string& command) {
  const std::string remedy = command + " --history DIR";
  if (!options.directory) {
    if (options.branch || options.repository)
      refuse(options.branch ? "--branch" : "--repository", "it is of a history", remedy);
    return {};
  }
  if (!runs.empty()) refuse(runs.front(), "not expected: a history is of one directory", remedy);
  if (!of_series.empty()) refuse(of_series.front(), "a history does not have it", "leave it out");
  if (options.repository && !std::filesystem::is_directory(*options.repository))
    refuse("--repository " + *options.repository, "there is no such directory", "name that of the sources");
  return HistoryRequest{*options.directory, options.repository.value_or("."), options.branch.value_or("")};
}

Histories histories_of(const HistoryRequest& request) {
  std::vector<HistoryRun> runs = history_runs(request.directory, given_run_files({request.directory}));
  if (!request.branch.empty()) {
    std::erase_if(runs, [&](const HistoryRun& run) { return run.stamp.branch != request.branch; });
    if (runs.empty())
      refuse(request.directory, fmt::format("no run is of the branch {}", request.branch),
             "andes report --history without --branch names the branches");
  }
  const std::vector<std::string> order = order_of(runs, request.repository);
  Histories results{history_of(std::move(runs), order, read_tree), {}, false};
  results.between = commits_of_changes(results.history, request.repository);
  return results;
}

void report_history(const HistoryRequest& request, const std::string& format, bool full, const PageOptions& page) {
  require_one_result(page, format);
  const auto& formats = history_formats();
  if (std::none_of(formats.begin(), formats.end(),
                   [&](const Format<Histories>& one) { return one.name.name == format; }))
    refuse("--format " + format, "a history does not have it", "give text or json");
  Histories results = histories_of(request);
  results.full = full;
  if (!page.file.empty()) return write_page(page, history_page(results));
  print_as(format, formats, results);
}

} // namespace andes::postproc
