// A finishing library for tests: instead of a run file, the log of each rank as text, beside the file
// that ANDES_OUT names: `<ANDES_OUT>.<rank>`.
//   record KIND FLAGS ENTER DURATION REGION CHANNEL_KEY NUMBER PEER TAG UNORDERED AMOUNT THREAD
//   communicator ID SIZE RANK LOCAL_SIZE WORLD...
//   counts LEVEL UNORDERED OUTSIDE LOST BYTES
#include <cstdio>
#include <cstring>

#include "monitor/core/layout.h"

using namespace andes;
using namespace andes::monitor;

namespace {

void dump(const Process& process, const Location& location, std::FILE* file) {
  const EventTables& tables = process.events;
  for (std::uint32_t i = 0; i < location.log.count; i++) {
    const EventRecord& record = location.log.records[i];
    const Channel& channel = tables.channels[record.channel];
    const std::uint32_t region = location.tree.node(record.node).region;
    std::fprintf(file, "record %u %u %llu %.0f %s %llx %u %d %d %u %llu %u\n",
                 static_cast<unsigned>(record.kind), static_cast<unsigned>(record.flags),
                 static_cast<unsigned long long>(record.enter_ticks),
                 static_cast<double>(record.duration_ticks), process.registry.regions[region].name,
                 static_cast<unsigned long long>(channel.key), static_cast<unsigned>(record.number),
                 channel.peer, channel.tag, channel.unordered,
                 static_cast<unsigned long long>(long_of(record.amount())), location.number);
  }
}

} // namespace

extern "C" __attribute__((visibility("default"))) const std::uint64_t andes_finish_layout = andes::monitor::monitor_layout();

extern "C" __attribute__((visibility("default"))) void andes_finish_run(const Process* process,
                                                                        const andes_transport*, andes::monitor::FinishOutcome* outcome) {
  outcome->safe = true;
  char path[4096];
  std::snprintf(path, sizeof path, "%s.%d", process->settings.out, process->mpi.rank);
  std::FILE* file = std::fopen(path, "w");
  if (!file) return;
  const EventTables& tables = process->events;
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < process->location_count; i++)
    if (process->locations[i]) {
      dump(*process, *process->locations[i], file);
      bytes += process->locations[i]->log.limit * sizeof(EventRecord);
    }
  for (std::uint32_t i = 0; i < tables.communicator_count; i++) {
    const Communicator& communicator = tables.communicators[i];
    std::fprintf(file, "communicator %llx %u %u %u", static_cast<unsigned long long>(communicator.id),
                 communicator.size, communicator.rank, communicator.local_size);
    for (std::uint32_t rank = 0; rank < communicator.size; rank++)
      std::fprintf(file, " %d", communicator.world ? communicator.world[rank] : static_cast<int>(rank));
    std::fprintf(file, "\n");
  }
  std::fprintf(file, "counts %u %llu %llu %llu %llu\n", tables.levels.messages,
               static_cast<unsigned long long>(tables.unordered),
               static_cast<unsigned long long>(tables.outside),
               static_cast<unsigned long long>(tables.lost), static_cast<unsigned long long>(bytes));
  std::fclose(file);
}
