// Prints where the fields lie that tests change in arenas, as a JSON object: NAME: [OFFSET, BYTES].
#include <cstddef>
#include <cstdio>

#include "monitor/arena/arena.h"
#include "monitor/core/process.h"

using namespace andes;
using namespace andes::monitor;

#define FIELD(structure, name)                                                                     \
  std::printf(",\n  \"" #structure "." #name "\": [%zu, %zu]", offsetof(structure, name), sizeof(structure::name))
#define PART(structure, part, type, name)                                                          \
  std::printf(",\n  \"" #structure "." #part "." #name "\": [%zu, %zu]",                             \
              offsetof(structure, part) + offsetof(type, name), sizeof(type::name))

#pragma GCC diagnostic ignored "-Winvalid-offsetof" // Location begins with what probes know of it
int main() {
  std::printf("{\n  \"Stretch\": [0, %zu],\n  \"Region\": [0, %zu],\n  \"andes_node\": [%zu, %zu]", sizeof(Stretch),
              sizeof(Region), std::size_t{ANDES_ROOT}, sizeof(andes_node));
  FIELD(ArenaHeader, magic);
  FIELD(ArenaHeader, format);
  FIELD(ArenaHeader, header_bytes);
  FIELD(ArenaHeader, layout);
  FIELD(ArenaHeader, process_address);
  FIELD(ArenaHeader, pid);
  FIELD(ArenaHeader, pid_start);
  FIELD(ArenaHeader, boot_id);
  FIELD(ArenaHeader, host);
  FIELD(ArenaHeader, executable_hash);
  PART(ArenaHeader, executable, ArenaText, text);
  PART(ArenaHeader, executable, ArenaText, bytes);
  PART(ArenaHeader, directory, ArenaText, text);
  PART(ArenaHeader, directory, ArenaText, bytes);
  PART(ArenaHeader, arguments, ArenaText, text);
  PART(ArenaHeader, arguments, ArenaText, bytes);
  PART(ArenaHeader, environment, ArenaText, text);
  PART(ArenaHeader, environment, ArenaText, bytes);
  FIELD(ArenaHeader, cores);
  PART(ArenaHeader, ending, Ending, kind);
  PART(ArenaHeader, ending, Ending, ticks);
  FIELD(ArenaHeader, snapshot_count);
  FIELD(ArenaHeader, stretch_count);
  FIELD(ArenaHeader, stretches);
  FIELD(Process, state);
  PART(Process, settings, MonitorSettings, out);
  PART(Process, settings, MonitorSettings, rules);
  PART(Process, settings, MonitorSettings, node_limit);
  PART(Process, settings, MonitorSettings, columns_mb);
  PART(Process, settings, MonitorSettings, tree_mb);
  PART(Process, clock, Clock, kind);
  PART(Process, clock, Clock, start);
  PART(Process, clock, Clock, init);
  PART(Process, clock, Clock, end);
  PART(Process, registry, Registry, regions);
  PART(Process, registry, Registry, count);
  FIELD(Process, costs);
  FIELD(Process, cost_history);
  FIELD(Process, locations);
  FIELD(Process, location_count);
  FIELD(Process, end_ticks);
  FIELD(Process, chosen);
  FIELD(Process, openmp);
  PART(Process, mpi, MpiFacts, present);
  PART(Process, mpi, MpiFacts, rank);
  PART(Process, mpi, MpiFacts, size);
  PART(Process, mpi, MpiFacts, init_ticks);
  PART(Process, mpi, MpiFacts, library);
  PART(Process, events, EventTables, channels);
  PART(Process, events, EventTables, channel_count);
  PART(Process, events, EventTables, communicators);
  PART(Process, events, EventTables, communicator_count);
  PART(Process, events, EventTables, log_bytes);
  PART(Process, events, EventTables, levels);
  PART(Process, events, EventTables, lost);
  PART(Process, clock_sync, ClockSync, world);
  PART(Process, global_clock, GlobalClock, nodes);
  PART(Process, global_clock, GlobalClock, node);
  PART(Process, global_clock, GlobalClock, init);
  PART(Process, counters, Counters, wanted);
  PART(Process, counters, Counters, count);
  FIELD(Process, snapshots);
  FIELD(Process, snapshot_count);
  PART(Location, tree, Tree, hot);
  PART(Location, tree, Tree, accounts);
  PART(Location, tree, Tree, counts);
  PART(Location, tree, Tree, records);
  PART(Location, tree, Tree, node_count);
  PART(Location, tree, Tree, record_count);
  FIELD(Location, hot);
  FIELD(Location, frames);
  FIELD(Location, traffic);
  FIELD(Location, traffic_count);
  PART(Location, values, AttachedTable, all);
  PART(Location, values, AttachedTable, count);
  FIELD(Location, own_top);
  FIELD(Location, first_ticks);
  FIELD(Location, log);
  FIELD(Location, number);
  FIELD(andes_node, parent);
  FIELD(andes_node, region);
  FIELD(andes_node, place);
  FIELD(Region, name);
  FIELD(Region, file);
  FIELD(Region, kind);
  FIELD(Region, module);
  std::printf("\n}\n");
}
