#include "postproc/command/history.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "common/message.h"
#include "postproc/command/history_cache.h"
#include "postproc/command/reading.h"
#include "postproc/model/read_run.h"
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

Histories histories_of(const HistoryRequest& request) {
  std::vector<HistoryRun> runs = history_runs(request.directory, given_run_files({request.directory}));
  if (!request.branch.empty()) {
    std::erase_if(runs, [&](const HistoryRun& run) { return run.stamp.branch != request.branch; });
    if (runs.empty())
      refuse(request.directory, fmt::format("no run is of the branch {}", request.branch),
             "andes report --history without --branch names the branches");
  }
  const std::vector<std::string> order = order_of(runs, request.repository);
  Histories results{history_of(std::move(runs), order, read_tree), {}, request.full};
  results.between = commits_of_changes(results.history, request.repository);
  return results;
}

void report_history(const HistoryRequest& request) {
  require_one_result(request.page, request.format);
  if (request.page.sources) refuse("--source", "a page of a history has no source lines", "leave it out");
  const auto& formats = history_formats();
  if (std::none_of(formats.begin(), formats.end(),
                   [&](const Format<Histories>& format) { return format.name.name == request.format; }))
    refuse("--format " + request.format, "a history does not have it", "give text or json");
  const Histories results = histories_of(request);
  if (!request.page.file.empty()) return write_page(request.page, history_page(results));
  print_as(request.format, history_formats(), results);
}

} // namespace andes::postproc
