#include "monitor/recover/read_process.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "monitor/recover/arena_image.h"
#include "monitor/recover/read_location.h"
#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::size_t longest_name = 1 << 14, longest_path = 4096;
constexpr int most_ranks = 1 << 24;
constexpr std::uint64_t memory_per_byte = 8, least_memory = std::uint64_t{64} << 20;

double sane(double value, double low, double high, double fallback) {
  return std::isfinite(value) && value >= low && value <= high ? value : fallback;
}

const char* kept(RecoveredProcess& into, const std::string& text) {
  if (text.empty()) return "";
  char* copy = into.memory.array<char>(text.size() + 1);
  text.copy(copy, text.size()); // memory is zeroed
  return copy;
}

void read_header(const ArenaImage& image, RecoveredProcess& into) {
  const ArenaHeader& header = image.header();
  const auto field = [](const char* text, std::size_t room) { return std::string(text, strnlen(text, room)); };
  const auto path = [&](const ArenaText& text) { // the next text follows at once, without a zero
    return image.text(address_of(text.text), std::min<std::uint64_t>(text.bytes, longest_path));
  };
  into.program.executable = path(header.executable);
  into.program.name = into.program.executable.substr(into.program.executable.rfind('/') + 1);
  into.program.directory = path(header.directory);
  into.program.hash = field(header.executable_hash, sizeof header.executable_hash);
  into.program.arguments = image.texts(header.arguments);
  if (!into.program.arguments.empty()) into.program.arguments.erase(into.program.arguments.begin());
  for (const std::string& variable : image.texts(header.environment))
    if (const std::size_t equals = variable.find('='); equals != std::string::npos)
      into.environment.emplace(variable.substr(0, equals), variable.substr(equals + 1));
  into.boot_id = field(header.boot_id, sizeof header.boot_id);
  into.host.facts.name = field(header.host, sizeof header.host);
  if (into.host.facts.name.empty()) into.host.facts.name = "unknown";
  for (std::size_t cpu = 0; cpu < 64 * std::size(header.cores); ++cpu)
    if (header.cores[cpu / 64] >> cpu % 64 & 1) {
      into.host.cores.resize(cpu + 1);
      into.host.cores.back() = 1;
    }
  into.pid = header.pid;
  into.pid_start = header.pid_start;
  into.ending = header.ending;
  if (into.ending.kind > EndKind::sessions_over) into.ending.kind = EndKind::running;
  if (into.ending.ticks >= most_ticks * 64) into.ending.ticks = 0;
  if (into.ending.kind == EndKind::mpi_error) into.ending_text = field(header.ending_text, sizeof header.ending_text);
}

void read_settings(const ArenaImage& image, const MonitorSettings& raw, RecoveredProcess& into) {
  MonitorSettings& settings = into.process.settings;
  const auto read = [](std::size_t place, const auto& from, auto& to) { // values outside the range leave the default
    if (monitor_settings[place].range.holds(static_cast<double>(from))) to = from;
  };
#define ANDES_NUMBER(type, key, ...) read(setting_of(#key), raw.key, settings.key);
#define ANDES_SWITCH(member, ...) settings.member = is_set(raw.member);
#define ANDES_TEXT(key, ...) settings.key = kept(into, image.text(address_of(raw.key), longest_path));
#define ANDES_OTHER(...)
#include "monitor/interface/settings.def"
  settings.transfer_latency_ns = sane(raw.transfer_latency_ns, 0, 1e12, 0);
  settings.transfer_bytes_per_s = sane(raw.transfer_bytes_per_s, 0, 1e15, 0);
}

/// Copies a text for a list of facts; only plain characters stay.
template <std::size_t bytes> void copy_plain(char (&to)[bytes], const char (&from)[bytes]) {
  for (std::size_t i = 0; i + 1 < bytes && from[i]; ++i) to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
}

/// Reads counters: names and reasons are bounded, and counts must be consistent.
void read_counters(const Counters& raw, RecoveredProcess& into) {
  if (raw.wanted > max_events || raw.count > raw.wanted) return;
  Counters& counters = into.process.counters;
  std::uint32_t counted = 0;
  for (std::uint32_t i = 0; i < raw.wanted; ++i) {
    CountedEvent& event = counters.events[i];
    copy_plain(event.name, raw.events[i].name);
    copy_plain(event.trouble, raw.events[i].trouble);
    event.counted = is_set(raw.events[i].counted);
    event.said = true;
    event.place = raw.events[i].place;
    if (!event.counted) continue;
    if (event.place >= raw.count || raw.event_of_place[event.place] != i) {
      counters = {};
      return;
    }
    counters.event_of_place[event.place] = i;
    counters.seen[event.place] = is_set(raw.seen[event.place]);
    ++counted;
  }
  if (counted != raw.count) counters = {};
  else counters.wanted = raw.wanted, counters.count = counted;
}

Anchor sane(const Anchor& raw) {
  constexpr std::int64_t most_ns = std::int64_t{1} << 61; // 73 years
  const bool fine = raw.ticks < most_ticks * 64 && raw.monotonic_ns >= 0 && raw.monotonic_ns < most_ns &&
                    raw.realtime_ns >= 0 && raw.realtime_ns < most_ns;
  return fine ? raw : Anchor();
}

void read_clocks(const Process& raw, RecoveredProcess& into) {
  Process& process = into.process;
  process.clock.kind = raw.clock.kind == ClockKind::monotonic ? ClockKind::monotonic : ClockKind::tsc;
  process.clock.start = sane(raw.clock.start);
  process.clock.init = sane(raw.clock.init);
  process.clock.end = sane(raw.clock.end);
  process.end_ticks = raw.end_ticks;
  into.finalized = raw.end_ticks != 0 && into.ending.kind != EndKind::exit; // which ends the measurement, too
  if (process.clock.start.ticks == 0) refuse("", "damaged: the start of its clock", "remove it");
  process.clock_sync.done_at_init = is_set(raw.clock_sync.done_at_init);
  process.clock_sync.world = raw.clock_sync.world;
  GlobalClock& clock = process.global_clock;
  const auto point = [](const ClockPoint& from) {
    return ClockPoint{from.ticks, sane(from.global_ns, -1e18, 1e18, 0), sane(from.error_ns, 0, 1e12, 1e12)};
  };
  clock.init = point(raw.global_clock.init);
  clock.end = point(raw.global_clock.end);
  clock.nodes = raw.global_clock.nodes > 0 ? raw.global_clock.nodes : 1;
  clock.node = raw.global_clock.node >= 0 && raw.global_clock.node < clock.nodes ? raw.global_clock.node : 0;
  clock.offset_error_ns = sane(raw.global_clock.offset_error_ns, 0, 1e12, 0);
  clock.synchronised = is_set(raw.global_clock.synchronised);
}

ProbeCosts sane(const ProbeCosts& raw) {
  constexpr double most = 1e9;
  ProbeCosts costs;
  costs.pair = sane(raw.pair, 0, most, 0);
  costs.inner = sane(raw.inner, 0, costs.pair, 0);
  costs.dependent = sane(raw.dependent, 0, most, 0);
  costs.dependent_inner = sane(raw.dependent_inner, 0, costs.dependent, 0);
  costs.busy = sane(raw.busy, 0, most, 0);
  costs.busy_inner = sane(raw.busy_inner, 0, costs.busy, 0);
  costs.sampled = sane(raw.sampled, 0, most, 0);
  costs.timed = sane(raw.timed, 0, most, 0);
  costs.sample = sane(raw.sample, 0, most, 0);
  costs.sample_inner = sane(raw.sample_inner, 0, costs.sample, 0);
  costs.call_less = sane(raw.call_less, 0, costs.timed, 0);
  costs.sample_dependent_inner = sane(raw.sample_dependent_inner, 0, costs.sample, costs.sample_inner);
  costs.sample_busy_inner = sane(raw.sample_busy_inner, 0, costs.sample, costs.sample_inner);
  costs.short_work = sane(raw.short_work, 0, most, 0);
  costs.sample_short_inner = sane(raw.sample_short_inner, 0, costs.sample, costs.sample_inner);
  costs.closed = sane(raw.closed, 0, most, 0);
  costs.clock = sane(raw.clock, 0, most, 0);
  costs.hook = sane(raw.hook, 0, most, 0);
  costs.error = sane(raw.error, 0, most, 0);
  costs.ticks_per_ms = sane(raw.ticks_per_ms, 0, 1e12, 0);
  costs.counts_by_call = is_set(raw.counts_by_call);
  costs.fenced_clock = is_set(raw.fenced_clock);
  return costs;
}

CostHistory sane(const CostHistory& raw) {
  constexpr double most = double(most_ticks) * 64, most_cost = 1e9;
  CostHistory history;
  history.count = raw.count;
  history.ticks = sane(raw.ticks, 0, most, 0);
  for (const auto cost : repeated_costs)
    history.integral.*cost = sane(raw.integral.*cost, 0, most_cost * history.ticks, 0);
  history.least_closed = sane(raw.least_closed, 0, most_cost, 0);
  history.changes = sane(raw.changes, 0, most_cost * history.ticks, 0);
  return history;
}

void read_mpi(const MpiFacts& raw, RecoveredProcess& into) {
  MpiFacts& mpi = into.process.mpi;
  mpi.present = is_set(raw.present);
  if (!mpi.present) return;
  if (raw.size < 1 || raw.size > most_ranks || raw.rank < 0 || raw.rank >= raw.size)
    refuse("", "damaged: its rank", "remove it");
  mpi.spawned = is_set(raw.spawned);
  mpi.sessions = is_set(raw.sessions);
  mpi.rank = raw.rank;
  mpi.size = raw.size;
  mpi.version = raw.version;
  mpi.subversion = raw.subversion;
  constexpr std::uint64_t most_eager = std::uint64_t{1} << 44;
  if (std::max(raw.eager.within_node, raw.eager.between_nodes) < most_eager) mpi.eager = raw.eager;
  mpi.init_ticks = raw.init_ticks < most_ticks ? raw.init_ticks : 0;
  std::memcpy(mpi.library, raw.library, sizeof mpi.library - 1);
}

void read_registry(const ArenaImage& image, const Registry& raw, RecoveredProcess& into) {
  const std::uint64_t address = address_of(raw.regions);
  const std::uint64_t wanted = std::min<std::uint64_t>(raw.count, ANDES_REGIONS);
  const std::uint64_t count = image.reach(address, wanted * sizeof(Region)) / sizeof(Region);
  if (count < first_free_region) refuse("", "damaged: its regions", "remove it");
  Registry& registry = into.process.registry;
  Region* const read = into.memory.array<Region>(count);
  image.read(address, read, count * sizeof(Region));
  registry.regions = into.memory.array<Region>(count);
  registry.count = static_cast<std::uint32_t>(count);
  constexpr Region fixed[first_free_region] = {{"", "", 0, ANDES_KIND_FUNCTION},
                                               {"(program)", "", 0, ANDES_KIND_ROOT},
                                               {"(thread)", "", 0, ANDES_KIND_ROOT},
                                               {"(andes)", "", 0, ANDES_KIND_TOOL},
                                               {"(more call paths)", "", 0, ANDES_KIND_OVERFLOW},
                                               {"(more MPI calls)", "", 0, ANDES_KIND_MANAGEMENT}};
  for (std::uint32_t i = 0; i < registry.count; ++i) {
    Region& region = registry.regions[i];
    if (i < first_free_region) {
      region = fixed[i];
      continue;
    }
    region = {};
    const std::string name = image.text(address_of(read[i].name), longest_name);
    region.name = kept(into, name.empty() ? "(name lost)" : name);
    region.file = kept(into, image.text(address_of(read[i].file), longest_name));
    region.line = read[i].line < 1u << 30 ? read[i].line : 0;
    region.kind = read[i].kind <= ANDES_KIND_LOCAL ? read[i].kind : std::uint32_t{ANDES_KIND_FUNCTION};
    region.module = kept(into, image.text(address_of(read[i].module), longest_path));
    region.offset = read[i].offset;
    region.is_call = is_set(read[i].is_call);
  }
}

void read_communicators(const ArenaImage& image, const EventTables& raw, RecoveredProcess& into) {
  EventTables& tables = into.process.events;
  const std::uint64_t address = address_of(raw.communicators);
  const std::uint64_t count =
      image.reach(address, std::uint64_t{raw.communicator_count} * sizeof(Communicator)) / sizeof(Communicator);
  auto* const all = into.memory.array<Communicator>(count);
  image.read(address, all, count * sizeof(Communicator));
  const auto ranks = static_cast<std::uint32_t>(into.process.mpi.size);
  // Many communicators share one list of members.
  std::map<std::pair<std::uint64_t, std::uint32_t>, const std::int32_t*> worlds;
  for (std::uint64_t i = 0; i < count; ++i) {
    Communicator& one = all[i];
    const std::uint64_t world = address_of(one.world), bytes = std::uint64_t{one.size} * sizeof *one.world;
    const std::uint64_t sources = address_of(one.sources);
    const std::uint64_t source_bytes = std::uint64_t{one.source_count} * sizeof *one.sources;
    one.world = one.sources = nullptr;
    if (one.size > most_ranks || one.rank >= one.size || one.local_size > one.size ||
        (world == 0 ? one.size > ranks : image.reach(world, bytes) != bytes)) {
      one = {}; // without ranks: operations on it are not compared
      continue;
    }
    if (one.source_count > most_ranks || image.reach(sources, source_bytes) != source_bytes) one.source_count = 0;
    if (one.source_count > 0) {
      auto* const copy = into.memory.array<std::int32_t>(one.source_count);
      image.read(sources, copy, source_bytes);
      one.sources = copy;
    }
    if (world == 0) continue;
    const std::int32_t*& known = worlds[{world, one.size}];
    if (!known) {
      auto* const copy = into.memory.array<std::int32_t>(one.size);
      image.read(world, copy, bytes);
      for (std::uint32_t member = 0; member < one.size; ++member)
        if (copy[member] < -1 || copy[member] >= static_cast<std::int32_t>(ranks)) copy[member] = -1;
      known = copy;
    }
    one.world = known;
  }
  tables.communicators = all;
  tables.communicator_count = static_cast<std::uint32_t>(count);
}

void read_events(const ArenaImage& image, const EventTables& raw, RecoveredProcess& into) {
  EventTables& tables = into.process.events;
  tables.start_ticks = into.process.clock.start.ticks;
  if (raw.log_bytes == 0 || !into.process.mpi.present) return;
  read_communicators(image, raw, into);
  const std::uint64_t address = address_of(raw.channels);
  const std::uint64_t wanted = std::min(raw.channel_count, event_limit_channel);
  const std::uint64_t count = image.reach(address, wanted * sizeof(Channel)) / sizeof(Channel);
  into.lost.channels += wanted - count;
  tables.channels = into.memory.array<Channel>(count + 1);
  image.read(address, tables.channels, count * sizeof(Channel));
  tables.channel_count = static_cast<std::uint32_t>(count + (count == 0));
  for (std::uint32_t i = 0; i < tables.channel_count; ++i) {
    Channel& channel = tables.channels[i];
    const bool whole = i != 0 && channel.key != 0 && channel.communicator < tables.communicator_count &&
                       tables.communicators[channel.communicator].size != 0 && channel.peer >= -1 &&
                       channel.peer < into.process.mpi.size && channel.end <= ChannelEnd::target;
    if (whole) continue;
    into.lost.channels += i != 0;
    channel = {};
    channel.peer = -1;
    channel.unordered = order_unknown;
  }
  tables.log_bytes = raw.log_bytes;
  tables.logged_calls = raw.logged_calls;
  tables.left_out = raw.left_out;
  tables.lost_calls = std::min(raw.lost_calls, most_ticks);
  tables.constants = raw.constants;
  tables.levels = possible(raw.levels);
  tables.unordered = std::min(raw.unordered, most_ticks);
  tables.outside = std::min(raw.outside, most_ticks);
  tables.lost = std::min(raw.lost, most_ticks);
}

void read_locations(const ArenaImage& image, const Process& raw, RecoveredProcess& into) {
  for (std::uint32_t i = 0; i < std::min(raw.location_count, max_locations); ++i) {
    const std::uint64_t address = address_of(raw.locations[i]);
    if (address == 0) continue;
    if (!read_location(image, address, into)) into.lost.threads++;
  }
  if (into.process.location_count == 0) refuse("", "nothing was measured in it yet", "remove it");
}

} // namespace

RecoveredMemory::~RecoveredMemory() {
  for (const auto& [memory, bytes] : all_) unreserve(memory, bytes);
}

void* RecoveredMemory::bytes(std::size_t count, std::size_t touched) {
  // Small pieces share pages: names are many.
  constexpr std::size_t chunk_bytes = 1 << 16, alignment = 64;
  count = (count + alignment - 1) & ~(alignment - 1);
  if (touched > left_bytes_) refuse("", "damaged: it holds more than its size", "remove it");
  left_bytes_ -= touched;
  if (count > chunk_left_) {
    const std::size_t whole = std::max(count, chunk_bytes);
    void* fresh = reserve(whole);
    if (!fresh) throw std::bad_alloc();
    all_.emplace_back(fresh, whole);
    if (count >= chunk_bytes) return fresh;
    chunk_ = static_cast<char*>(fresh);
    chunk_left_ = whole;
  }
  void* given = chunk_;
  chunk_ += count;
  chunk_left_ -= count;
  return given;
}

std::unique_ptr<RecoveredProcess> read_process(std::span<const std::byte> bytes) {
  const ArenaImage image(bytes);
  auto found = std::make_unique<RecoveredProcess>(memory_per_byte * bytes.size() + least_memory);
  // Raw bytes: any value may stand anywhere, so bools are read by is_set().
  const std::unique_ptr<Process> raw = std::make_unique<Process>();
  if (image.read(image.header().process_address, static_cast<void*>(raw.get()), sizeof *raw) != 0)
    refuse("", "damaged: the process itself is not in it", "remove it");
  Process& process = found->process;
  process.state = raw->state;
  process.process_id = image.header().pid;
  read_header(image, *found);
  read_settings(image, raw->settings, *found);
  read_counters(raw->counters, *found);
  read_clocks(*raw, *found);
  process.costs = sane(raw->costs);
  process.cost_history = sane(raw->cost_history);
  process.tree_memory.left_bytes =
      std::clamp<std::int64_t>(raw->tree_memory.left_bytes, -std::int64_t(most_ticks), std::int64_t(most_ticks));
  process.chosen = is_set(raw->chosen);
  process.openmp = raw->openmp & (openmp_gomp | openmp_omp);
  read_mpi(raw->mpi, *found);
  read_registry(image, raw->registry, *found);
  read_events(image, raw->events, *found);
  process.snapshot_count = std::min(raw->snapshot_count, max_snapshots);
  for (std::uint32_t i = 0; i < process.snapshot_count; ++i) process.snapshots[i] = raw->snapshots[i];
  read_locations(image, *raw, *found);
  return found;
}

} // namespace andes::monitor
