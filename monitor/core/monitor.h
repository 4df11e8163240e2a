// What the core of the monitor (libandes.so) offers to the wrapper libraries and to the finishing
// library, all of it with C linkage: the three are separate shared objects. Visits of MPI calls go
// through probe.h like those of the program; this header adds what only MPI calls have.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/core/event_log.h"
#include "monitor/core/said.h"
#include "monitor/interface/probe.h"

/// Message columns of a call path. Written by the location's own thread only.
struct andes_traffic {
  std::uint64_t bytes_sent, bytes_received, messages_sent, messages_received;
};

/// One row entry of the communication matrix: what this location sent to a rank.
struct andes_peer {
  std::uint64_t messages, bytes;
};

/// The part of a location that the wrappers see and the probes do not; andes_location::data.
struct andes_location_data {
  andes_location* hot;          // what the probes see
  andes_traffic* traffic;       // by andes_node::traffic; entry 0 is never used
  andes_peer* peers;            // by world rank; null until the first message
  std::uint32_t ranks;          // entries of peers
  std::uint32_t number;         // of the location; 0: the main thread
  std::uint64_t library_ticks;  // in MPI calls so far
  andes::EventLog log;
};

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

/// What is known once MPI is initialised.
struct andes_mpi_facts {
  int rank, size;
  int spawned;                // by processes of another MPI_COMM_WORLD
  const char* library;        // first line of MPI_Get_library_version
  int version, subversion;    // of the standard
  std::uint64_t init_ticks;   // ANDES_TICKS() at entry into MPI_Init
};

/// What became of a run at its end.
struct Outcome {
  bool safe = false;       // the run file is written, or there is nothing to write
  char trouble[512] = {};  // why not
};

/// In andes_site::version of a wrapper's site: its region may be closed (windows.h), for the call is accounted for by its time
/// and visits alone, or by andes_call_path() where it has found something. Such calls are local, or ask whether something
/// has happened.
inline constexpr std::uint32_t andes_local_call = 0x80000000u | ANDES_PROBE_VERSION;

extern "C" {
/// Core of a visit for wrappers: this thread's data, attached if need be; null when not measuring.
andes_location_data* andes_location_here();

/// The site to enter for a call of the MPI function `call` that returns to `caller`: with setting call_sites
/// one of its own, else `call` itself.
andes_site* andes_call_site(andes_site* call, std::uintptr_t caller);

/// Whether the settings say so.
bool andes_call_sites_wanted();

/// Where this thread has last called a Fortran name of MPI that has no wrapper, while calls are told apart.
struct andes_layer {
  std::uintptr_t caller, stack; // the return address, and where it stood
};
extern __thread andes_layer andes_layer_call
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// The clock of the monitor.
std::uint64_t andes_ticks_now();

/// Number of the region of a wrapper's site, whether it is closed or not.
std::uint32_t andes_region_of(const andes_site* call);

/// The call path of a call of MPI whose region is closed: for what must be accounted for all the same. Counts no visit.
/// `polls`: such calls of this thread since the last that was asked for; their time, as far as it is known, is added to
/// library_ticks. Null: nothing is measured at present.
andes_node* andes_call_path(std::uint32_t region, std::uintptr_t stack, std::uintptr_t caller, std::uint64_t polls);

/// Whether the innermost visit is of a call of MPI that was left without notice, by a jump or an exception out of a function
/// that it had called, as the call of MPI at `stack` tells that begins now.
bool andes_call_is_left(std::uintptr_t stack);

/// Index of a fresh entry of location->traffic for this node (slow path; 0 when none is left).
std::uint32_t andes_traffic_new(andes_location_data* location, andes_node* node);

/// Makes location->peers hold all ranks (slow path); false when memory is short.
bool andes_peers_new(andes_location_data* location);

/// The tables that the logs of this process share; null where no log is kept. Once measuring.
andes::EventTables* andes_events();

/// find_channel(), add_communicator() and make_room() of event_log.h, under a lock. What is found is put
/// into the location's cache; it may be null.
std::uint32_t andes_channel(andes_location_data* location, const andes::ChannelName* name,
                            std::uint64_t key);
std::uint32_t andes_communicator(const andes::Communicator* communicator);
bool andes_log_room(andes::EventLog* log);

/// Memory that stays and that a recovered run has, too; null where there is none. Once measuring.
void* andes_keep(std::size_t bytes);

/// Before the measured interval begins: the ranks' clocks are compared. Collective; false: a message
/// failed, and the transport serves no more.
bool andes_synchronise(const andes_transport* transport);

/// Return of MPI_Init: the measured interval begins (times so far are dropped, visits are kept).
void andes_interval_begin(const andes_mpi_facts* facts);

/// Instead of andes_interval_begin(): this process takes no part in the run. It measures no more and
/// leaves no run file, which would call it a program without MPI.
void andes_give_up();

/// MPI_Pcontrol: 0 off, 1 on, 2 stamps a snapshot of this rank. Never communicates.
void andes_control(int level);

/// Entry of MPI_Finalize, before PMPI_Finalize: ends the interval, gathers over `transport`, rank 0
/// writes the run file. Returns when all that is done or given up; never fails the program. False: there is no
/// memory left to ask anything of MPI but its end.
bool andes_finish(const andes_transport* transport);

/// Entry of MPI_Abort: states that in the arena.
void andes_abort(int code);

/// Says one line on standard error, "andes: ...", at most once per process for each `id` of said.h.
void andes_say_once(int id, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Whether the settings let this process be measured (ANDES_MONITOR is not off).
bool andes_wanted();
}

/// Adds a message or a collective's bytes to the call path `node` of `location`.
inline andes_traffic* andes_traffic_of(andes_location_data* location, andes_node* node) {
  std::uint32_t index = node->traffic;
  if (__builtin_expect(index == 0, 0)) index = andes_traffic_new(location, node);
  return location->traffic + index; // entry 0 takes what finds no place and is never reported
}
