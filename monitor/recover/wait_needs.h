// What must happen for the waits of a job to end: a wait's clauses, each of which names the ranks that could make it
// true, found with the numbers of operations on both sides.
//
// Invariant: where the arenas do not tell whether an operation is possible, it is taken for possible.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "monitor/recover/rank_state.h"

namespace andes::monitor {

/// Any of these ranks may make it true.
using Clause = std::vector<int>;

/// What a thread needs.
struct Needs {
  bool possible = false; // it may go on without anybody's help
  bool soft = false;     // likewise, if its data arrive, or the library does not wait for the ranks of the clauses
  bool arrives = false;  // of these the first: data may be on their way
  std::vector<Clause> clauses;
  bool order = false; // some rank calls another collective operation instead
  std::string reason; // these two calls
};

/// Finds the needs of all threads of a job, whose states must outlive it.
class WaitNeeds {
public:
  /// By rank; null: nothing is known of the rank.
  explicit WaitNeeds(const std::vector<const RankState*>& by_rank) : by_rank_(by_rank) {}

  Needs of(const RankState& self, const ThreadActivity& thread);

private:
  /// Ranks that have not reached a collective operation.
  struct Missing {
    std::vector<int> ranks;
    /// Of these: the call of those that are in another collective of the communicator, or have begun one instead.
    std::map<int, std::string> elsewhere;
  };

  const RankState* find(int rank) const;
  bool may_have_sent(const RankState& from, const RankState& to, const WaitedOperation& receive) const;
  // These return false if the operation is possible, or may be.
  bool add(const RankState& self, const ThreadActivity& thread, const WaitedOperation& operation, Needs& needs);
  bool add_receive(const RankState& self, const WaitedOperation& receive, Needs& needs) const;
  bool add_send(const RankState& self, const WaitedOperation& send, Needs& needs) const;
  bool add_collective(const RankState& self, const ThreadActivity& thread, const WaitedOperation& operation,
                      Needs& needs);
  bool add_own_leader(const WaitedOperation& operation, Needs& needs) const;
  bool add_other_leader(const RankState& self, const WaitedOperation& operation, Needs& needs);
  bool add_origins(const RankState& self, const WaitedOperation& operation, Needs& needs) const;
  bool add_posts(const RankState& self, const WaitedOperation& operation, Needs& needs) const;
  const Missing& missing_in(const RankState& self, const ThreadActivity& thread, const WaitedOperation& operation);

  const std::vector<const RankState*>& by_rank_;
  std::map<std::tuple<std::uint64_t, int, std::uint32_t, int, std::string, bool>, Missing> missing_;
};

} // namespace andes::monitor
