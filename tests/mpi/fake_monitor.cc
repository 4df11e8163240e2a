// The functions of the monitor that the wrappers' parts call, on the tables of fake_monitor.h.
#include "fake_monitor.h"

extern "C" {
void andes_say_once(int, const char*, ...) { fake::said++; }
std::uint32_t andes_traffic_new(andes_location_data*, andes_node*) { return 0; }
bool andes_peers_new(andes_location_data*) { return false; }
andes::monitor::EventTables* andes_events() { return &fake::tables; }
std::uint32_t andes_channel(andes_location_data* location, const andes::monitor::ChannelName* name, std::uint64_t key) {
  const std::uint32_t channel = andes::monitor::find_channel(fake::tables, *name, key);
  if (location && channel) andes::monitor::cache_channel(location->log, *name, channel);
  return channel;
}
std::uint32_t andes_communicator(const andes::monitor::Communicator* communicator) {
  return andes::monitor::add_communicator(fake::tables, *communicator);
}
void andes_session_open(bool) {}
void* andes_keep(std::size_t bytes) { return malloc(bytes); }
std::uint64_t andes_ticks_now() { return fake::now_ticks; }
std::uint64_t andes_core_wait_ticks() { return fake::core_wait_ticks; }
std::uint64_t andes_core_ticks() { return fake::core_ticks; }
andes_frame* andes_enter_call(andes_site*, std::uintptr_t, std::uintptr_t, andes_view*) { return nullptr; }
void andes_leave_call(andes_frame*) {} // as of a visit whose time is told elsewhere
andes_site* andes_call_site(andes_site* call, std::uintptr_t) { return call; }
std::uint32_t andes_region_of(const andes_site*) { return 1; }
andes_node* andes_call_path(std::uint32_t, std::uintptr_t, std::uintptr_t) { return &andes_here.location->root; }
bool andes_call_is_left(std::uintptr_t) { return false; }
bool andes_log_room(andes::monitor::EventLog* log) { return andes::monitor::make_room(fake::tables, *log); }
}

namespace andes::monitor::mpi {
bool measuring, threads;
int own_rank, world_size;
MPI_Group world_group() {
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  return world;
}
} // namespace andes::monitor::mpi
