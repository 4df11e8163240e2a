// Data that the MPI wrappers and the core share: counts of messages, and facts about a location and about MPI.
#pragma once
#include <cstdint>

#include "monitor/core/event_log.h"
#include "monitor/core/intent.h"
#include "monitor/core/message_sizes.h"
#include "monitor/interface/probe.h"

/// Message columns of a call path; of a call of input and output, which has no messages, what was written counts as
/// sent, what was read as received. Written by the location's own thread only.
struct andes_traffic {
  std::uint64_t bytes_sent, bytes_received, messages_sent, messages_received;
  /// By class: messages sent; where the call path only receives, messages received; of other calls, how often they
  /// moved data, by what the rank handed over, or got if it handed over nothing.
  std::uint64_t sizes[andes::monitor::size_classes];
};
static_assert(sizeof(andes_traffic) % 64 == 0); // the first members and the smallest sizes share a cache line

/// One entry of the communication matrix: messages from this location to one rank.
struct andes_peer {
  std::uint64_t messages, bytes;
};

/// The part of a location that the wrappers see and the probes do not; andes_location::data.
struct andes_location_data {
  andes_location* hot;          // the part that the probes see
  andes_traffic* traffic;       // by andes_node::traffic; entry 0 is never used
  andes_peer* peers;            // by world rank; null until the first message
  std::uint32_t ranks;          // entries of peers
  std::uint32_t number;         // number of the location; 0: the main thread
  std::uint64_t library_ticks;  // time in MPI calls so far
  std::uint64_t yields;         // calls of sched_yield so far, but those in measured calls of MPI
  andes::monitor::EventLog log;
  andes::monitor::Intent intent; // of the innermost call of MPI that may block, or of a long polling loop
  andes::monitor::PollReport polls;
};

/// Up to which size the MPI library sends a message at once (eagerly), rather than when its receiver is ready (by
/// rendezvous): bytes, with the library's own headers. 0: the library does not say.
struct andes_eager_limits {
  std::uint64_t within_node, between_nodes;
};

/// Facts that are known once MPI is initialised.
struct andes_mpi_facts {
  int rank, size;
  int spawned;                // started by processes of another MPI_COMM_WORLD
  int of_sessions;            // known from an MPI session, without MPI_Init
  const char* library;        // first line of MPI_Get_library_version
  int version, subversion;    // of the MPI standard
  std::uint64_t init_ticks;   // ANDES_TICKS() at entry into MPI_Init
  andes_eager_limits eager;
};

/// In andes_site::version of a wrapper's site: its region may be closed (windows.h), since only the call's time and
/// visits count, or it uses andes_call_path() where it has found something. Such calls are local, or test for an event.
inline constexpr std::uint32_t andes_local_call = 0x80000000u | ANDES_PROBE_VERSION;
