#include "monitor/exchange/waited_calls.h"

#include <algorithm>
#include <tuple>

#include "monitor/exchange/sorted_by_time.h"

namespace andes::monitor {
namespace {

/// The call of another rank that came late.
struct LateCall {
  std::int64_t enter_ns = 0;
  std::int32_t rank = -1, site = -1;
  std::int32_t thread = 0; // of collectives it is not known: they are mostly called by the main thread
};

/// Whether a call waited in a receive, and for which late message.
struct Received {
  bool in_receive = false;
  std::int32_t message = -1;
};

/// The call for which a rank waited in a collective; its rank is -1 where it waited for none.
LateCall late_call(const Participation& one) {
  const Operation& own = *one.operation;
  const CollectiveResult& all = one.result;
  const LateCall latest = {all.latest_ns, all.latest_rank, static_cast<std::int32_t>(all.latest_site)};
  const LateCall other = {all.other_ns, all.other_rank, static_cast<std::int32_t>(all.other_site)};
  const LateCall root = {all.root_ns, all.root_rank, static_cast<std::int32_t>(all.root_site)};
  const bool is_root = (own.flags & event_root) != 0;
  if (waits_for_all(own.kind)) return latest;
  if (own.flags & event_empty) return {};
  switch (own.kind) {
  case EventKind::n_to_n: return latest;
  case EventKind::scan:
  case EventKind::neighbour: return other;
  case EventKind::n_to_one: return is_root ? other : LateCall();
  case EventKind::one_to_n: return is_root ? LateCall() : root;
  default: return {};
  }
}

class Collecting {
public:
  Collecting(const Sites& sites, AllToAll& ranks)
      : sites_(sites), own_rank_(ranks.rank()), of_rank_(static_cast<std::size_t>(ranks.size())) {}

  void add(const std::vector<Message>& messages) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const Message& message = messages[i];
      const Call &sent = message.send.start, &blocked = message.send.end, &posted = message.receive->start;
      if (message.receive->completed && is_late(message))
        add(own_rank_, *message.wait, {sent.enter_ns, message.source, sent.site, sent.thread},
            {true, static_cast<std::int32_t>(i)});
      if (message.receiver_waits_ns > 0)
        add(own_rank_, message.receive->end, {blocked.enter_ns, message.source, blocked.site, blocked.thread}, {true});
      if (has_blocked(message) && !message.is_part) add(message.source, blocked, late(posted));
      if (message.sender_waits_ns > 0) add(message.source, blocked, late(*message.wait));
    }
  }
  void add(const std::vector<Participation>& collectives) {
    for (const Participation& one : collectives)
      if (one.operation->completed) add(own_rank_, one.operation->end, late_call(one));
  }
  void add(const std::vector<AccessEpoch>& epochs) {
    for (const AccessEpoch& epoch : epochs) {
      if (!epoch.access.completed || !epoch.exposure->completed) continue;
      const Call &start = epoch.access.start, &complete = epoch.access.end;
      const Call &post = epoch.exposure->start, &wait = epoch.exposure->end;
      const Call& blocked = post.enter_ns <= start.exit_ns ? start : complete;
      add(epoch.origin, blocked, late(post));
      if (waits_for_progress(epoch)) add(epoch.origin, complete, late(wait));
      if (epoch.origin == epoch.latest_complete_rank)
        add(own_rank_, wait, {complete.enter_ns, epoch.origin, complete.site, complete.thread});
    }
  }
  void add(const std::vector<LockWait>& locks) {
    for (const LockWait& wait : locks) {
      if (!wait.holder) continue;
      const Call& unlock = wait.holder->unlock;
      add(wait.epoch->rank, wait.epoch->blocked, {unlock.exit_ns, wait.holder->rank, unlock.site, unlock.thread});
    }
  }

  void add(const std::vector<OwnerWait>& waits) {
    for (const OwnerWait& wait : waits) add(wait.rank, wait.call, late(wait.late));
  }

  std::vector<WaitedCall> deliver(AllToAll& ranks) {
    std::vector<WaitedCall> own = std::move(of_rank_[static_cast<std::size_t>(own_rank_)]);
    std::vector<Parcel> parcels(of_rank_.size());
    for (std::size_t rank = 0; rank < of_rank_.size(); ++rank)
      if (!of_rank_[rank].empty() && rank != static_cast<std::size_t>(own_rank_))
        put_all(parcels[rank], of_rank_[rank]);
    const std::vector<Parcel> came = ranks.exchange(parcels);
    for (std::size_t rank = 0; rank < came.size(); ++rank) {
      if (came[rank].empty()) continue;
      for (WaitedCall call : Unpacking(came[rank]).take_all<WaitedCall>()) {
        for (std::int64_t* ns : {&call.enter_ns, &call.exit_ns, &call.until_ns}) *ns = bounded_ns(*ns);
        call.message = -1; // of a receive they are found here
        call.in_receive = false;
        if (call.peer_rank >= 0 && call.peer_rank < ranks.size()) own.push_back(call);
      }
    }
    return sorted(own);
  }

private:
  static std::vector<WaitedCall> sorted(const std::vector<WaitedCall>& calls) {
    const auto order = sorted_by_time(
        calls.size(), [&](std::uint32_t i) { return calls[i].exit_ns; },
        [&](std::uint32_t a, std::uint32_t b) {
          const auto key = [&](std::uint32_t i) {
            const WaitedCall& w = calls[i];
            return std::tuple(w.thread, w.until_ns, w.peer_rank, w.peer_path);
          };
          return key(a) < key(b);
        });
    std::vector<WaitedCall> all;
    all.reserve(calls.size());
    for (const std::uint32_t i : order) all.push_back(calls[i]);
    // Hardly ever does another thread call MPI.
    const auto by_thread = [](const WaitedCall& a, const WaitedCall& b) { return a.thread < b.thread; };
    if (!std::is_sorted(all.begin(), all.end(), by_thread)) std::stable_sort(all.begin(), all.end(), by_thread);
    return all;
  }

  LateCall late(const Call& own) const { return {own.enter_ns, own_rank_, own.site, own.thread}; }

  void add(std::int32_t rank, const Call& blocked, const LateCall& late, Received received = {}) {
    const auto size = static_cast<std::int32_t>(of_rank_.size());
    if (late.rank < 0 || late.rank >= size || rank < 0 || rank >= size || late.enter_ns <= blocked.enter_ns) return;
    WaitedCall call;
    call.enter_ns = blocked.enter_ns;
    call.exit_ns = blocked.exit_ns;
    call.until_ns = std::min(late.enter_ns, blocked.exit_ns);
    call.peer_path = late.site < 0 ? 0 : sites_[late.site].path;
    call.thread = blocked.thread;
    call.peer_rank = late.rank;
    call.peer_thread = late.thread;
    call.in_receive = received.in_receive;
    call.message = received.message;
    of_rank_[static_cast<std::size_t>(rank)].push_back(call);
  }

  const Sites& sites_;
  std::int32_t own_rank_;
  std::vector<std::vector<WaitedCall>> of_rank_;
};

} // namespace

std::vector<WaitedCall> waited_calls(const Compared& compared, const Sites& sites, AllToAll& ranks) {
  Collecting collecting(sites, ranks);
  collecting.add(compared.messages.all);
  collecting.add(compared.collectives.all);
  collecting.add(compared.epochs.all);
  collecting.add(compared.locks);
  collecting.add(compared.owner_waits);
  return collecting.deliver(ranks);
}

} // namespace andes::monitor
