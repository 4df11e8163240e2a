// The functions of the monitor's core (libandes.so) for the wrapper libraries and the finishing
// library, all with C linkage: the three are separate shared objects. Visits of MPI calls go
// through probe.h like those of the program; this header adds what only MPI calls need.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/core/wrapper_data.h"
#include "monitor/interface/calls.h"
#include "monitor/interface/transport.h"
#include "monitor/say/say.h"

extern "C" {
/// Core of a visit for wrappers: this thread's data; attaches the thread if it is new. Null when not measuring.
andes_location_data* andes_location_here();

/// The site to enter for a call of the MPI function `call` that returns to `caller`: with setting call_sites
/// a site for this caller, else `call` itself.
andes_site* andes_call_site(andes_site* call, std::uintptr_t caller);

/// Value of setting call_sites.
bool andes_call_sites_wanted();

/// With setting call_sites: this thread's last call of a Fortran MPI name that has no wrapper.
struct andes_layer {
  std::uintptr_t caller, stack; // its return address, and the address where that stood
};
extern __thread andes_layer andes_layer_call __attribute__((tls_model("initial-exec"), visibility("hidden")));

/// Ticks of the monitor's clock.
std::uint64_t andes_ticks_now();

/// Number of the region of a wrapper's site, whether it is closed or not.
std::uint32_t andes_region_of(const andes_site* call);

/// The call path of an MPI call whose region is closed, for results that must be recorded nevertheless. Counts no
/// visit. Null: nothing is measured at present.
andes_node* andes_call_path(std::uint32_t region, std::uintptr_t stack, std::uintptr_t caller);

/// The longest gap between two polls that a loop over them takes for itself, the cost of a measured visit included.
std::uint64_t andes_poll_gap_ticks();

/// Time that this thread was ready to run while others had its core. Asks the kernel.
std::uint64_t andes_core_wait_ticks();

/// Time that this thread had a core, its own clock of the kernel. Never 0.
std::uint64_t andes_core_ticks();

/// Whether the innermost visit is of an MPI call that was left without notice, by a jump or an exception out of a
/// function that it had called. Judged by the MPI call that begins now, at `stack`.
bool andes_call_is_left(std::uintptr_t stack);

/// Whether a call of the C library that begins now, at `stack`, is the program's: this thread is measured, and neither
/// the monitor nor an MPI call of it is at work. For libandes-posix.so, which may be loaded without libandes.so.
bool andes_is_program_call(std::uintptr_t stack) __attribute__((weak));

/// Index of a fresh entry of location->traffic for this node (slow path; 0 when none is left).
std::uint32_t andes_traffic_new(andes_location_data* location, andes_node* node);

/// Makes location->peers hold all ranks (slow path); false when memory is short.
bool andes_peers_new(andes_location_data* location);

/// The tables that the logs of this process share; null: no log is kept. Only while measuring.
andes::monitor::EventTables* andes_events();

/// find_channel(), add_communicator() and make_room() of event_log.h, under a lock. The result is put
/// into the location's cache. `location` may be null.
std::uint32_t andes_channel(andes_location_data* location, const andes::monitor::ChannelName* name, std::uint64_t key);
std::uint32_t andes_communicator(const andes::monitor::Communicator* communicator);
bool andes_log_room(andes::monitor::EventLog* log);

/// Memory that is never freed and lies in the arena, so that recovery sees it; null: there is none. Only
/// while measuring.
void* andes_keep(std::size_t bytes);

/// Before the measured interval begins: the ranks' clocks are compared. Collective; false: a message
/// failed, and the transport must not be used any more.
bool andes_synchronise(const andes_transport* transport);

/// Return of MPI_Init, or of the first MPI_Session_init: the measured interval begins (times so far are dropped, visits
/// are kept). MPI_Init after a session goes on with the interval.
void andes_interval_begin(const andes_mpi_facts* facts);

/// Instead of andes_interval_begin(): this process takes no part in the run. It stops measuring and
/// leaves no run file, since that would describe a program without MPI.
void andes_give_up();

/// MPI_Pcontrol: 0 off, 1 on, 2 stamps a snapshot of this rank. Never communicates.
void andes_control(int level);

/// Entry of MPI_Finalize, before PMPI_Finalize: ends the interval, gathers over `transport`, rank 0
/// writes the run file. Returns when all that is done or given up; never fails the program. False: there is no
/// memory left for any MPI call but PMPI_Finalize.
bool andes_finish(const andes_transport* transport);

/// Entry of MPI_Abort: records it in the arena.
void andes_abort(int code);

/// Whether the program has an MPI session open: if it ends then, it has not come to its end.
void andes_session_open(bool open);

/// The MPI library is about to end the job because of an error: records its class and text in the arena.
void andes_mpi_error(int error_class, const char* text);

/// Whether the settings let this process be measured (ANDES_MONITOR is not off).
bool andes_wanted();
}

/// The message columns of the call path `node` of `location`.
inline andes_traffic* andes_traffic_of(andes_location_data* location, andes_node* node) {
  std::uint32_t index = node->traffic;
  if (__builtin_expect(index == 0, 0)) index = andes_traffic_new(location, node);
  return location->traffic + index; // entry 0 collects the counts for which there is no room; it is never reported
}

/// Counts the bytes of a call that is no message, and the size of what it moved, if anything.
inline void andes_add_moved(andes_traffic& columns, std::uint64_t sent, std::uint64_t received) {
  columns.bytes_sent += sent;
  columns.bytes_received += received;
  columns.sizes[andes::monitor::size_class(sent != 0 ? sent : received)]++;
}
