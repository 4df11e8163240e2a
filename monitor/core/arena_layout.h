// The layout of what lies in an arena, as one number: a reader takes only arenas of monitors that have the
// same one as itself.
#pragma once
#include <cstddef>

#include "monitor/core/process.h"

namespace andes {

/// A hash of sizes and places of all structures in the image.
constexpr std::uint64_t arena_layout() {
  const std::uint64_t parts[] = {
      arena_format, sizeof(ArenaHeader), sizeof(Process), sizeof(MonitorSettings), sizeof(Clock),
      sizeof(Registry), sizeof(Region), sizeof(Addresses), sizeof(CodeModule), sizeof(MpiFacts),
      sizeof(ProbeCosts), sizeof(EventTables), sizeof(Channel), sizeof(Communicator), sizeof(EventRecord),
      sizeof(EventLog), sizeof(ClockSync), sizeof(GlobalClock), sizeof(Snapshot), sizeof(Location),
      sizeof(Tree), sizeof(Governor), sizeof(NodeAccount), sizeof(SampleRecord), sizeof(andes_traffic),
      sizeof(andes_peer), sizeof(andes_frame), sizeof(andes_node), ANDES_ROOT, ANDES_PROBE_VERSION,
      offsetof(Process, settings), offsetof(Process, clock), offsetof(Process, registry),
      offsetof(Process, locations), offsetof(Process, end_ticks), offsetof(Process, mpi),
      offsetof(Process, events), offsetof(Process, global_clock), offsetof(Process, snapshots),
      offsetof(Process, arena)};
  std::uint64_t hash = 0;
  for (const std::uint64_t part : parts) hash = event_hash(hash, part);
  return hash;
}

} // namespace andes
