// WaitedCalls: the calls of a rank that waited for another rank, as the times of both sides show it, whatever the
// cause that rules give to the wait. Chains of waits are made of them (chains.h), and a replay of the run holds
// ranks up at them (replay.h).
//
// A call that completes several operations has an entry for each of them that it waited for.
#pragma once
#include "monitor/exchange/event_tables.h"

namespace andes::monitor {

/// Where a chain of waits began: a rank that was late without having waited.
struct Origin {
  std::int32_t rank = -1; // -1: not known
  std::int32_t unused = 0;
  std::uint64_t path = 0; // hash of the call path of the call that came late
  auto operator<=>(const Origin&) const = default;
};

struct WaitedCall {
  std::int64_t enter_ns = 0, exit_ns = 0; // of the call
  std::int64_t until_ns = 0;              // enter of the call that it waited for, or the end of the lock
  std::uint64_t peer_path = 0;            // call path of that call
  std::int32_t thread = 0;
  std::int32_t peer_rank = -1, peer_thread = 0;
  std::int32_t message = -1; // index in Messages::all of a late one; -1: it did not wait for that
  bool in_receive = false; // it waited for a message
  bool peer_waiting = false; // follow_chains: the peer had itself waited for a message
  Origin origin;             // follow_chains
};

/// Collective: waits of senders, accessing and locking ranks are found at the other side. Sorted by thread, then by
/// exit, then by the end of the wait.
std::vector<WaitedCall> waited_calls(const Compared& compared, const Sites& sites, AllToAll& ranks);

} // namespace andes::monitor
