// AllToAll: the only way in which ranks exchange data here: each rank sends a parcel to every rank, most
// of them empty, and gets one from each. Sizes are exchanged first, between all pairs; then parcels go by
// steps: in step i with the ranks i above and i below, in pieces of at most 1 MiB, sending and
// receiving at once. All ranks go through the steps in the same order, so for every pattern the ranks in
// the lowest unfinished step can always proceed: no deadlock.
//
// Invariant: after a failure nothing more is sent, and every further call fails at once.
// Decision 90 lists rejected alternatives.
#pragma once
#include <cstdint>
#include <vector>

#include "monitor/exchange/parcel.h"
#include "monitor/interface/transport.h"

namespace andes::monitor {

class AllToAll {
public:
  /// `transport` null: this is the only rank. The deadline (CLOCK_MONOTONIC) holds for all calls together.
  AllToAll(const andes_transport* transport, std::int64_t deadline_ns)
      : transport_(transport), deadline_ns_(deadline_ns) {}

  int rank() const { return transport_ ? transport_->rank : 0; }
  int size() const { return transport_ ? transport_->size : 1; }
  bool failed() const { return failed_; }
  std::uint64_t bytes_sent() const { return bytes_sent_; } // to other ranks

  /// Collective. `out` has a parcel for each rank and is empty afterwards; returns the parcels from
  /// all ranks, which are empty on failure.
  std::vector<Parcel> exchange(std::vector<Parcel>& out);

  /// Collective: sends one number to each rank and returns one from each.
  std::vector<std::uint64_t> exchange_numbers(const std::vector<std::uint64_t>& out);

  /// Collective: each value becomes the largest of all ranks.
  void largest(std::vector<std::uint64_t>& values);

  /// Between this rank and `peer` only: see andes_transport. Nothing is measured without a transport.
  void time_messages(int peer, bool leads, const std::size_t* bytes, std::size_t count, andes_message_time* times);

private:
  bool swap(int to, const Parcel& out, int from, Parcel& in);

  const andes_transport* transport_;
  std::int64_t deadline_ns_;
  std::uint64_t bytes_sent_ = 0;
  bool failed_ = false;
};

} // namespace andes::monitor
