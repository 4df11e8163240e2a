// One number for the layout of all structures that the monitor's libraries hand to each other or leave in an
// arena. The libraries are separate files that an installation may mix up: libandes.so accepts only finishing
// and wrapper libraries with its own number, and a reader accepts only arenas of monitors with its own number.
#pragma once
#include <cstddef>

#include "monitor/core/finish_outcome.h"
#include "monitor/core/function_samples.h"
#include "monitor/core/process.h"
#include "monitor/core/wrapper_data.h"
#include "monitor/interface/transport.h"

namespace andes::monitor {

/// A hash of the sizes of all shared structures and the offsets of their members.
constexpr std::uint64_t monitor_layout() {
  const std::uint64_t parts[] = {arena_format,
                                 sizeof(ArenaHeader),
                                 sizeof(Process),
                                 sizeof(MonitorSettings),
                                 sizeof(Clock),
                                 sizeof(Registry),
                                 sizeof(Region),
                                 sizeof(Addresses),
                                 sizeof(CodeModule),
                                 sizeof(MpiFacts),
                                 sizeof(ProbeCosts),
                                 sizeof(CostHistory),
                                 sizeof(EventTables),
                                 sizeof(Channel),
                                 sizeof(Communicator),
                                 sizeof(EventRecord),
                                 sizeof(EventLog),
                                 sizeof(Intent),
                                 sizeof(ClockSync),
                                 sizeof(GlobalClock),
                                 sizeof(Snapshot),
                                 sizeof(Location),
                                 sizeof(Tree),
                                 sizeof(Governor),
                                 sizeof(NodeAccount),
                                 sizeof(SampleRecord),
                                 sizeof(FunctionSamples),
                                 sizeof(andes_traffic),
                                 sizeof(andes_peer),
                                 sizeof(AttachedValue),
                                 sizeof(andes_frame),
                                 sizeof(andes_node),
                                 ANDES_ROOT,
                                 ANDES_PROBE_VERSION,
                                 sizeof(andes_location),
                                 sizeof(andes_location_data),
                                 sizeof(andes_transport),
                                 sizeof(andes_mpi_facts),
                                 sizeof(FinishOutcome),
                                 offsetof(Process, settings),
                                 offsetof(Process, clock),
                                 offsetof(Process, registry),
                                 offsetof(Process, locations),
                                 offsetof(Process, end_ticks),
                                 offsetof(Process, mpi),
                                 sizeof(Counters),
                                 sizeof(Counting),
                                 offsetof(Process, counters),
                                 offsetof(Process, events),
                                 offsetof(Process, global_clock),
                                 offsetof(Process, snapshots),
                                 offsetof(Process, arena)};
  std::uint64_t hash = 0;
  for (const std::uint64_t part : parts) hash = event_hash(hash, part);
  return hash;
}

} // namespace andes::monitor

/// Exported by the finishing library: its monitor_layout().
extern "C" const std::uint64_t andes_finish_layout;
