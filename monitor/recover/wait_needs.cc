// See wait_needs.h. Numbers begin with 0: so the number of an operation is smaller than what the other side has begun
// once that has begun as many.
#include "monitor/recover/wait_needs.h"

#include <algorithm>

#include "monitor/core/partitioned_tag.h"

namespace andes::monitor {
namespace {

using Kind = WaitedOperation::Kind;

constexpr int any_tag = -1;

/// A receive of any tag takes no partitioned message.
bool has_tag(const WaitedOperation& operation, int tag) {
  return operation.tag == tag || (operation.tag == any_tag && !is_partitioned(tag));
}

/// The name of a function, without the ending of large counts.
std::string without_c(const std::string& function) {
  return function.ends_with("_c") ? function.substr(0, function.size() - 2) : function;
}

/// Collectives in which ranks may have nothing to send to each other. Empty: any.
bool has_empty_parts(const std::string& function) {
  const std::string name = without_c(function);
  return name.empty() || name.ends_with('v') || name.ends_with('w') || name == "MPI_Reduce_scatter" ||
         name == "MPI_Ireduce_scatter";
}

/// Whether the thread's operations are of the call itself, not of requests. Of a function that is not known they may be
/// either: taken for a call's, which may make others go on, but is compared with no other call.
bool is_call(const ThreadActivity& thread) {
  return thread.what != HangState::What::polls && !thread.function.starts_with("MPI_Wait");
}

/// Sends that `from` has begun, those that it is in now included.
std::uint64_t sends_begun(const RankState& from, std::uint64_t comm, int to, int tag, bool& unordered) {
  std::uint64_t begun = 0;
  if (const auto known = from.sends.find({comm, to, tag}); known != from.sends.end()) {
    begun = known->second.begun;
    unordered |= known->second.unordered;
  }
  for (const ThreadActivity& thread : from.threads)
    for (const WaitedOperation& one : thread.operations)
      if (is_call(thread) && one.kind == Kind::send && one.comm == comm && one.peer == to && one.tag == tag) ++begun;
  return begun;
}

Progress received(const RankState& by, std::uint64_t comm, int from, int tag) {
  const auto known = by.receives.find({comm, from, tag});
  return known == by.receives.end() ? Progress() : known->second;
}

Progress in_collectives(const RankState& of, const WaitedOperation& operation) {
  const auto known = of.collectives.find({operation.comm, operation.tag});
  return known == of.collectives.end() ? Progress() : known->second;
}

/// Whether its numbers of collectives are reliable.
bool is_counted(const RankState& of, const WaitedOperation& operation) {
  return !of.lossy && !in_collectives(of, operation).unordered;
}

/// Whether both are in the same call, as far as it is known.
bool is_same_call(const ThreadActivity& a, const ThreadActivity& b, const WaitedOperation& of_b) {
  if (a.function.empty() || b.function.empty() || !is_call(b)) return true;
  return without_c(a.function) == without_c(b.function) && a.operations.front().peer == of_b.peer;
}

/// The function that `of` has called as this operation of the communicator, if it is known to be another one.
std::string called_instead(const RankState& of, const ThreadActivity& thread, const WaitedOperation& operation) {
  if (operation.kind != Kind::collective || !is_call(thread) || thread.function.empty())
    return {}; // others take no number, or are not known
  const auto known = of.called.find({operation.comm, operation.tag, operation.number & operation_number_mask});
  return known == of.called.end() || without_c(known->second) == without_c(thread.function) ? std::string()
                                                                                            : known->second;
}

/// The call of `of` on this communicator that is numbered like `operation`, or makes a communicator of it.
const ThreadActivity* call_on(const RankState& of, const WaitedOperation& operation) {
  for (const ThreadActivity& thread : of.threads)
    for (const WaitedOperation& one : thread.operations)
      if (is_call(thread) && one.comm == operation.comm && one.number == operation.number &&
          (one.kind == Kind::creation || one.kind == Kind::collective))
        return &thread;
  return nullptr;
}

/// Inter-communicators that `of` has made with a group in which `rank` is.
std::ptrdiff_t made_with(const RankState& of, int rank) {
  return std::count_if(of.other_groups.begin(), of.other_groups.end(), [&](const Members& group) {
    for (std::uint32_t i = 0; i < group.size; ++i)
      if (group[i] == rank) return true;
    return false;
  });
}

bool add_others(const RankState& self, const WaitedOperation& operation, Needs& needs) {
  Clause clause;
  for (std::uint32_t i = 0; i < operation.members.size; ++i)
    if (operation.members[i] != self.rank) clause.push_back(operation.members[i]);
  if (clause.empty()) return false;
  needs.clauses.push_back(std::move(clause));
  return true;
}

/// Whether it may be about to end by itself: a message that is small, data that are on the way. Others need a call of
/// another rank, whatever the time.
bool may_be_short(const WaitedOperation& operation) {
  switch (operation.kind) {
  case Kind::receive:
  case Kind::probe: return false;
  case Kind::collective:
    return operation.event != EventKind::barrier && operation.event != EventKind::n_to_n &&
           operation.event != EventKind::fence;
  default: return true;
  }
}

} // namespace

const RankState* WaitNeeds::find(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return rank >= 0 && at < by_rank_.size() ? by_rank_[at] : nullptr;
}

/// Whether `from` has sent a message that this receive, or probe, may take.
bool WaitNeeds::may_have_sent(const RankState& from, const RankState& to, const WaitedOperation& receive) const {
  if (from.lossy || to.lossy) return true;
  bool unordered = false;
  if (receive.tag != any_tag && receive.peer >= 0) {
    const Progress own = received(to, receive.comm, from.rank, receive.tag);
    return sends_begun(from, receive.comm, to.rank, receive.tag, unordered) > receive.number || unordered ||
           own.unordered;
  }
  std::set<int> tags;
  for (auto one = from.sends.lower_bound({receive.comm, to.rank, INT32_MIN});
       one != from.sends.end() && std::get<0>(one->first) == receive.comm && std::get<1>(one->first) == to.rank; ++one)
    tags.insert(std::get<2>(one->first));
  for (const ThreadActivity& thread : from.threads)
    for (const WaitedOperation& one : thread.operations)
      if (is_call(thread) && one.kind == Kind::send && one.comm == receive.comm && one.peer == to.rank)
        tags.insert(one.tag);
  return std::any_of(tags.begin(), tags.end(), [&](int tag) {
    if (!has_tag(receive, tag)) return false;
    const Progress own = received(to, receive.comm, from.rank, tag);
    return sends_begun(from, receive.comm, to.rank, tag, unordered) > own.begun || unordered || own.unordered;
  });
}

/// False: it is possible now, or may be.
bool WaitNeeds::add_receive(const RankState& self, const WaitedOperation& receive, Needs& needs) const {
  Clause clause;
  for (std::uint32_t i = 0; i < (receive.peer >= 0 ? 1 : receive.members.size); ++i) {
    const int peer = receive.peer >= 0 ? receive.peer : receive.members[i];
    if (peer < 0) return false;
    const RankState* from = find(peer);
    if (from && may_have_sent(*from, self, receive)) return false;
    if (peer != self.rank || receive.peer >= 0) clause.push_back(peer);
  }
  needs.clauses.push_back(std::move(clause));
  return true;
}

bool WaitNeeds::add_send(const RankState& self, const WaitedOperation& send, Needs& needs) const {
  if (send.peer < 0) return false;
  if (const RankState* to = find(send.peer)) {
    if (to->lossy || self.lossy) return false;
    const Progress taken = received(*to, send.comm, self.rank, send.tag);
    const auto own = self.sends.find({send.comm, send.peer, send.tag});
    if (taken.begun > send.number || taken.unordered || (own != self.sends.end() && own->second.unordered))
      return false;
    for (const ThreadActivity& thread : to->threads)
      for (const WaitedOperation& one : thread.operations)
        if (one.kind == Kind::receive && one.comm == send.comm && has_tag(one, send.tag) &&
            (one.peer < 0 || (one.peer == self.rank && (is_call(thread) || one.tag == any_tag))))
          return false;
  }
  needs.clauses.push_back({send.peer});
  return true;
}

/// The same for all ranks that take part in it: made once.
const WaitNeeds::Missing& WaitNeeds::missing_in(const RankState& self, const ThreadActivity& thread,
                                                const WaitedOperation& operation) {
  const bool counts = is_counted(self, operation);
  const auto name = std::tuple(operation.comm, operation.tag, operation.number, operation.peer,
                               is_call(thread) ? thread.function : std::string(), counts);
  const auto [known, is_new] = missing_.try_emplace(name);
  Missing& missing = known->second;
  if (!is_new) return missing;
  for (std::uint32_t i = 0; i < operation.members.size; ++i) {
    const int rank = operation.members[i];
    const RankState* other = find(rank);
    const ThreadActivity* call = other ? call_on(*other, operation) : nullptr;
    const bool same = call && is_same_call(*call, thread, operation);
    const bool other_counts = other && is_counted(*other, operation);
    const bool passed = other && (!other_counts || in_collectives(*other, operation).begun > operation.number);
    const std::string instead =
        passed && counts && other_counts ? called_instead(*other, thread, operation) : std::string();
    if (same || (passed && instead.empty())) continue;
    missing.ranks.push_back(rank);
    if (!instead.empty()) missing.elsewhere[rank] = instead;
    else if (call) missing.elsewhere[rank] = call->call;
  }
  return missing;
}

bool WaitNeeds::add_collective(const RankState& self, const ThreadActivity& thread, const WaitedOperation& operation,
                               Needs& needs) {
  const Missing& missing = missing_in(self, thread, operation);
  if (missing.ranks.empty()) return false;
  const auto is_missing = [&](int rank) {
    return std::find(missing.ranks.begin(), missing.ranks.end(), rank) != missing.ranks.end();
  };
  // Who else must come before a rank may leave is the library's choice: that is soft.
  Clause any = missing.ranks, all;
  bool soft = false;
  switch (operation.event) {
  case EventKind::none: // of a request: its kind is not known
    if (operation.kind == Kind::creation) all = missing.ranks;
    else soft = true;
    break;
  case EventKind::one_to_n:
    if (operation.peer >= 0 && operation.peer != self.rank && is_missing(operation.peer)) any = {operation.peer};
    else soft = true;
    break;
  case EventKind::n_to_one:
    if (operation.peer == self.rank) all = missing.ranks;
    else soft = true;
    break;
  case EventKind::scan:
    for (std::uint32_t i = 0; i < operation.members.size && operation.members[i] != self.rank; ++i)
      if (is_missing(operation.members[i])) all.push_back(operation.members[i]);
    soft = all.empty();
    break;
  case EventKind::neighbour:
    for (std::uint32_t i = 0; i < operation.sources.size; ++i)
      if (const int rank = operation.members[static_cast<std::uint32_t>(operation.sources[i])]; is_missing(rank))
        all.push_back(rank);
    soft = all.empty();
    break;
  case EventKind::file: // only MPI_File_close waits in all libraries
    if (thread.function == "MPI_File_close") all = missing.ranks;
    else soft = true;
    break;
  default: all = missing.ranks;
  }
  if (has_empty_parts(is_call(thread) ? thread.function : operation.function))
    all.clear(); // of one of the missing ranks it may expect nothing
  needs.soft = needs.soft || soft;
  if (all.empty()) needs.clauses.push_back(std::move(any));
  for (const int rank : all) needs.clauses.push_back({rank});
  if (is_call(thread) && !missing.elsewhere.empty()) {
    const auto& [rank, call] = *missing.elsewhere.begin();
    needs.order = true;
    needs.reason =
        call + " in rank " + std::to_string(rank) + ", " + thread.call + " in rank " + std::to_string(self.rank);
  }
  return true;
}

/// Nobody leaves MPI_Intercomm_create before the leader has told the others what it has got from the other one.
bool WaitNeeds::add_own_leader(const WaitedOperation& operation, Needs& needs) const {
  const RankState* leader = find(operation.peer);
  if (leader && (!is_counted(*leader, operation) || in_collectives(*leader, operation).begun > operation.number))
    return false;
  needs.clauses.push_back({operation.peer});
  return true;
}

/// The other leader, or, where that is in the call, too, those of its group that are not. None where it has left the
/// call already, as it has then made one more communicator of both groups.
bool WaitNeeds::add_other_leader(const RankState& self, const WaitedOperation& operation, Needs& needs) {
  const RankState* other = find(operation.peer);
  const auto joins = [&](const WaitedOperation& one) {
    return one.kind == Kind::other_leader && one.comm == operation.comm && one.peer == self.rank &&
           one.tag == operation.tag;
  };
  static const std::vector<ThreadActivity> nothing;
  for (const ThreadActivity& thread : other ? other->threads : nothing) {
    if (!is_call(thread) || std::none_of(thread.operations.begin(), thread.operations.end(), joins)) continue;
    const WaitedOperation& creation = thread.operations.front();
    if (creation.kind != Kind::creation) return false; // the leader is a group of its own
    const Missing& missing = missing_in(*other, thread, creation);
    for (const int rank : missing.ranks) needs.clauses.push_back({rank});
    return !missing.ranks.empty();
  }
  if (other && (other->lossy || made_with(*other, self.rank) > made_with(self, operation.peer))) return false;
  needs.clauses.push_back({operation.peer});
  return true;
}

/// MPI_Win_complete: the targets that have posted less often than this rank has begun an access.
bool WaitNeeds::add_posts(const RankState& self, const WaitedOperation& operation, Needs& needs) const {
  bool any = false;
  for (std::uint32_t i = 0; i < operation.members.size; ++i) {
    const int target = operation.members[i];
    const auto begun = self.starts.find({operation.comm, target, 0});
    if (begun == self.starts.end()) continue;
    const RankState* other = find(target);
    const auto posts = other ? other->posts.find({operation.comm, self.rank, 0}) : self.posts.end();
    const std::uint32_t posted = other && posts != other->posts.end() ? posts->second.begun : 0;
    if (other && posted >= begun->second.begun) continue;
    needs.clauses.push_back({target});
    any = true;
  }
  return any;
}

/// MPI_Win_wait: the origins that have not completed their access.
bool WaitNeeds::add_origins(const RankState& self, const WaitedOperation& operation, Needs& needs) const {
  bool any = false;
  for (std::uint32_t i = 0; i < operation.members.size; ++i) {
    const int origin = operation.members[i];
    const auto posts = self.posts.find({operation.comm, origin, 0});
    if (posts == self.posts.end()) continue;
    const RankState* other = find(origin);
    const auto done = other ? other->completes.find({operation.comm, self.rank, 0}) : self.completes.end();
    if (other && done != other->completes.end() && done->second.begun >= posts->second.begun) continue;
    needs.clauses.push_back({origin});
    any = true;
  }
  return any;
}

/// False: the operation is possible, or may be.
bool WaitNeeds::add(const RankState& self, const ThreadActivity& thread, const WaitedOperation& operation,
                    Needs& needs) {
  switch (operation.kind) {
  case Kind::receive:
  case Kind::probe: return add_receive(self, operation, needs);
  case Kind::send: return add_send(self, operation, needs);
  case Kind::collective:
  case Kind::creation: return add_collective(self, thread, operation, needs);
  case Kind::own_leader: return add_own_leader(operation, needs);
  case Kind::other_leader: return add_other_leader(self, operation, needs);
  case Kind::post: return add_posts(self, operation, needs);
  case Kind::complete: return add_origins(self, operation, needs);
  case Kind::flush: needs.soft = needs.arrives = true; [[fallthrough]];
  case Kind::group:
  case Kind::lock: return add_others(self, operation, needs);
  case Kind::unknown: break;
  }
  return false;
}

Needs WaitNeeds::of(const RankState& self, const ThreadActivity& thread) {
  Needs needs;
  for (const WaitedOperation& operation : thread.operations)
    if ((thread.since_s < 0 && may_be_short(operation)) || !add(self, thread, operation, needs))
      needs.possible = needs.possible || thread.any;
  if (thread.any && !needs.clauses.empty()) { // one of the operations is enough: anybody named may help
    std::set<int> all;
    for (const Clause& clause : needs.clauses) all.insert(clause.begin(), clause.end());
    needs.clauses = {{all.begin(), all.end()}};
  }
  std::sort(needs.clauses.begin(), needs.clauses.end()); // a thousand requests may need the same few ranks
  needs.clauses.erase(std::unique(needs.clauses.begin(), needs.clauses.end()), needs.clauses.end());
  if (needs.clauses.empty()) needs.possible = true;
  return needs;
}

} // namespace andes::monitor
