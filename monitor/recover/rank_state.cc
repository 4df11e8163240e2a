#include "monitor/recover/rank_state.h"

#include <algorithm>

#include "monitor/core/partitioned_tag.h"
#include "monitor/finish/run.h"
#include "monitor/interface/ending_text.h"
#include "monitor/recover/asleep.h"
#include "monitor/recover/recover_run.h"
#include "monitor/recover/recovered_clock.h"

namespace andes::monitor {
namespace {

using Kind = WaitedOperation::Kind;
using What = HangState::What;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

Members members_of(const Communicator& of) { return {of.size, of.world}; }

class Reading {
public:
  Reading(const RecoveredProcess& process, const Profile& profile, const JobState& job)
      : job_(job), found_(process), process_(process.process), events_(process.process.events), profile_(profile),
        scale_(tick_scale(process.process.clock)) {}

  ThreadActivity thread(std::size_t i) const {
    ThreadActivity state;
    const std::vector<andes_frame>& frames = found_.open[i].frames;
    const Location& location = *process_.locations[i];
    state.thread = static_cast<int>(location.number);
    if (location.suspended) state.what = What::off;
    if (frames.size() < 2) return state;
    const andes_frame& frame = frames.back();
    const andes_node& node = location.tree.node_at(frame.place);
    set_path(state, profile_.path_of_node[i][location.tree.number(node)], ANDES_KIND_IS_MPI(node.kind));
    state.idle = ANDES_KIND_IS_IDLE(node.kind);
    state.since_s = since_s(frame);
    if (!ANDES_KIND_IS_MPI(node.kind)) return state;
    state.what = What::calls;
    state.call = state.function;
    const Intent& intent = found_.open[i].intent;
    if (intent.kind != IntentKind::none && intent.enter_ticks == frame.enter_ticks) set_wait(state, intent);
    return state;
  }

  /// Epochs that this process has completed as origin, as its log says. None where the log is a sample.
  void set_completes(RankState& state) const {
    if (state.starts.empty() || events_.level > 0) return;
    for (std::uint32_t i = 0; i < process_.location_count; ++i) {
      const EventLog& log = process_.locations[i]->log;
      for (std::uint32_t at = 0; at < log.count; ++at) {
        const EventRecord& record = log.records[at];
        if (record.kind != static_cast<std::uint64_t>(EventKind::complete)) continue;
        const Channel& channel = events_.channels[record.channel];
        Progress& done = state.completes[{events_.communicators[channel.communicator].id, channel.peer, channel.tag}];
        done.begun = std::max(done.begun, static_cast<std::uint32_t>(record.number) + 1);
      }
    }
  }

  void set_called(RankState& state) const {
    if (events_.level > 0) return;
    constexpr std::size_t most = 64;
    constexpr std::uint32_t most_read = 4096; // records of a thread
    for (std::uint32_t i = 0; i < process_.location_count; ++i) {
      const EventLog& log = process_.locations[i]->log;
      for (std::uint32_t back = 1; back <= std::min(log.count, most_read) && state.called.size() < most; ++back) {
        const EventRecord& record = log.records[log.count - back];
        const Channel& channel = events_.channels[record.channel];
        const std::vector<std::int32_t>& paths = profile_.path_of_node[i];
        if (channel.end != ChannelEnd::member || record.kind < std::uint64_t(EventKind::barrier) ||
            record.kind >= std::uint64_t(EventKind::collective_completion) || record.node >= paths.size())
          continue;
        ThreadActivity call;
        set_path(call, paths[record.node], true);
        const std::uint64_t comm = events_.communicators[channel.communicator].id;
        if (!call.function.empty())
          state.called[{comm, channel.tag, static_cast<std::uint32_t>(record.number)}] = call.function;
      }
    }
  }

  void set_progress(RankState& state) const {
    for (std::uint32_t i = 1; i < events_.channel_count; ++i) {
      const Channel& channel = events_.channels[i];
      if (channel.key == 0) continue;
      const std::uint64_t comm = events_.communicators[channel.communicator].id;
      const Progress progress = {channel.next, channel.unordered != 0};
      const RankState::Name name = {comm, channel.peer, channel.tag};
      state.progress += channel.next;
      switch (channel.end) {
      case ChannelEnd::member: state.collectives[{comm, channel.tag}] = progress; break;
      case ChannelEnd::source: state.sends[name] = progress; break;
      case ChannelEnd::destination: state.receives[name] = progress; break;
      case ChannelEnd::origin:
        if (channel.tag == 0) state.starts[name] = progress;
        break;
      case ChannelEnd::target:
        if (channel.tag == 0) state.posts[name] = progress;
        break;
      }
    }
  }

private:
  double since_s(const andes_frame& frame) const {
    if (!is_timed(frame)) return 0;
    const bool guess = !found_.end_known;
    if (guess && (!job_.ended_s || found_.boot_id != this_boot_id())) return -1;
    const std::uint64_t end_ticks = guess ? ticks_now(process_.clock) : found_.end_ticks;
    if (end_ticks < frame.enter_ticks) return 0;
    const double open_s = 1e-9 * scale_.duration_ns(static_cast<double>(end_ticks - frame.enter_ticks));
    return guess ? std::max(0.0, open_s - *job_.ended_s) : open_s;
  }

  // ---- where ----------------------------------------------------------------------------------------

  void set_path(ThreadActivity& state, std::int32_t path, bool is_call) const {
    std::vector<const RegionRow*> regions;
    for (; path >= 0; path = profile_.paths[at(path)].parent)
      regions.push_back(&profile_.regions[at(profile_.paths[at(path)].region)]);
    for (const RegionRow* region : regions) {
      if (state.place.empty() && region->line > 0)
        state.place = region->file.substr(region->file.rfind('/') + 1) + ":" + std::to_string(region->line);
      if (region->kind == "root" || region->kind == call_site_kind) continue;
      if (is_call && state.function.empty() && is_mpi(*region)) state.function = region->name;
      else state.path = state.path.empty() ? region->name : region->name + "/" + state.path;
    }
  }

  // ---- for whom -------------------------------------------------------------------------------------

  /// The youngest with this handle, which alone can exist.
  const Communicator* find(std::uint64_t handle) const {
    for (std::uint32_t i = events_.communicator_count; handle != 0 && i-- > 0;)
      if (events_.communicators[i].handle == handle && events_.communicators[i].size != 0)
        return &events_.communicators[i];
    return nullptr;
  }

  std::string name_of(const Communicator& comm) const {
    if (comm.id == 1) return "MPI_COMM_WORLD";
    if (comm.id == 2) return "MPI_COMM_SELF";
    constexpr std::uint32_t most = 64;
    std::vector<int> ranks;
    const Members members = members_of(comm);
    for (std::uint32_t i = 0; i < std::min(comm.size, most); ++i) ranks.push_back(members[i]);
    std::sort(ranks.begin(), ranks.end());
    return comm.size > most ? std::string("a communicator of ") + std::to_string(comm.size) + " ranks"
                            : std::string("a communicator of ") + rank_list(ranks);
  }

  static std::string size_text(std::int64_t size) {
    const std::int64_t count = size < 0 ? -size : size;
    return std::to_string(count) + (size < 0 ? " element" : " byte") + (count == 1 ? "" : "s");
  }

  /// Number of the next operation that this process begins on a channel.
  std::uint32_t next(const Communicator& comm, int peer, int tag, ChannelEnd end) const {
    for (std::uint32_t i = 1; i < events_.channel_count; ++i) {
      const Channel& channel = events_.channels[i];
      if (channel.key != 0 && events_.communicators[channel.communicator].id == comm.id && channel.peer == peer &&
          channel.tag == tag && channel.end == end)
        return channel.next;
    }
    return 0;
  }

  /// A rank given to a call, as rank of the world; -1: any; absent: nobody, or not known.
  std::optional<int> world_rank(const Communicator& comm, int rank) const {
    if (rank == events_.constants.any_source) return -1;
    if (rank == events_.constants.proc_null || rank < 0 || comm.local_size != comm.size) return std::nullopt;
    const int world = members_of(comm)[static_cast<std::uint32_t>(rank)];
    return world < 0 ? std::nullopt : std::optional(world);
  }

  int tag_of(std::int32_t tag) const { return tag == events_.constants.any_tag ? -1 : tag; }

  WaitedOperation of(const Communicator& comm, Kind kind) const {
    WaitedOperation operation;
    operation.kind = kind;
    operation.comm = comm.id;
    operation.members = members_of(comm);
    operation.sources = {comm.source_count, comm.sources};
    return operation;
  }

  void add_message(ThreadActivity& state, const Communicator& comm, Kind kind, std::int32_t peer,
                   std::int32_t tag) const {
    const std::optional<int> world = world_rank(comm, peer);
    if (!world) return;
    WaitedOperation operation = of(comm, kind);
    operation.peer = *world;
    operation.tag = tag_of(tag);
    operation.number =
        next(comm, operation.peer, operation.tag, kind == Kind::send ? ChannelEnd::source : ChannelEnd::destination);
    state.operations.push_back(operation);
  }

  static bool is_on_window(const Intent& intent) {
    const auto event = static_cast<EventKind>(intent.event);
    return intent.kind >= IntentKind::start ||
           (intent.kind == IntentKind::collective && (event == EventKind::fence || event == EventKind::window_free));
  }

  static const char* object_of(const Intent& intent) {
    if (is_on_window(intent)) return "window on ";
    const bool on_file =
        intent.kind == IntentKind::collective && static_cast<EventKind>(intent.event) == EventKind::file;
    return on_file ? "file on " : "";
  }

  /// In an inter-communicator the ranks of the own group need not wait for each other.
  static void add_collective(ThreadActivity& state, const Communicator& comm, WaitedOperation operation) {
    if (comm.local_size != comm.size) operation.kind = Kind::group;
    if (comm.size > 1) state.operations.push_back(operation);
  }

  std::string rank_text(const char* word, std::int32_t rank) const {
    if (rank == events_.constants.any_source) return std::string(word) + " MPI_ANY_SOURCE";
    if (rank == events_.constants.proc_null) return std::string(word) + " MPI_PROC_NULL";
    return std::string(word) + " " + std::to_string(rank);
  }
  std::string tag_text(std::int32_t tag) const {
    return tag == events_.constants.any_tag ? "MPI_ANY_TAG" : std::string("tag ") + std::to_string(tag);
  }

  void set_wait(ThreadActivity& state, const Intent& intent) const {
    if (intent.kind == IntentKind::wait_all || intent.kind == IntentKind::wait_any) set_requests(state, intent);
    else if (const Communicator* comm = find(intent.object)) set_call(state, intent, *comm);
    if (!state.operations.empty()) state.what = What::waits;
  }

  void set_call(ThreadActivity& state, const Intent& intent, const Communicator& comm) const {
    const std::string on = name_of(comm);
    std::string arguments;
    switch (intent.kind) {
    case IntentKind::receive:
    case IntentKind::probe:
      arguments = rank_text("source", intent.peer) + ", " + tag_text(intent.tag);
      if (intent.kind == IntentKind::receive) arguments += ", " + size_text(intent.size);
      add_message(state, comm, intent.kind == IntentKind::probe ? Kind::probe : Kind::receive, intent.peer, intent.tag);
      break;
    case IntentKind::send:
    case IntentKind::exchange:
      arguments = rank_text("dest", intent.peer) + ", " + tag_text(intent.tag) + ", " + size_text(intent.size);
      add_message(state, comm, Kind::send, intent.peer, intent.tag);
      if (intent.kind == IntentKind::send) break;
      arguments += "; " + rank_text("source", intent.source) + ", " + tag_text(intent.receive_tag) + ", " +
                   size_text(intent.receive_size);
      add_message(state, comm, Kind::receive, intent.source, intent.receive_tag);
      break;
    case IntentKind::collective: {
      WaitedOperation operation = of(comm, Kind::collective);
      operation.event = static_cast<EventKind>(intent.event);
      operation.tag = 0;
      operation.number = next(comm, -1, 0, ChannelEnd::member);
      if (intent.peer >= 0) operation.peer = world_rank(comm, intent.peer).value_or(-1);
      if (intent.peer >= 0) arguments = rank_text("root", intent.peer);
      add_collective(state, comm, operation);
      break;
    }
    case IntentKind::creation: {
      WaitedOperation operation = of(comm, Kind::creation);
      operation.tag = 0;
      operation.number = next(comm, -1, 0, ChannelEnd::member);
      add_collective(state, comm, operation);
      break;
    }
    case IntentKind::group:
      if (comm.size > 1) state.operations.push_back(of(comm, Kind::group));
      break;
    case IntentKind::start:
      state.operations.push_back(of(comm, state.function == "MPI_Win_start" ? Kind::group : Kind::post));
      break;
    case IntentKind::exposure: state.operations.push_back(of(comm, Kind::complete)); break;
    case IntentKind::lock:
      if (intent.peer >= 0) arguments = rank_text("target", intent.peer);
      if (comm.size > 1)
        state.operations.push_back(of(comm, state.function.starts_with("MPI_Win_lock") ? Kind::lock : Kind::flush));
      break;
    default: break;
    }
    state.call += "(" + arguments + (arguments.empty() ? "" : ", ") + object_of(intent) + on + ")";
  }

  WaitedOperation waited(const Waited& entry, WaitedKind kind) const {
    switch (kind) {
    case WaitedKind::send:
    case WaitedKind::receive:
    case WaitedKind::collective: {
      const Channel& channel = events_.channels[entry.channel];
      if (channel.key == 0) return {};
      WaitedOperation operation =
          of(events_.communicators[channel.communicator], kind == WaitedKind::send      ? Kind::send
                                                          : kind == WaitedKind::receive ? Kind::receive
                                                                                        : Kind::collective);
      operation.peer = channel.peer;
      operation.tag = channel.tag;
      operation.number = entry.number;
      return operation;
    }
    case WaitedKind::from_any:
    case WaitedKind::with_any_tag:
    case WaitedKind::from_any_with_any: {
      WaitedOperation operation = of(events_.communicators[entry.channel], Kind::receive);
      if (kind == WaitedKind::from_any) operation.tag = static_cast<int>(entry.number);
      if (kind == WaitedKind::with_any_tag) operation.peer = static_cast<int>(entry.number);
      return operation;
    }
    default: return {};
    }
  }

  void set_requests(ThreadActivity& state, const Intent& intent) const {
    state.any = intent.kind == IntentKind::wait_any;
    for (std::uint32_t i = 0; i < intent.listed; ++i) state.operations.push_back(waited(intent.list[i], intent.of[i]));
    constexpr std::size_t most = 3;
    const std::size_t told = std::min(most, state.operations.size());
    std::string text;
    for (std::size_t i = 0; i < told; ++i) text.append(i > 0 ? "; " : "").append(text_of(state.operations[i]));
    if (const std::size_t others = state.operations.size() - told + intent.more; others > 0)
      text += "; and " + std::to_string(others) + " more";
    if (state.any && intent.more > 0) state.operations.emplace_back(); // others, which are not known
    state.call += "(" + text + ")";
  }

  static std::string text_of(const WaitedOperation& operation) {
    const std::string tag =
        operation.tag == -1 ? "any tag" : std::string("tag ") + std::to_string(program_tag(operation.tag));
    const std::string peer = operation.peer < 0 ? "any rank" : std::string("rank ") + std::to_string(operation.peer);
    switch (operation.kind) {
    case Kind::send: return std::string("send to ") + peer + ", " + tag;
    case Kind::receive: return std::string("receive from ") + peer + ", " + tag;
    case Kind::collective:
      return std::string("collective ") + std::to_string(operation.number + 1) + " of its communicator";
    default: return "another request";
    }
  }

  const JobState& job_;
  const RecoveredProcess& found_;
  const Process& process_;
  const EventTables& events_;
  const Profile& profile_;
  TickScale scale_;
};

/// Whether somebody else ended it: a launcher or the user, who ended all of the job.
bool was_killed(const RecoveredProcess& process) {
  constexpr int by_others[] = {1, 2, 9, 15}; // SIGHUP, SIGINT, SIGKILL, SIGTERM
  return process.ending.kind == EndKind::running ||
         (process.ending.kind == EndKind::signal &&
          std::count(std::begin(by_others), std::end(by_others), process.ending.detail) > 0);
}

} // namespace

RankState rank_state(const RecoveredProcess& process, const Profile& profile, const JobState& job) {
  RankState state;
  state.rank = process.process.mpi.rank;
  state.size = process.process.mpi.size;
  state.finalizes = came_to_end(process) || process.finalized;
  state.more_threads = process.process.events.constants.multiple != 0;
  state.gone = !process.alive && !state.finalizes && (job.lives || !was_killed(process));
  if (state.gone) state.ending = ending_words(process);
  const Reading reading(process, profile, job);
  reading.set_progress(state);
  reading.set_completes(state);
  reading.set_called(state);
  state.lossy = process.process.events.lost != 0 || process.lost.channels != 0;
  if (state.gone || state.finalizes) return state;
  for (std::size_t i = 0; i < process.process.location_count; ++i)
    if (!process.open[i].frames.empty()) state.threads.push_back(reading.thread(i)); // else it has ended
  for (ThreadActivity& thread : state.threads) {
    if (!process.alive || thread.thread != 0 || thread.what != What::computes) continue;
    if (const std::optional<std::string> call = asleep_in(process.pid)) {
      thread.what = What::sleeps;
      thread.call = *call;
    }
  }
  return state;
}

} // namespace andes::monitor
