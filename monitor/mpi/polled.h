// Polled: what the polls of a long loop (polling.h) ask for, written down in the arena as an Intent. A poll that is to
// declare itself adds its own operations; those that stand there already are not added again.
//
// Invariants:
//  - one Polled exists for one poll of the thread, after the call has returned in vain: the requests are still open;
//  - a loop over one call of MPI_Testall needs all of its operations; any mixture may end with one of them;
//  - the intent is the loop's once it has its `first_ticks`, which is written last.
#pragma once
#include <mpi.h>

#include "monitor/mpi/polling.h"
#include "monitor/mpi/requests.h"

namespace andes::monitor::mpi {

class Polled {
public:
  /// `node`: of the poll; null: nothing is declared.
  explicit Polled(andes_node* node);
  Polled(const Polled&) = delete;
  Polled& operator=(const Polled&) = delete;
  ~Polled();

  explicit operator bool() const { return intent_ != nullptr; }
  /// Of a request; without an entry: of one that is not known.
  void add(const Entry& entry);
  void add_probe(int source, int tag, MPI_Comm comm);
  void add_exposure(MPI_Win win);
  /// The poll finds nothing until all of its operations are complete.
  void needs_all() { all_ = true; }

private:
  void put(WaitedKind kind, std::uint32_t channel, std::uint32_t number);
  void keep_new(std::uint32_t from);
  /// The list is full, and something that is not in it is known already.
  bool is_beyond() const { return intent_->listed == most_waited && intent_->more != 0; }

  Intent* intent_ = nullptr;
  andes_location_data* location_ = nullptr;
  bool all_ = false, fresh_ = false;
  std::uint32_t before_ = 0; // entries of the polls before this one
  std::uint32_t cursor_ = 0; // where the next entry is looked for first: loops come in the same order again
};

/// The poll has asked in vain and is to declare what for. `poll` has a member ask(Polled&).
template <class Poll> [[gnu::noinline, gnu::cold]] void declare_poll(andes_node* node, Poll& poll) {
  Polled polled(node);
  if (polled) poll.ask(polled);
}

/// A poll without a visit has returned `outcome`, and has found something, has failed, or is to look what time it is.
/// Returns `outcome`, so that the caller need not keep it.
template <class Poll>
[[gnu::noinline]] int closed_poll_counts(int outcome, Poll& poll, const andes_site& site, std::uint32_t& region,
                                         std::uintptr_t stack, std::uintptr_t caller) {
  if (outcome == MPI_SUCCESS && poll.missed()) {
    if (look_at_loop()) declare_poll(closed_path(site, region, stack, caller), poll);
  } else if (outcome != MPI_SUCCESS || poll.found()) {
    poll.done(closed_loop(site, region, stack, caller), outcome);
  }
  return outcome;
}

/// A poll without a visit ends; most have found nothing and are counted. The rest is a call, which takes all that it
/// needs from `poll`: so the wrapper saves no register before it calls MPI.
template <class Poll>
[[gnu::always_inline]] inline int closed_poll_ends(int outcome, Poll& poll, const andes_site& site,
                                                   std::uint32_t& region, std::uintptr_t stack, std::uintptr_t caller) {
  if (__builtin_expect(outcome == MPI_SUCCESS && poll.missed() && is_only_counted(), 1)) return outcome;
  return closed_poll_counts(outcome, poll, site, region, stack, caller);
}

} // namespace andes::monitor::mpi
