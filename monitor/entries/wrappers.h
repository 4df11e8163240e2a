// What the core of the monitor (libandes.so) offers to the wrapper libraries and to the finishing
// library, all of it with C linkage: the three are separate shared objects. Visits of MPI calls go
// through probe.h like those of the program; this header adds what only MPI calls have.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/core/wrapper_data.h"
#include "monitor/interface/transport.h"
#include "monitor/say/say.h"

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

/// Whether the settings let this process be measured (ANDES_MONITOR is not off).
bool andes_wanted();
}

/// Adds a message or a collective's bytes to the call path `node` of `location`.
inline andes_traffic* andes_traffic_of(andes_location_data* location, andes_node* node) {
  std::uint32_t index = node->traffic;
  if (__builtin_expect(index == 0, 0)) index = andes_traffic_new(location, node);
  return location->traffic + index; // entry 0 takes what finds no place and is never reported
}
