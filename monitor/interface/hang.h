// Why a job hangs, as found from outside (monitor/recover/wait_for_graph.h): plain data, and its text for recovery,
// `andes run` and the views.
#pragma once
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "monitor/interface/ending_text.h"

namespace andes {

/// Ranks that do the same thing, and what it is.
struct HangState {
  enum class What {
    waits, // for ranks that are known
    polls, // for ranks that are known, in a loop over calls that do not wait
    calls, // is in a call of MPI; for whom it waits is not known
    computes, // outside MPI; with a `call`: a poll between, which has found nothing since then
    sleeps, // outside MPI: in a system call
    finalizes, // has entered MPI_Finalize
    ended,
    off, // is not measured at present, or has left no data
  } what = What::computes;
  std::vector<int> ranks;
  int thread = 0;
  std::string call; // "MPI_Recv(source 1, tag 7, 8 bytes, MPI_COMM_WORLD)"; of one that sleeps "read", if it is known
  std::string path; // "main/exchange", above the call
  std::string place; // "halo.c:42"
  double since_s = 0; // the shortest of the ranks; negative: not known
  std::vector<int> waits_for;
  bool any = false; // one of them is enough
};

inline constexpr const char* hang_words[] = {"waits",  "polls",     "calls", "computes",
                                             "sleeps", "finalizes", "ended", "off"};

struct HangFinding {
  enum class Kind {
    deadlock, // the ranks wait for each other, and no other rank can release them
    order, // the same, as they call collectives in different order
    ended, // they wait for ranks that have ended or are in MPI_Finalize
    waits, // long waits, which others may end
  } kind = Kind::waits;
  std::vector<int> ranks; // who waits
  std::vector<int> behind; // who waits for these in turn
  std::string reason; // of `order`: what is called
  bool polls = false; // some of them, or of those that could help, poll: their loops may end by themselves
  std::string early; // the function of such a rank, which MPI may end before the others have called it; empty: none
  bool more_threads = false; // MPI_THREAD_MULTIPLE: a thread that has not called MPI yet may act
  std::vector<HangState> states; // of the ranks, of those that they wait for, and of those behind
};

inline constexpr const char* hang_kinds[] = {"deadlock", "order", "ended", "waits"};

struct Hang {
  std::vector<HangFinding> findings; // certain ones first
};

/// Whether no rank can end these waits.
inline bool is_certain(const HangFinding& finding) {
  return finding.kind != HangFinding::Kind::waits && !finding.more_threads && !finding.polls && finding.early.empty();
}

/// " since 12.4 s", " since 240 s"; empty: not known.
inline std::string since_text(double seconds) {
  if (seconds < 0) return {};
  char text[32];
  std::snprintf(text, sizeof text, seconds < 99.95 ? " since %.1f s" : " since %.0f s", seconds);
  return text;
}

/// "rank 0 waits for rank 1 since 12.4 s in MPI_Recv(source 1, tag 7): main/exchange (halo.c:42)".
inline std::string state_text(const HangState& state) {
  const bool one = state.ranks.size() == 1;
  const auto verb = [&](const char* word) { return std::string(word) + (one ? "s" : ""); };
  std::string text = rank_list(state.ranks);
  if (state.thread > 0) text += ", thread " + std::to_string(state.thread) + ",";
  text += ' ';
  switch (state.what) {
  case HangState::What::waits:
  case HangState::What::polls:
    text += verb(state.what == HangState::What::polls ? "poll" : "wait") + " for " +
            (state.any && state.waits_for.size() > 1 ? "one of " : "") + rank_list(state.waits_for) +
            since_text(state.since_s) + " in " + state.call;
    break;
  case HangState::What::calls:
    text += std::string(one ? "is" : "are") + " in " + state.call + since_text(state.since_s);
    break;
  case HangState::What::computes:
    text += verb("compute") + (state.path.empty() ? " outside all probes" : "");
    if (!state.call.empty())
      text += ", and " + verb("poll") + " in vain" + since_text(state.since_s) + " in " + state.call;
    break;
  case HangState::What::sleeps: text += verb("sleep") + (state.call.empty() ? "" : " in " + state.call); break;
  case HangState::What::finalizes: return text + (one ? "is" : "are") + " in MPI_Finalize";
  case HangState::What::ended:
    return text + (one ? "has" : "have") + " ended" + (state.call.empty() ? "" : ": " + state.call);
  case HangState::What::off: return text + (one ? "is" : "are") + " not measured at present";
  }
  if (!state.path.empty()) text += (state.call.empty() ? " in " : ": ") + state.path;
  if (!state.place.empty()) text += " (" + state.place + ")";
  return text;
}

/// ", unless MPI_Bcast returns before the other ranks have called it"; empty: nothing is known that may end it.
inline std::string unless_text(const HangFinding& finding) {
  std::string text;
  if (!finding.early.empty()) {
    const bool of_requests = finding.early.starts_with("MPI_Wait") || finding.early.starts_with("MPI_Test") ||
                             finding.early.starts_with("MPI_Request");
    text =
        finding.early + " returns before the other ranks have " + (of_requests ? "begun the operation" : "called it");
  }
  if (finding.polls) text += std::string(text.empty() ? "" : " or ") + "a polling loop ends by itself";
  return text.empty() ? text : ", unless " + text;
}

inline std::string head_text(const HangFinding& finding) {
  using Kind = HangFinding::Kind;
  const std::string unless = unless_text(finding);
  if (finding.more_threads && (finding.kind == Kind::deadlock || finding.kind == Kind::order))
    return rank_list(finding.ranks) + (finding.ranks.size() == 1 ? " waits for itself" : " wait for each other") +
           ", which only a thread that has not called MPI yet could end" + unless;
  switch (finding.kind) {
  case Kind::deadlock:
    return "Deadlock of " + rank_list(finding.ranks) + unless +
           (finding.ranks.size() == 1 ? ": it waits for itself" : ": they wait for each other");
  case Kind::order:
    return "Deadlock of " + rank_list(finding.ranks) + unless + ": collectives in different order: " + finding.reason;
  case Kind::ended:
    return rank_list(finding.ranks) + (finding.ranks.size() == 1 ? " waits" : " wait") +
           " for ranks that have ended or are in MPI_Finalize" + unless;
  case Kind::waits: break;
  }
  return "Long waits, which other ranks may end";
}

/// At most `most` lines of states for each finding.
inline std::vector<std::string> hang_lines(const Hang& hang, std::size_t most = 8) {
  std::vector<std::string> lines;
  for (const HangFinding& finding : hang.findings) {
    lines.push_back(head_text(finding));
    const std::size_t told = finding.states.size() > most ? most - 1 : finding.states.size();
    for (std::size_t i = 0; i < told; ++i) lines.push_back(std::string("  ") + state_text(finding.states[i]));
    if (told < finding.states.size())
      lines.push_back(std::string("  and ") + std::to_string(finding.states.size() - told) + " more");
    if (!finding.behind.empty())
      lines.push_back(std::string("  ") + rank_list(finding.behind) +
                      (finding.behind.size() == 1 ? " waits" : " wait") + " for these in turn");
  }
  return lines;
}

} // namespace andes
