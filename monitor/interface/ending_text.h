// How the ranks of a run ended, in words: recovery says it on the spot, the views say it of the run file.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "monitor/interface/run_file.h"

namespace andes {

struct RankEnd {
  int rank = 0;
  std::string how;               // run_file::end_...
  int detail = 0;                // as in table `ending`
  std::optional<double> time_ns; // since the run's start; absent: nothing is left of the rank
  std::string path;              // main/solve/MPI_Recv, open then; empty: not known
};

/// "rank 2", "ranks 0-3,7".
inline std::string rank_list(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (i > 0) text += ",";
    text += std::to_string(ranks[i]);
    if (last > i) text.append(1, '-').append(std::to_string(ranks[last]));
    i = last + 1;
  }
  return text;
}

inline std::string how_text(const std::string& how, int detail) {
  if (how == run_file::end_signal) {
    std::string text = "killed by signal " + std::to_string(detail);
    if (const char* name = ::strsignal(detail)) text.append(" (").append(name).append(")");
    return text;
  }
  if (how == run_file::end_abort) return "called MPI_Abort(" + std::to_string(detail) + ")";
  if (how == run_file::end_exit) return "left without MPI_Finalize";
  if (how == run_file::end_killed) return "killed without a word (SIGKILL or _exit), last seen";
  if (how == run_file::end_running) return "running";
  if (how == run_file::end_finalize) return "came to its end";
  return "nothing is left of it";
}

/// Whose end comes first where all are told: those that may have been the cause before those that a launcher
/// ends when another rank has gone.
inline int order_of_end(const std::string& how, int detail) {
  constexpr int by_others[] = {1, 2, 9, 15}; // SIGHUP, SIGINT, SIGKILL, SIGTERM
  if (how == run_file::end_signal)
    return std::count(std::begin(by_others), std::end(by_others), detail) ? 3 : 0;
  const char* const order[] = {run_file::end_abort,   run_file::end_exit,     run_file::end_killed, run_file::end_signal,
                               run_file::end_running, run_file::end_finalize, run_file::end_missing};
  return static_cast<int>(std::find(std::begin(order), std::end(order), how) - std::begin(order));
}

/// A line for those that ended alike in one call path, first those that may have been the cause, else in order of
/// their first ranks:
/// "rank 2: killed by signal 11 (Segmentation fault) at 3.214 s in main/solve/MPI_Recv".
inline std::vector<std::string> ending_lines(const std::vector<RankEnd>& ends) {
  struct Group {
    const RankEnd* first;
    std::vector<int> ranks;
    double least_ns, most_ns;
  };
  std::vector<Group> groups;
  for (const RankEnd& end : ends) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& one) {
      return one.first->how == end.how && one.first->detail == end.detail && one.first->path == end.path;
    });
    const double time_ns = end.time_ns.value_or(0);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{&end, {}, time_ns, time_ns});
    group->ranks.push_back(end.rank);
    group->least_ns = std::min(group->least_ns, time_ns);
    group->most_ns = std::max(group->most_ns, time_ns);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return order_of_end(a.first->how, a.first->detail) < order_of_end(b.first->how, b.first->detail);
  });
  std::vector<std::string> lines;
  for (const Group& group : groups) {
    std::string line = rank_list(group.ranks) + ": " + how_text(group.first->how, group.first->detail);
    if (group.first->time_ns) {
      char least[32], most[32];
      std::snprintf(least, sizeof least, "%.3f", group.least_ns * 1e-9);
      std::snprintf(most, sizeof most, "%.3f", group.most_ns * 1e-9);
      line.append(" at ").append(least);
      if (std::strcmp(least, most) != 0) line.append("..").append(most);
      line.append(" s");
    }
    if (!group.first->path.empty()) line += " in " + group.first->path;
    lines.push_back(std::move(line));
  }
  return lines;
}

} // namespace andes
