// Messages between ranks as the end of a run needs them. The wrapper library of the MPI in use implements them over
// PMPI on a private communicator; gathering, exchange and the comparison of clocks know nothing else of MPI.
#pragma once
#include <cstddef>
#include <cstdint>

/// What a message of one size takes; 0: not measured.
struct andes_message_time {
  double half_round_trip_ns; // the least
  double processor_ns;       // of it, inside calls of sender and receiver that nobody else can do
};

/// Messages between ranks as gathering and exchange see them; the wrapper library implements it over
/// PMPI on a private communicator. All return 0, or non-zero after the deadline or an MPI error: then
/// no further call is made through it. `bytes` is at most 1 MiB; deadlines are CLOCK_MONOTONIC ns.
struct andes_transport {
  int rank, size;
  int (*send)(int to, const void* data, std::size_t bytes, std::int64_t deadline_ns);
  int (*receive)(int from, void* data, std::size_t bytes, std::int64_t deadline_ns);
  /// Sends while it receives, so that ranks that swap cannot block each other; 0 bytes: nothing is
  /// sent, or received.
  int (*swap)(int to, const void* data, std::size_t bytes, int from, void* their_data,
              std::size_t their_bytes, std::int64_t deadline_ns);
  /// Collective: out[i] is for rank i, in[i] from it.
  int (*exchange_sizes)(const std::uint64_t* out, std::uint64_t* in, std::int64_t deadline_ns);
  /// Collective: each value becomes the largest of all ranks.
  int (*largest)(std::uint64_t* values, int count, std::int64_t deadline_ns);
  /// Collective: `all` receives the `bytes` of every rank, in their order.
  int (*gather_all)(const void* own, std::size_t bytes, void* all, std::int64_t deadline_ns);
  /// Between two ranks that both call it, one of which leads and learns the times. Sizes grow; stops
  /// when half a millisecond has been spent; sizes not reached stay 0.
  int (*time_messages)(int peer, int leads, const std::size_t* bytes, int count,
                       andes_message_time* times, std::int64_t deadline_ns);
};
