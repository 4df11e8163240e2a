// What the parts of the MPI wrappers need of the monitor, for tests without a run: tables of its own
// (the real ones of event_log.cc) and locations that log calls at times the test gives.
#pragma once
#include <cstdarg>
#include <cstring>
#include <memory>
#include <vector>

#include "monitor/mpi/receives.h"
#include "monitor/mpi/requests.h"

namespace fake {

inline int said; // messages of the monitor
inline andes::monitor::EventTables tables;
inline std::uint64_t now_ticks, core_wait_ticks, core_ticks; // what the monitor says of them

/// A thread: a location with one node, number 0.
struct Thread {
  std::unique_ptr<andes_location> hot = std::make_unique<andes_location>();
  andes_location_data data = {};
  std::vector<andes_traffic> traffic = std::vector<andes_traffic>(2);
  std::unique_ptr<andes_frame> frame = std::make_unique<andes_frame>();
  explicit Thread(std::uint32_t number) {
    hot->root.place = ANDES_ROOT;
    hot->root.traffic = 1;
    hot->data = &data;
    hot->top = frame.get();
    frame->place = ANDES_ROOT;
    data.hot = hot.get();
    data.number = number;
    data.traffic = traffic.data();
  }
  void here() { andes_here.location = hot.get(); }
  /// A call of this thread that has just returned.
  andes::monitor::mpi::Visit call(std::uint64_t enter_ticks, std::uint64_t exit_ticks) {
    here();
    data.library_ticks += exit_ticks - enter_ticks;
    return {&hot->root, &data, enter_ticks, exit_ticks - enter_ticks};
  }
};

/// Starts the log anew: `log_bytes` for records and tables, rank 0 of 8.
inline void begin(std::uint64_t log_bytes = 1 << 20) {
  andes_here.location = nullptr; // that of a test before this one is gone
  andes::monitor::mpi::forget_postings();
  andes::monitor::mpi::forget_requests();
  tables = {};
  andes::monitor::event_tables_start(tables, log_bytes, 0);
  andes::monitor::mpi::threads = false;
  andes::monitor::mpi::measuring = true;
  andes::monitor::mpi::any_cancelled = false;
  andes::monitor::mpi::own_rank = 0;
  andes::monitor::mpi::world_size = 8;
  andes::monitor::mpi::begin_communicators();
  andes::monitor::mpi::begin_world();
}

/// Number and enter time of the records of a kind, in the order of the log.
struct Numbered {
  std::uint64_t enter_ticks, number;
  std::int32_t peer, tag;
  bool operator==(const Numbered&) const = default;
};
inline std::vector<Numbered> records(const Thread& thread, andes::monitor::EventKind kind) {
  std::vector<Numbered> found;
  for (std::uint32_t i = 0; i < thread.data.log.count; i++) {
    const andes::monitor::EventRecord& record = thread.data.log.records[i];
    const andes::monitor::Channel& channel = tables.channels[record.channel];
    if (record.kind == static_cast<std::uint64_t>(kind) && !channel.unordered)
      found.push_back({record.enter_ticks, record.number, channel.peer, channel.tag});
  }
  return found;
}

inline MPI_Status status(int source, int tag) {
  MPI_Status made;
  memset(&made, 0, sizeof made);
  made.MPI_SOURCE = source;
  made.MPI_TAG = tag;
  return made;
}

} // namespace fake
