// How the ranks of a run ended, as text: for recovery, which prints it at once, and for the views, which
// print it from the run file.
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
  std::string path;              // call path that was open, as main/solve/MPI_Recv; empty: not known
  std::string text = {};         // of an error of MPI
  std::string place = {};        // of the call path in the source, as jacobi.c:41; empty: not known
  bool last_event = false;       // the time is that of its last event: it ended at some time after that
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

inline std::string how_text(const std::string& how, int detail, const std::string& text = {}) {
  if (how == run_file::end_signal) {
    std::string signal = "killed by signal " + std::to_string(detail);
    if (const char* name = ::strsignal(detail)) signal.append(" (").append(name).append(")");
    return signal;
  }
  if (how == run_file::end_abort) return "called MPI_Abort(" + std::to_string(detail) + ")";
  if (how == run_file::end_error)
    return "ended by an error of MPI" + (text.empty() ? "" : (text.starts_with("MPI_ERR_") ? ": " : " in ") + text);
  if (how == run_file::end_exit) return "left without MPI_Finalize";
  if (how == run_file::end_killed)
    return "killed without notice (SIGKILL, _exit, exec or no stack left)" + (text.empty() ? "" : " " + text);
  if (how == run_file::end_stopped)
    return "ended with the whole job" + (text.empty() ? "" : " " + text) + ", as andes run was stopped (signal " +
           std::to_string(detail) + ")";
  if (how == run_file::end_running) return "running";
  if (how == run_file::end_finalize) return "finished";
  return "left no data" + (text.empty() ? "" : ": " + text);
}

/// Whether a launcher sends this signal to end a job.
inline bool is_launchers(int signal) {
  constexpr int by_others[] = {1, 2, 9, 15}; // SIGHUP, SIGINT, SIGKILL, SIGTERM
  return std::count(std::begin(by_others), std::end(by_others), signal) != 0;
}

/// Sort key: how likely ranks with such an end caused the end of the run. First ranks that ended by themselves with
/// a recorded end, then ranks that a launcher may have ended because another rank had gone.
inline int precedence_of_end(const std::string& how, int detail) {
  if (how == run_file::end_signal) return is_launchers(detail) ? 2 : 0;
  if (how == run_file::end_abort || how == run_file::end_error || how == run_file::end_exit) return 0;
  const char* const order[] = {run_file::end_killed, run_file::end_signal, run_file::end_stopped, run_file::end_running,
                               run_file::end_finalize};
  return 1 + static_cast<int>(std::find(std::begin(order), std::end(order), how) - std::begin(order));
}

/// Whether a rank without a record of its end has ended before the launcher ended the others: those of Open MPI and of
/// batch systems send a signal that ranks record, and SIGKILL long after it. Hydra (MPICH and its kin) sends both at
/// once, so that any rank may miss its record. Judged by the library: of MPICH under another launcher nothing is
/// concluded.
inline bool silence_tells(const std::string& mpi_library) {
  for (const char* hydra : {"MPICH", "Intel", "MVAPICH"})
    if (mpi_library.find(hydra) != std::string::npos) return false;
  return true;
}

/// The rank whose end made the launcher end others.
struct FirstFailure {
  int rank;
  double time_ns;
};

/// What the times of the ends say of their order.
struct EndOrder {
  std::optional<FirstFailure> first;
  bool from_outside = false; // signals ended the ranks, all were recorded, and none had failed before
};

/// The first is the earliest of the ranks that ended by themselves, or of those that were killed without notice at a
/// time that is known, before any signal of the launcher. Where there is none: the one rank that left no record of its
/// end, if the launcher's signals came to the others after its last event, and if `silence_tells`.
template <class End> EndOrder order_of_ends(const std::vector<End>& ends, bool silence_tells) {
  std::optional<FirstFailure> failed, killed, silent, signalled;
  // Each rank's clock has an error of its own, which is largest for one that was killed.
  constexpr double same_ns = 20e6;
  bool together = false; // two were killed at the same time
  bool unseen = false; // one ended at a time that nobody saw, so it may have been the first
  bool others = false; // ends for which no launcher's signal is the reason
  const auto take_earlier = [](std::optional<FirstFailure>& into, const End& end) {
    if (end.time_ns && (!into || *end.time_ns < into->time_ns)) into = FirstFailure{end.rank, *end.time_ns};
  };
  int silent_ranks = 0, killed_ranks = 0;
  for (const End& end : ends) {
    if (end.how == run_file::end_missing || (end.how == run_file::end_killed && (end.last_event || !end.time_ns)))
      unseen = true;
    if (precedence_of_end(end.how, end.detail) == 0) take_earlier(failed, end);
    if (end.how == run_file::end_signal) take_earlier(signalled, end);
    else if (end.how == run_file::end_killed && end.last_event) take_earlier(silent, end), ++silent_ranks;
    else if (end.how == run_file::end_killed) {
      if (killed && end.time_ns && *end.time_ns < killed->time_ns + same_ns)
        together = *end.time_ns > killed->time_ns - same_ns;
      take_earlier(killed, end);
      ++killed_ranks;
    } else if (end.how != run_file::end_finalize && end.how != run_file::end_stopped) others = true;
  }
  const bool before_signals =
      killed && !together && !unseen && (!signalled || killed->time_ns + same_ns <= signalled->time_ns);
  if (before_signals && ends.size() > 1 && (!failed || killed->time_ns + same_ns <= failed->time_ns)) return {killed};
  if (failed) return {failed};
  if (silent_ranks == 1 && silence_tells && !killed && signalled && silent && signalled->time_ns >= silent->time_ns)
    return {silent};
  if (killed_ranks == 1 && silent_ranks == 0 && silence_tells && signalled) return {killed}; // a death may be seen late
  return {std::nullopt, signalled && !others && silent_ranks == 0 && !killed};
}

/// Whether the launcher ended this rank after `first` had failed, as far as times and signals show. A rank that left no
/// record was ended by SIGKILL, which launchers send.
template <class End> bool is_by_launcher(const End& end, const FirstFailure& first) {
  if (end.rank == first.rank) return false;
  if (end.how == run_file::end_killed) return end.last_event || !end.time_ns || *end.time_ns >= first.time_ns;
  return end.how == run_file::end_signal && is_launchers(end.detail) && end.time_ns && *end.time_ns >= first.time_ns;
}

/// Ranks that ended in the same way.
struct EndGroup {
  const RankEnd* first; // the first of them in time
  std::vector<int> ranks;
  double most_ns;
  bool one_path; // all of them were in the same call path as the first
  bool by_launcher; // after another rank had failed
};

/// The ranks that the launcher ended come behind all that may have caused it.
inline int order_of(const EndGroup& group) {
  const int order = precedence_of_end(group.first->how, group.first->detail);
  return group.by_launcher ? std::max(order, precedence_of_end(run_file::end_running, 0)) : order;
}

inline double least_ns(const EndGroup& group) { return group.first->time_ns.value_or(0); }

/// `failed`: the rank that failed first; -1: not known. `from_outside`: as in EndOrder.
inline std::string line_of(const EndGroup& group, int failed, bool from_outside) {
  const RankEnd& first = *group.first;
  const std::string in =
      first.path.empty() ? "" : " in " + first.path + (first.place.empty() ? "" : " (" + first.place + ")");
  std::string line = rank_list(group.ranks) + ": ";
  if (from_outside && first.how == run_file::end_signal && is_launchers(first.detail))
    line += "ended from outside, alone or with the whole job (signal " + std::to_string(first.detail) + ")";
  else if (!group.by_launcher) line += how_text(first.how, first.detail, first.text);
  else
    line.append("ended by the launcher after rank ")
        .append(std::to_string(failed))
        .append(first.how == run_file::end_killed ? " had failed (SIGKILL, _exit, exec or no stack left)"
                                                  : " had failed (signal " + std::to_string(first.detail) + ")");
  if (first.how == run_file::end_killed && first.last_event) line += ", last seen";
  char least[32], most[32];
  std::snprintf(least, sizeof least, "%.3f", least_ns(group) * 1e-9);
  std::snprintf(most, sizeof most, "%.3f", group.most_ns * 1e-9);
  const bool one_time = std::strcmp(least, most) == 0;
  if (first.time_ns)
    line.append(" at ").append(least).append(one_time ? "" : "..").append(one_time ? "" : most).append(" s");
  if (group.one_path) line += in;
  // The rank that ended first by itself may have caused the end of the others. For other ends the order in
  // time shows nothing.
  if (!one_time && precedence_of_end(first.how, first.detail) == 0)
    line.append(" (rank ")
        .append(std::to_string(first.rank))
        .append(" first")
        .append(group.one_path || in.empty() ? "" : "," + in)
        .append(")");
  return line;
}

/// One line for each group of ranks that ended in the same way; likely causes come first, and among them the
/// earliest, those that the launcher ended last: "rank 2: killed by signal 11 (Segmentation fault) at 3.214 s in
/// main/solve/update". The call path is
/// given if the group has only one; ranks that are still running are grouped by call path. `mpi_library`: the fact.
inline std::vector<std::string> ending_lines(const std::vector<RankEnd>& ends, const std::string& mpi_library = {}) {
  std::vector<EndGroup> groups;
  const EndOrder order = order_of_ends(ends, silence_tells(mpi_library));
  const std::optional<FirstFailure>& failed = order.first;
  for (const RankEnd& end : ends) {
    const bool by_launcher = failed && is_by_launcher(end, *failed);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const EndGroup& one) {
      return one.first->how == end.how && one.first->detail == end.detail && one.first->text == end.text &&
             one.first->last_event == end.last_event && one.by_launcher == by_launcher &&
             (end.how != run_file::end_running || one.first->path == end.path);
    });
    const double time_ns = end.time_ns.value_or(0);
    if (group == groups.end()) group = groups.insert(groups.end(), EndGroup{&end, {}, time_ns, true, by_launcher});
    group->ranks.push_back(end.rank);
    group->most_ns = std::max(group->most_ns, time_ns);
    group->one_path = group->one_path && group->first->path == end.path;
    if (time_ns < least_ns(*group)) group->first = &end;
  }
  std::stable_sort(groups.begin(), groups.end(), [](const EndGroup& a, const EndGroup& b) {
    const int order_a = order_of(a), order_b = order_of(b);
    return order_a != order_b ? order_a < order_b : order_a == 0 && least_ns(a) < least_ns(b);
  });
  std::vector<std::string> lines;
  for (const EndGroup& group : groups) lines.push_back(line_of(group, failed ? failed->rank : -1, order.from_outside));
  return lines;
}

} // namespace andes
