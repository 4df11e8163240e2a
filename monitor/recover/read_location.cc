// Invalid nodes (never backed, or damaged) become empty nodes below the root, with all nodes below them: so
// node numbers do not change, and their time stays with the call path above.
#include "monitor/recover/read_location.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "monitor/finish/window_estimate.h"

namespace andes::monitor {
namespace {

constexpr std::uint64_t most_count = std::uint64_t{1} << 53; // a double holds such a count exactly
constexpr std::uint64_t most_visits = std::uint64_t{1} << 60;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 44; // of messages of one call path

class LocationReading {
public:
  LocationReading(const ArenaImage& image, const Location& raw, RecoveredProcess& into)
      : image_(image), raw_(raw), into_(into), location_(*into.memory.array<Location>(1)) {}

  bool read() {
    if (!read_tree()) return false;
    read_traffic();
    read_values();
    read_frames();
    read_intent();
    read_polls();
    read_times();
    read_team();
    read_log();
    Process& process = into_.process;
    location_.number = process.location_count == 0 ? raw_.number : std::max(1u, raw_.number);
    process.locations[process.location_count++] = &location_;
    into_.open.push_back(std::move(open_));
    return true;
  }

private:
  Tree& tree() { return location_.tree; }

  /// Number of an array's entries in the file; the rest of `wanted` is counted as lost.
  template <class T> std::uint64_t there(const T* array, std::uint64_t wanted) const {
    return image_.reach(address_of(array), wanted * sizeof(T)) / sizeof(T);
  }
  template <class T> T* copy(const T* array, std::uint64_t count) {
    T* const own = into_.memory.array<T>(count);
    image_.read(address_of(array), static_cast<void*>(own), count * sizeof(T));
    return own;
  }

  bool read_tree() {
    const Tree& raw = raw_.tree;
    const std::uint64_t nodes_address = address_of(raw.hot) + ANDES_ROOT;
    const std::uint64_t wanted = std::min<std::uint64_t>(raw.node_count, 1u << 24);
    const std::uint64_t nodes = image_.reach(nodes_address, wanted * sizeof(andes_node)) / sizeof(andes_node);
    const std::uint64_t count = std::min(nodes, there(raw.accounts, wanted));
    into_.lost.call_paths += wanted - count;
    if (raw.hot == nullptr || count < first_free_node) return false;
    Tree& own = tree();
    own.hot = reinterpret_cast<andes_location*>(
        into_.memory.sparse(ANDES_ROOT + count * sizeof(andes_node), count * sizeof(andes_node)));
    own.hot->off = 1;
    location_.hot = own.hot;
    image_.read(nodes_address, &own.hot->root, count * sizeof(andes_node));
    own.accounts = copy(raw.accounts, count);
    own.node_count = static_cast<std::uint32_t>(count);
    const std::uint64_t records = there(raw.records, std::min<std::uint64_t>(raw.record_count, 1u << 16));
    own.records = copy(raw.records, std::max<std::uint64_t>(records, 1));
    own.unvisited = raw.unvisited;
    own.limits_met = raw.limits_met;
    own.record_count = static_cast<std::uint32_t>(std::max<std::uint64_t>(records, 1));
    own.limits = {.nodes = own.node_count};
    read_counts();
    own.memory = &into_.process.tree_memory;
    alive_.assign(count, true);
    for (std::uint32_t i = 0; i < own.node_count; ++i)
      if (!check_node(i)) {
        if (i < first_free_node) return false;
        empty_node(i);
      }
    return true;
  }

  /// Reads all counts or none: missing counts of a call path would look like zero.
  void read_counts() {
    Tree& own = tree();
    const std::uint32_t events = into_.process.counters.count;
    const std::uint64_t wanted = std::uint64_t{own.node_count} * events;
    if (wanted == 0 || raw_.tree.limits.events != events || there(raw_.tree.counts, wanted) != wanted) return;
    own.counts = copy(raw_.tree.counts, wanted);
    own.limits.events = events;
    for (std::uint64_t i = 0; i < wanted; ++i)
      if (own.counts[i] < 0 || std::uint64_t(own.counts[i]) >= most_count) own.counts[i] = 0;
  }

  bool check_node(std::uint32_t number) {
    andes_node& node = tree().node(number);
    NodeAccount& account = tree().accounts[number];
    account.by_hooks = is_set(account.by_hooks);
    if (node.place != place_of(number)) return false;
    if (number == node_root ? node.parent != ANDES_NOWHERE : node.parent >= number || !alive_[node.parent])
      return false;
    if (node.region == 0 || node.region >= into_.process.registry.count || node.kind > ANDES_KIND_LOCAL ||
        node.inclusive_ticks >= most_ticks || node.inside_ticks >= most_ticks || account.tool_ticks >= most_ticks ||
        account.moved_ticks <= -std::int64_t(most_ticks) || account.moved_ticks >= std::int64_t(most_ticks))
      return false;
    node.depth = number == node_root ? 0 : tree().node(node.parent).depth + 1;
    node.bits = is_sampled(node) ? std::uint32_t{ANDES_FRAME_UNTIMED} : node.bits & ANDES_FRAME_INSIDE;
    node.folds = 0;
    std::int64_t visits = 0;
    if (account.visits_base < 0) visits = visits_apart(account.visits_base);
    else if (__builtin_sub_overflow(account.visits_base, node.countdown, &visits)) return false;
    if (visits < 0 || std::uint64_t(visits) >= most_visits) return false;
    account.visits_before = std::clamp<std::int64_t>(account.visits_before, 0, visits);
    account.visits_base = visits; // both are small, so sums cannot overflow
    node.countdown = 0;
    if (!check_record(node, visits)) {
      node.record = 0;
      node.bits = 0;
    }
    return true;
  }

  bool check_record(const andes_node& node, std::int64_t visits) {
    if (node.record == 0) return node.bits != ANDES_FRAME_UNTIMED;
    if (node.record >= tree().record_count) return false;
    SampleRecord& record = tree().records[node.record];
    const Sample& sample = record.sample;
    constexpr double most = 1e30;
    for (const double value : {sample.visits, sample.ticks, sample.largest, sample.weight2, sample.weight3,
                               sample.grouped2, sample.grouped3, sample.variance, sample.open2, sample.open3})
      if (!(value >= 0 && value < most)) return false;
    for (const double value : {sample.variance_squares, sample.third, sample.d1, sample.d2, sample.d3})
      if (!(std::fabs(value) < most * most)) return false;
    if (sample.timed != 0) { // the estimate from it must be finite, too
      const Estimate made = estimate(sample, 1);
      for (const double value : {made.total, made.variance, made.below, made.above})
        if (!(std::fabs(value) < most)) return false;
    }
    if (sample.timed >= most_visits || sample.groups >= most_visits || sample.origin >= most_ticks ||
        sample.open >= sample_group || record.visits < 0 || record.visits > visits || record.visits_before < 0 ||
        record.visits_before > visits)
      return false;
    if (!check_windows(record, visits)) return false;
    const InterruptedVisits& interrupted = record.interrupted;
    if (interrupted.count >= most_visits || !(interrupted.ticks >= 0 && interrupted.ticks < most) ||
        !(interrupted.squares >= 0 && interrupted.squares < most * most))
      return false;
    record.recursion_ticks = 0; // the open visits of a dead process: they are not timed to their end
    record.below_ticks = 0;
    if (!std::isfinite(record.recent_ticks)) record.recent_ticks = 0;
    return true;
  }

  bool check_windows(SampleRecord& record, std::int64_t visits) {
    WindowSums& windows = record.windows;
    record.windowed = is_set(record.windowed);
    windows.rests = is_set(windows.rests);
    end_rest(windows, tree().unvisited);
    constexpr double most = 1e30;
    for (const double sum : windows.sum)
      if (!(sum >= 0 && sum < most)) return false;
    for (const double product : windows.products)
      if (!(std::fabs(product) < most * most)) return false;
    if (!(std::fabs(windows.cpu_ns) < most) || !(std::fabs(windows.ticks) < most) ||
        !(windows.below_ticks >= 0 && windows.below_ticks < most))
      return false;
    if (windows.visited > windows.windows || windows.visits < 0 || windows.visits > visits ||
        windows.timed >= most_visits || windows.within >= most_visits ||
        !(windows.cut_ticks >= 0 && windows.cut_ticks < most))
      return false;
    const WindowEstimate made = estimate(windows);
    for (const double value : {made.visits, made.visits_error.below, made.visits_error.above, made.visits_cost.below,
                               made.visits_cost.above, made.ticks.variance, made.ticks.below, made.ticks.above})
      if (!(value >= 0 && value < most)) return false;
    return std::isnan(made.ticks.total) || (made.ticks.total >= 0 && made.ticks.total < most);
  }

  void empty_node(std::uint32_t number) {
    alive_[number] = false;
    into_.lost.call_paths++;
    tree().accounts[number] = {};
    andes_node& node = tree().node(number);
    node = {};
    node.place = place_of(number);
    node.parent = node_root;
    node.region = region_more;
    node.kind = ANDES_KIND_OVERFLOW;
    node.depth = 1;
  }

  void read_traffic() {
    const std::uint64_t count = there(raw_.traffic, std::min<std::uint64_t>(raw_.traffic_count, 1u << 24));
    location_.traffic = copy(raw_.traffic, std::max<std::uint64_t>(count, 1));
    location_.traffic_count = static_cast<std::uint32_t>(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const andes_traffic& one = location_.traffic[i];
      if (std::max({one.bytes_sent, one.bytes_received, one.messages_sent, one.messages_received,
                    *std::max_element(one.sizes, one.sizes + size_classes)}) >= most_bytes)
        location_.traffic[i] = {};
    }
    for (std::uint32_t i = 0; i < tree().node_count; ++i)
      if (tree().node(i).traffic >= count) tree().node(i).traffic = 0;
    const auto ranks = static_cast<std::uint32_t>(into_.process.mpi.size);
    if (!raw_.peers || raw_.ranks != ranks || there(raw_.peers, ranks) == 0) return;
    location_.ranks = ranks;
    location_.peers = copy(raw_.peers, ranks);
    for (std::uint32_t i = 0; i < ranks; ++i)
      if (std::max(location_.peers[i].messages, location_.peers[i].bytes) >= most_bytes) location_.peers[i] = {};
  }

  void read_values() {
    const std::uint64_t wanted = std::min<std::uint64_t>(raw_.values.count, max_values);
    const std::uint64_t count = raw_.values.all ? there(raw_.values.all, wanted) : 0;
    AttachedTable& own = location_.values;
    own.all = copy(raw_.values.all, std::max<std::uint64_t>(count, 1));
    const auto whole = [&](const AttachedValue& value) {
      constexpr std::uint64_t most = std::uint64_t{1} << 60;
      return value.node < tree().node_count && alive_[value.node] && value.region != 0 &&
             value.region < into_.process.registry.count && value.count < most && value.not_finite < most &&
             std::isfinite(value.min) && std::isfinite(value.max) && std::isfinite(value.last);
    };
    const AttachedValue* const end =
        std::remove_if(own.all, own.all + count, [&](const AttachedValue& value) { return !whole(value); });
    own.count = static_cast<std::uint32_t>(end - own.all);
    own.lost = std::min(raw_.values.lost, most_visits) + wanted - own.count;
  }

  /// Reads the open visits; close_process() decides which of them are valid.
  void read_frames() {
    alignas(andes_location) unsigned char hot[offsetof(andes_location, entries)];
    image_.read(address_of(raw_.hot), hot, sizeof hot);
    std::uint64_t top = 0;
    std::memcpy(&top, hot + offsetof(andes_location, top), sizeof top);
    const std::uint64_t begin = address_of(raw_.frames);
    const std::uint64_t limit = address_of(raw_.backed_frames.limit); // memory behind it does not belong to the
                                                                      // frames
    constexpr std::uint64_t most_room = std::uint64_t{1} << 26;
    const std::uint64_t room = limit > begin ? std::min(limit - begin, most_room) : 0;
    const std::uint64_t there = image_.reach(begin, room) / sizeof(andes_frame);
    std::vector<andes_frame> all(there);
    image_.read(begin, all.data(), there * sizeof(andes_frame));
    const auto is_here = [&](std::uint64_t frame) {
      return frame >= begin && (frame - begin) % sizeof(andes_frame) == 0 &&
             (frame - begin) / sizeof(andes_frame) < there;
    };
    // Elsewhere: a side stack ran (side_stacks.h), whose frames are in no arena. The thread's own stood still.
    if (!is_here(top)) top = address_of(raw_.own_top);
    const std::uint64_t count =
        is_here(top) ? (top - begin) / sizeof(andes_frame) + 1 : std::min<std::uint64_t>(1, there);
    // Memory above this was never used for frames.
    const std::uint64_t paid = address_of(raw_.paid_frame);
    const std::uint64_t used =
        std::min(std::max(count, paid > begin ? (paid - begin) / sizeof(andes_frame) : 0), there);
    for (std::uint64_t i = 0; i < used; ++i)
      if (is_timed(all[i]) && all[i].enter_ticks < most_ticks * 64)
        open_.latest_ticks = std::max<std::uint64_t>(open_.latest_ticks, all[i].enter_ticks);
    all.resize(count);
    open_.frames = std::move(all);
  }

  /// An index outside its table makes the operation unknown.
  void read_intent() {
    Intent& intent = open_.intent;
    intent = raw_.intent;
    if (intent.kind > IntentKind::poll_any || intent.listed > most_waited + spare_waited) {
      intent = {};
      return;
    }
    intent.listed = std::min(intent.listed, most_waited); // a poll may be being compared
    const EventTables& tables = into_.process.events;
    for (std::uint32_t i = 0; i < intent.listed; ++i) {
      const bool on_channel = intent.of[i] < WaitedKind::from_any || intent.of[i] == WaitedKind::probe;
      const std::uint32_t limit = on_channel ? tables.channel_count : tables.communicator_count;
      if (intent.of[i] > WaitedKind::exposure || intent.list[i].channel >= limit) intent.of[i] = WaitedKind::unknown;
    }
  }

  void read_polls() {
    PollReport& polls = open_.polls;
    polls = raw_.polls;
    const std::uint64_t offset = std::uint64_t{polls.place} - ANDES_ROOT, node = offset / sizeof(andes_node);
    if (polls.place < ANDES_ROOT || offset % sizeof(andes_node) != 0 || node >= tree().node_count || !alive_[node] ||
        polls.first_ticks > most_ticks * 64 || polls.seen_ticks > most_ticks * 64 || polls.span_ticks > most_ticks ||
        polls.busy_ticks > polls.span_ticks || polls.longest_ticks > most_ticks)
      polls = {};
  }

  void read_times() {
    location_.in_use = is_set(raw_.in_use) && !open_.frames.empty();
    location_.suspended = is_set(raw_.suspended);
    location_.suspended_since_ticks = raw_.suspended_since_ticks;
    location_.off_ticks = raw_.off_ticks < most_ticks ? raw_.off_ticks : 0;
    location_.first_ticks = raw_.first_ticks;
    location_.last_ticks = raw_.last_ticks;
    location_.stack_high = beyond_all;
    location_.library_ticks = raw_.library_ticks;
    read_losses();
  }

  /// All of them or none; waits are known until their latest reading.
  void read_losses() {
    const CoreLosses& raw = raw_.losses;
    constexpr double most = 1e18;
    for (const double value :
         {raw.waits.ran_ns, raw.waits.ns, raw.waits.count, raw.readings.count, raw.readings.m, raw.readings.d})
      if (!(value >= 0 && value < most)) return;
    for (const double value : {raw.readings.mm, raw.readings.md, raw.readings.dd})
      if (!(value >= 0 && value < most * most)) return;
    location_.losses = {.notices = is_set(raw.notices),
                        .monitor_ticks = raw.monitor_ticks < most_ticks ? raw.monitor_ticks : 0,
                        .waits = raw.waits,
                        .readings = raw.readings};
  }

  /// Reads the team data that shows when a member's wait has ended. Times are checked on use.
  void read_team() {
    const TeamState& raw = raw_.team;
    TeamState& own = location_.team;
    memcpy(own.joins, raw.joins, sizeof own.joins);
    own.phase = static_cast<std::uint32_t>(raw.phase) <= static_cast<std::uint32_t>(TeamPhase::apart) ? raw.phase
                                                                                                      : TeamPhase::none;
    own.team = raw.team;
    own.done_ticks = raw.done_ticks;
    own.since_ticks = raw.since_ticks;
    if (raw.apart_node < tree().node_count && tree().node(raw.apart_node).kind == ANDES_KIND_APART)
      own.apart_node = raw.apart_node;
    open_.forker = address_of(raw.forker);
    const std::uint64_t first = address_of(raw.first), begin = address_of(raw_.frames);
    if (first > begin && (first - begin) / sizeof(andes_frame) < open_.frames.size())
      open_.first_of_team = (first - begin) / sizeof(andes_frame);
  }

  void read_log() {
    const EventTables& tables = into_.process.events;
    read_log(raw_.log, location_.log, [&](const EventRecord& record) {
      return record.kind != 0 && record.kind <= std::uint64_t(EventKind::left_open) && record.channel != 0 &&
             record.channel < tables.channel_count;
    });
    read_log(raw_.calls, location_.calls,
             [](const EventRecord& record) { return record.kind == std::uint64_t(EventKind::function_call); });
  }

  template <class Known> void read_log(const EventLog& raw, EventLog& log, Known known) {
    if (into_.process.events.log_bytes == 0 || !raw.records) return;
    const std::uint64_t wanted = std::min<std::uint64_t>(raw.count, raw.limit);
    const std::uint64_t count = there(raw.records, wanted);
    log.records = copy(raw.records, std::max<std::uint64_t>(count, 1));
    log.levels = possible(raw.levels);
    const auto whole = [&](const EventRecord& record) {
      return known(record) && record.node < tree().node_count && alive_[record.node] && record.duration_ticks >= 0 &&
             record.duration_ticks < float(most_ticks);
    };
    const EventRecord* const end =
        std::remove_if(log.records, log.records + count, [&](const EventRecord& record) { return !whole(record); });
    log.count = log.limit = static_cast<std::uint32_t>(end - log.records);
    into_.lost.records += wanted - log.count;
  }

  const ArenaImage& image_;
  const Location& raw_;
  RecoveredProcess& into_;
  Location& location_;
  OpenVisits open_;
  std::vector<bool> alive_; // by node
};

} // namespace

bool read_location(const ArenaImage& image, std::uint64_t address, RecoveredProcess& into) {
  const auto raw = std::make_unique<Location>();
  if (image.read(address, static_cast<void*>(raw.get()), sizeof *raw) != 0) return false;
  if (!LocationReading(image, *raw, into).read()) return false;
  into.open.back().location = address;
  return true;
}

} // namespace andes::monitor
