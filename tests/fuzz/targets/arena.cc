// Arenas: two ranks that stopped in the middle, as images of memory made here by the monitor's own parts;
// one of them is edited wherever something stands. What the reader takes goes through recovery to a run
// file, which must be one that andes reads.
#include "tests/fuzz/targets/edits.h"

#include <array>

#include "monitor/core/layout.h"
#include "monitor/core/location.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recover_run.h"
#include "tests/fuzz/targets/require_run.h"

namespace {

using namespace andes;
using namespace andes::monitor;
using fuzz::Input;

/// A piece of memory in the image, with the address that pointers know it by.
struct Piece {
  std::uint64_t address;
  std::string bytes;
};

Piece piece_of(const void* from, std::size_t bytes) {
  return {reinterpret_cast<std::uint64_t>(from), {static_cast<const char*>(from), bytes}};
}

/// What a rank of two has recorded when it stops: nested visits, one left open, steps of a phase, attached values,
/// counts of an event, a second thread that waits for its team, and some messages.
struct Recorded {
  Process& process = *new Process; // lives as long as the images
  Location& location = *static_cast<Location*>(std::calloc(1, sizeof(Location)));
  Location& thread = *static_cast<Location*>(std::calloc(1, sizeof(Location)));
  std::array<Channel, 4> channels{};
  std::array<Communicator, 2> communicators{};
  std::array<EventRecord, 6> records{};
  static constexpr char words[] = "/bin/jacobi\0002048\0OMP_NUM_THREADS=1\0";

  explicit Recorded(int rank) {
    process.state = State::measuring;
    process.clock.kind = ClockKind::monotonic;
    process.clock.start = {1'000'000, 1'000'000, 1'700'000'000'000'000'000};
    process.clock.init = {2'000'000, 2'000'000, 1'700'000'000'001'000'000};
    process.mpi.present = true;
    process.mpi.rank = rank;
    process.mpi.size = 2;
    process.tree_memory.left_bytes = INT64_MAX;
    registry_start(process.registry);
    count_events();
    TreeLimits limits;
    limits.events = process.counters.count;
    location_start(location, limits, process.tree_memory, region_program, stack_of_this_thread(), 2'000'000);
    location_start(thread, limits, process.tree_memory, region_thread, stack_of_this_thread(), 2'000'000);
    thread.number = 1;
    process.locations[0] = &location;
    process.locations[1] = &thread;
    process.location_count = 2;
    std::uint64_t now = 2'100'000;
    enter(location, "main", ANDES_KIND_FUNCTION, now);
    for (const char* number : {"step 1", "step 2"}) {
      andes_frame* const phase = enter(location, "step", ANDES_KIND_PHASE, now += 100);
      enter(location, number, ANDES_KIND_INSTANCE, now += 100)->bits |= ANDES_FRAME_STEP;
      attach_value(location.values, process.tree_memory, innermost(location), region("residual", ANDES_KIND_VALUE), 0.5);
      pop_frames(location, phase, now += 500);
    }
    work_in_teams(now);
    for (int visit = 0; visit < 5; ++visit) {
      andes_frame* const solve = enter(location, "solve", ANDES_KIND_FUNCTION, now += 1000);
      andes_frame* const receive = enter(location, "MPI_Recv", ANDES_KIND_RECEIVE, now += 5000);
      pop_frames(location, receive, now += 2000);
      if (visit < 4) pop_frames(location, solve, now += 100);
    }
    for (const Location* one : {&location, &thread})
      for (std::uint32_t node = 0; node < one->tree.node_count; ++node) one->tree.counts[node] = 1000 * (node + 1);
    EventTables& tables = process.events;
    tables.log_bytes = 1 << 20;
    tables.start_ticks = process.clock.start.ticks;
    communicators = {Communicator{1000, 2, static_cast<std::uint32_t>(rank), 2, nullptr},
                     Communicator{1001, 1, 0, 1, nullptr}};
    channels[0].peer = -1;
    channels[0].unordered = 1;
    const auto channel = [&](std::uint64_t key, int peer, ChannelEnd end) {
      Channel one{};
      one.key = key;
      one.peer = peer;
      one.end = end;
      one.next = 2;
      return one;
    };
    channels[1] = channel(11, 1 - rank, rank ? ChannelEnd::source : ChannelEnd::destination);
    channels[2] = channel(12, 1 - rank, rank ? ChannelEnd::destination : ChannelEnd::source);
    channels[3] = channel(1000, -1, ChannelEnd::member);
    for (std::size_t i = 0; i < records.size(); ++i) {
      EventRecord& record = records[i];
      const std::uint32_t on = static_cast<std::uint32_t>(i % 3) + 1;
      record.enter_ticks = 1'200'000 + 1000 * i;
      record.duration_ticks = 900;
      record.kind = std::uint64_t(on == 3 ? EventKind::barrier : channels[on].end == ChannelEnd::source
                                      ? EventKind::send : EventKind::receive);
      record.node = location.tree.node_count - 1;
      record.channel = on;
      record.number = static_cast<std::uint32_t>(i / 3);
      record.set_amount(8);
    }
    tables.channels = channels.data();
    tables.channel_count = channels.size();
    tables.communicators = communicators.data();
    tables.communicator_count = communicators.size();
    location.log.records = records.data();
    location.log.count = location.log.limit = records.size();
  }
  std::uint32_t region(const char* name, std::uint32_t kind) {
    return registry_number(process.registry, Region{name, "jacobi.c", 10, kind});
  }

  /// One that counts, one that could not be had.
  void count_events() {
    Counters& counters = process.counters;
    counters.wanted = 2;
    counters.count = 1;
    std::strcpy(counters.events[0].name, "PAPI_TOT_INS");
    counters.events[0].counted = true;
    counters.seen[0] = true;
    std::strcpy(counters.events[1].name, "PAPI_L3_TCM");
    std::strcpy(counters.events[1].trouble, "no such event; choose another");
  }

  /// A team of two: the first joins it, the other still waits.
  void work_in_teams(std::uint64_t& now) {
    andes_frame* const forked = enter(location, "region", ANDES_KIND_PARALLEL, now += 100);
    location.team.teams = 1;
    location.team.joins[1 % kept_joins] = {1, now + 900};
    enter(thread, "(program)", ANDES_KIND_FUNCTION, now);
    TeamState& member = thread.team;
    member.phase = TeamPhase::waiting;
    member.forker = &location;
    member.team = 1;
    member.first = enter(thread, "region", ANDES_KIND_PARALLEL, now);
    enter(thread, "(implicit barrier)", ANDES_KIND_BARRIER, now += 300);
    member.done_ticks = now;
    pop_frames(location, forked, now += 600);
  }

  andes_frame* enter(Location& in, const char* name, std::uint32_t kind, std::uint64_t now) {
    Child child;
    const std::uint32_t parent = innermost(in), number = region(name, kind);
    if (!find_child(in.tree, parent, number, kind, child)) child = make_child(in.tree, parent, number, kind);
    andes_frame* const frame = push_frame(in, child, 0, 0);
    if (frame) frame->enter_ticks = now;
    return frame;
  }

  std::vector<Piece> pieces() const {
    std::vector<Piece> all;
    all.push_back(piece_of(&process, sizeof process));
    for (const Location* one : {&location, &thread}) {
      all.push_back(piece_of(one, sizeof *one));
      all.push_back(piece_of(one->tree.hot, ANDES_ROOT + one->tree.node_count * sizeof(andes_node)));
      all.push_back(piece_of(one->tree.accounts, one->tree.node_count * sizeof(NodeAccount)));
      all.push_back(piece_of(one->tree.records, std::max(1u, one->tree.record_count) * sizeof(SampleRecord)));
      all.push_back(piece_of(one->tree.counts, one->tree.node_count * sizeof *one->tree.counts));
      all.push_back(piece_of(one->frames, 8 * sizeof(andes_frame)));
    }
    all.push_back(piece_of(location.values.all, location.values.count * sizeof(AttachedValue)));
    all.push_back(piece_of(process.registry.regions, process.registry.count * sizeof(Region)));
    for (std::uint32_t i = first_free_region; i < process.registry.count; ++i)
      all.push_back(piece_of(process.registry.regions[i].name, std::strlen(process.registry.regions[i].name) + 1));
    all.push_back(piece_of(channels.data(), sizeof channels));
    all.push_back(piece_of(communicators.data(), sizeof communicators));
    all.push_back(piece_of(records.data(), sizeof records));
    all.push_back(piece_of(words, sizeof words));
    return all;
  }
};

constexpr std::size_t head_bytes = offsetof(ArenaHeader, stretches) + 40 * sizeof(Stretch);

/// The header as far as edits shall reach, before `pieces`; the rest of its table is empty.
std::string head_of(const Recorded& recorded, const std::vector<Piece>& pieces) {
  const auto header = std::make_unique<ArenaHeader>();
  std::memcpy(header->magic, arena_magic, sizeof arena_magic);
  header->format = arena_format;
  header->header_bytes = sizeof *header;
  header->layout = monitor_layout();
  header->process_address = pieces[0].address;
  header->pid = 0x7ffffff0; // nobody's
  std::strcpy(header->host, "node1");
  const char* const words = Recorded::words;
  header->executable = {words, 12};
  header->arguments = {words, 17};
  header->environment = {words + 17, sizeof Recorded::words - 18};
  header->ending = {EndKind::signal, 11, 2'200'000};
  header->stretch_count = static_cast<std::uint32_t>(pieces.size());
  std::uint64_t offset = sizeof *header;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    header->stretches[i] = {pieces[i].address, pieces[i].bytes.size(), offset};
    offset += pieces[i].bytes.size();
  }
  (void)recorded;
  return {reinterpret_cast<const char*>(header.get()), head_bytes};
}

std::vector<std::byte> file_of(const std::string& head, const std::vector<Piece>& pieces) {
  std::string bytes = head;
  bytes.resize(sizeof(ArenaHeader));
  for (const Piece& piece : pieces) bytes += piece.bytes;
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
  return {begin, begin + bytes.size()};
}

/// In place: what lies behind keeps its offset.
void overwrite(std::string& bytes, Input& input) {
  const std::size_t size = bytes.size();
  fuzz::edit(bytes, input);
  bytes.resize(size);
}

void recover_both(std::unique_ptr<RecoveredProcess> edited, const std::vector<std::byte>& other) {
  static const fuzz::ScratchFile file("recovered.andes");
  std::vector<std::unique_ptr<RecoveredProcess>> processes;
  processes.push_back(std::move(edited));
  processes.push_back(read_process(other));
  for (const RecoveredJob& job : jobs_of(std::move(processes))) {
    if (job.front()->process.mpi.size > 16) continue; // a thread for each is another matter
    const Run run = recovered_run(job, "");
    ending_lines(run);
    std::filesystem::remove(file.path());
    write_run(run, file.path(), 20000); // a Refusal ends the target
    fuzz::require_run(file.path());
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Recorded first(0), second(1);
  static const std::vector<Piece> valid = first.pieces(), others = second.pieces();
  static const std::string valid_head = head_of(first, valid);
  static const std::vector<std::byte> other = file_of(head_of(second, others), others);
  static const bool valid_is_read = (recover_both(read_process(file_of(valid_head, valid)), other), true);
  (void)valid_is_read;
  Input input(data, size);
  const bool to_a_run = input.ConsumeIntegralInRange(0, 7) == 0; // the rest of recovery takes 50 times as long
  std::string head = valid_head;
  std::vector<Piece> pieces = valid;
  while (input.remaining_bytes() > 0) {
    const auto piece = input.ConsumeIntegralInRange<std::size_t>(0, pieces.size());
    overwrite(piece == pieces.size() ? head : pieces[piece].bytes, input);
  }
  try {
    auto process = read_process(file_of(head, pieces));
    if (to_a_run) recover_both(std::move(process), other);
  } catch (const Refusal&) {
  }
  return 0;
}
