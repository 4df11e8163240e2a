// A process made by hand and its arena as bytes: all ticks are nanoseconds, and all of it is where a monitor would
// have put it.
#pragma once
#include <catch2/catch.hpp>

#include <cstring>
#include <memory>
#include <vector>

#include "monitor/core/layout.h"
#include "monitor/recover/open_visits.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recovered_clock.h"

namespace andes::test {

using namespace monitor;

inline constexpr std::uint64_t second = 1'000'000'000;

/// A process of one thread, begun at tick 1000, on a host that is not this one.
class MadeProcess {
public:
  explicit MadeProcess(int rank = 0, int size = 1) : process(std::make_unique<Process>()), location(std::make_unique<Location>()) {
    process->clock.kind = ClockKind::monotonic;
    process->clock.start = {1000, 1000, 5'000'000'000};
    process->mpi.present = size > 1;
    process->mpi.rank = rank;
    process->mpi.size = size;
    process->state = State::measuring;
    process->tree_memory.left_bytes = 1 << 20;
    REQUIRE(registry_start(process->registry));
    REQUIRE(location_start(*location, {.nodes = 1000, .depth = 64}, process->tree_memory, region_program, Stack(), 1000));
    process->locations[0] = location.get();
    process->location_count = 1;
    event_tables_start(process->events, size > 1 ? 1 << 20 : 0, 1000);
    if (size > 1) {
      process->clock_sync.done_at_init = true;
      process->clock_sync.world = 77;
      process->global_clock.init = {1000, 0, 0};
      for (const std::uint64_t id : {1, 2})
        add_communicator(process->events, {id, id == 1 ? static_cast<std::uint32_t>(size) : 1u,
                                           id == 1 ? static_cast<std::uint32_t>(rank) : 0u,
                                           id == 1 ? static_cast<std::uint32_t>(size) : 1u, nullptr});
    }
  }
  andes_frame* enter(const char* name, std::uint64_t at, std::uint32_t kind = ANDES_KIND_FUNCTION) {
    const auto region = registry_number(process->registry, {name, "x.c", 1, kind});
    Child child;
    if (!find_child(location->tree, innermost(*location), region, kind, child))
      child = make_child(location->tree, innermost(*location), region, kind);
    andes_frame* frame = push_frame(*location, child, 0, 0);
    frame->enter_ticks = at;
    return frame;
  }
  void leave(andes_frame* frame, std::uint64_t at) { pop_frames(*location, frame, at); }
  void visit(const char* name, std::uint64_t from, std::uint64_t to, std::uint32_t kind = ANDES_KIND_FUNCTION) {
    leave(enter(name, from, kind), to);
  }
  /// A message of this rank with `peer`, between these ticks, by the call that is innermost then.
  void message(EventKind kind, const char* call, int peer, std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
    const bool sends = kind == EventKind::send;
    andes_frame* frame = enter(call, from, sends ? ANDES_KIND_SEND : ANDES_KIND_RECEIVE);
    andes_node& node = location->tree.node_at(frame->place);
    if (node.traffic == 0) node.traffic = location->traffic_count++;
    andes_traffic& traffic = location->traffic[node.traffic];
    (sends ? traffic.bytes_sent : traffic.bytes_received) += bytes;
    (sends ? traffic.messages_sent : traffic.messages_received) += 1;
    const int rank = process->mpi.rank, source = sends ? rank : peer, destination = sends ? peer : rank;
    const ChannelName name = {0, peer, 0, sends ? ChannelEnd::source : ChannelEnd::destination};
    const std::uint32_t channel =
        find_channel(process->events, name, 1000 + static_cast<std::uint64_t>(source * 64 + destination));
    EventLog& log = location->log;
    if (log.count == log.limit) REQUIRE(make_room(process->events, log));
    EventRecord& record = log.records[log.count++] = {};
    record.enter_ticks = from - 1000;
    record.duration_ticks = static_cast<float>(to - from);
    record.kind = static_cast<std::uint64_t>(kind);
    record.node = location->tree.number(node);
    record.channel = channel;
    record.number = process->events.channels[channel].next++;
    record.set_amount(short_of(bytes));
    leave(frame, to);
  }

  /// The file; `skip`: an address whose stretch has no place.
  std::vector<std::byte> arena(Ending ending = {EndKind::running, 0, 0}, const void* skip = nullptr) const {
    auto header = std::make_unique<ArenaHeader>();
    std::memcpy(header->magic, arena_magic, sizeof header->magic);
    header->format = arena_format;
    header->header_bytes = sizeof(ArenaHeader);
    header->layout = monitor_layout();
    header->process_address = reinterpret_cast<std::uint64_t>(process.get());
    header->pid = 4711;
    header->pid_start = 1;
    std::strcpy(header->boot_id, "another boot");
    std::strcpy(header->host, "there");
    static const char texts[] = "/opt/work/solver" "/home/user/case" "solver\0-n\0" "4"; // as the monitor lays them
    header->executable = {texts, 16};
    header->directory = {texts + 16, 15};
    header->arguments = {texts + 31, 12};
    header->cores[0] = 3;
    header->ending = ending;
    std::vector<std::byte> bytes(page_up(sizeof(ArenaHeader)));
    const auto stretch = [&](const void* from, std::size_t count) {
      Stretch& one = header->stretches[header->stretch_count++];
      one = {reinterpret_cast<std::uint64_t>(from), count, from == skip ? 0 : bytes.size()};
      if (one.offset == 0) return;
      bytes.resize(bytes.size() + page_up(count));
      std::memcpy(bytes.data() + one.offset, from, count);
    };
    const Tree& tree = location->tree;
    const Registry& registry = process->registry;
    stretch(process.get(), sizeof *process);
    stretch(location.get(), sizeof *location);
    stretch(tree.hot, offsetof(andes_location, entries));
    stretch(&tree.hot->root, tree.node_count * sizeof(andes_node));
    stretch(tree.accounts, tree.node_count * sizeof(NodeAccount));
    stretch(tree.records, tree.record_count * sizeof(SampleRecord));
    stretch(location->frames, 64 * sizeof(andes_frame));
    stretch(location->traffic, location->traffic_count * sizeof(andes_traffic));
    if (location->log.count) stretch(location->log.records, location->log.count * sizeof(EventRecord));
    if (process->events.channels) stretch(process->events.channels, process->events.channel_count * sizeof(Channel));
    if (process->events.communicators)
      stretch(process->events.communicators, process->events.communicator_count * sizeof(Communicator));
    stretch(registry.regions, registry.count * sizeof(Region));
    stretch(registry.text.begin, static_cast<std::size_t>(registry.text_next - registry.text.begin));
    stretch(texts, sizeof texts);
    std::memcpy(bytes.data(), header.get(), sizeof *header);
    return bytes;
  }
  static std::size_t page_up(std::size_t bytes) { return (bytes + 4095) & ~std::size_t{4095}; }

  std::unique_ptr<Process> process;
  std::unique_ptr<Location> location;
};

/// Read, with its clock and closed.
inline std::unique_ptr<RecoveredProcess> recovered(const std::vector<std::byte>& bytes) {
  auto process = read_process(bytes);
  set_clocks({process.get()});
  close_process(*process);
  return process;
}

/// Number of the node of a call path, its regions joined by slashes below the root; 0: there is none.
inline std::uint32_t node_of(const Process& process, const std::string& path) {
  const Tree& tree = process.locations[0]->tree;
  for (std::uint32_t i = 1; i < tree.node_count; ++i) {
    std::string text;
    for (std::uint32_t at = i; at != node_root; at = tree.node(at).parent) {
      const std::string name = process.registry.regions[tree.node(at).region].name;
      text = text.empty() ? name : name + '/' + text;
    }
    if (text == path) return i;
  }
  return 0;
}

inline std::uint64_t ticks_of(const RecoveredProcess& recovered, const std::string& path) {
  const std::uint32_t node = path.empty() ? std::uint32_t{node_root} : node_of(recovered.process, path);
  return recovered.process.locations[0]->tree.node(node).inclusive_ticks;
}
inline std::int64_t visits_of(const RecoveredProcess& recovered, const std::string& path) {
  return recovered.process.locations[0]->tree.visits(node_of(recovered.process, path));
}

} // namespace andes::test
