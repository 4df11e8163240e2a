// Transport: the messages between ranks that the end of a run needs. The wrapper library of the MPI in use
// implements them over PMPI on a private communicator; gathering, exchange and the comparison of clocks use no
// other part of MPI.
#pragma once
#include <cstddef>
#include <cstdint>

/// Cost of a message of one size; 0: not measured.
struct andes_message_time {
  double half_round_trip_ns; // the least
  double processor_ns;       // the part of it spent in calls of sender and receiver, which no network can take over
};

/// Messages between ranks as gathering and exchange see them; the wrapper library implements it over
/// PMPI on a private communicator. All return 0, or non-zero after the deadline or an MPI error: then
/// no further call is made through it. `bytes` is at most 1 MiB; deadlines are CLOCK_MONOTONIC ns.
struct andes_transport {
  int rank, size;
  int (*send)(int to, const void* data, std::size_t bytes, std::int64_t deadline_ns);
  int (*receive)(int from, void* data, std::size_t bytes, std::int64_t deadline_ns);
  /// Sends and receives at the same time, so that ranks that swap cannot block each other; 0 bytes:
  /// nothing is sent, or received.
  int (*swap)(int to, const void* data, std::size_t bytes, int from, void* their_data, std::size_t their_bytes,
              std::int64_t deadline_ns);
  /// Collective: out[i] goes to rank i, in[i] comes from it.
  int (*exchange_sizes)(const std::uint64_t* out, std::uint64_t* in, std::int64_t deadline_ns);
  /// Collective: each value becomes the largest of all ranks.
  int (*largest)(std::uint64_t* values, int count, std::int64_t deadline_ns);
  /// Collective: `all` receives the `bytes` of every rank, in the order of ranks.
  int (*gather_all)(const void* own, std::size_t bytes, void* all, std::int64_t deadline_ns);
  /// Called by two ranks at the same time; one of them leads and gets the times. Sizes grow. It
  /// stops after half a millisecond, at the latest after five; sizes that were not reached stay 0.
  int (*time_messages)(int peer, int leads, const std::size_t* bytes, int count, andes_message_time* times,
                       std::int64_t deadline_ns);
};
