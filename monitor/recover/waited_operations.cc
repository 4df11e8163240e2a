#include "monitor/recover/waited_operations.h"

#include <algorithm>

#include "monitor/core/partitioned_tag.h"
#include "monitor/interface/ending_text.h"

namespace andes::monitor {
namespace {

using Kind = WaitedOperation::Kind;

Members members_of(const Communicator& of) { return {of.size, of.world}; }

class Reading {
public:
  Reading(const EventTables& events, const FindStarted& find_started) : events_(events), find_started_(find_started) {}

  void set_wait(ThreadActivity& state, const Intent& intent) const {
    switch (intent.kind) {
    case IntentKind::wait_all:
    case IntentKind::wait_any:
    case IntentKind::poll_all:
    case IntentKind::poll_any: return set_requests(state, intent);
    default:
      if (const Communicator* comm = find(intent.object)) set_call(state, intent, *comm);
    }
  }

private:
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

  static std::string counted(std::int64_t count, const char* word) {
    return std::to_string(count) + word + (count == 1 ? "" : "s");
  }
  /// Of types that the program has made the size is not known.
  std::string size_text(std::int64_t count, std::uint64_t type) const {
    const std::uint32_t known = std::min(events_.constants.type_count, most_known_types);
    for (std::uint32_t i = 0; i < known; ++i) {
      const KnownType& one = events_.constants.types[i];
      std::int64_t bytes = 0;
      if (one.handle == type && !__builtin_mul_overflow(count, std::int64_t{one.bytes}, &bytes))
        return counted(bytes, " byte");
    }
    return counted(count, " element");
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
    if (rank == events_.constants.proc_null || rank < 0) return std::nullopt;
    const bool inter = comm.local_size != comm.size;
    const std::uint32_t named = inter ? comm.size - comm.local_size : comm.size;
    if (static_cast<std::uint32_t>(rank) >= named || comm.named > comm.size - named) return std::nullopt;
    const int world = members_of(comm)[comm.named + static_cast<std::uint32_t>(rank)];
    return world < 0 ? std::nullopt : std::optional(world);
  }

  int tag_of(std::int32_t tag) const { return tag == events_.constants.any_tag ? -1 : tag; }

  WaitedOperation of(const Communicator& comm, Kind kind) const {
    WaitedOperation operation;
    operation.kind = kind;
    operation.comm = comm.id;
    operation.members = kind == Kind::receive || kind == Kind::probe ? senders_of(comm) : members_of(comm);
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
    return (intent.kind >= IntentKind::start && intent.kind <= IntentKind::lock) ||
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

  /// Of a rank that joins its group to another one: the leaders exchange messages, the others wait for their own.
  void add_leader(ThreadActivity& state, const Intent& intent, const Communicator& comm,
                  WaitedOperation operation) const {
    const std::optional<int> own = world_rank(comm, intent.peer);
    if (!own) return;
    const Communicator* leaders = find(intent.type);
    if (*own != members_of(comm)[comm.rank]) {
      operation.kind = Kind::own_leader;
      operation.peer = *own;
      state.operations.push_back(operation);
    } else if (leaders) {
      add_message(state, *leaders, Kind::other_leader, intent.source, intent.tag);
    }
  }

  std::string rank_text(const char* word, std::int32_t rank) const {
    if (rank == events_.constants.any_source) return std::string(word) + " MPI_ANY_SOURCE";
    if (rank == events_.constants.proc_null) return std::string(word) + " MPI_PROC_NULL";
    return std::string(word) + " " + std::to_string(rank);
  }
  std::string tag_text(std::int32_t tag) const {
    return tag == events_.constants.any_tag ? "MPI_ANY_TAG" : std::string("tag ") + std::to_string(tag);
  }

  void set_call(ThreadActivity& state, const Intent& intent, const Communicator& comm) const {
    const std::string on = name_of(comm);
    std::string arguments;
    switch (intent.kind) {
    case IntentKind::receive:
    case IntentKind::probe:
      arguments = rank_text("source", intent.peer) + ", " + tag_text(intent.tag);
      if (intent.kind == IntentKind::receive) arguments += ", " + size_text(intent.count, intent.type);
      add_message(state, comm, intent.kind == IntentKind::probe ? Kind::probe : Kind::receive, intent.peer, intent.tag);
      break;
    case IntentKind::send:
    case IntentKind::exchange:
      arguments =
          rank_text("dest", intent.peer) + ", " + tag_text(intent.tag) + ", " + size_text(intent.count, intent.type);
      add_message(state, comm, Kind::send, intent.peer, intent.tag);
      if (intent.kind == IntentKind::send) break;
      arguments += "; " + rank_text("source", intent.source) + ", " + tag_text(intent.receive_tag) + ", " +
                   size_text(intent.receive_count, intent.receive_type);
      add_message(state, comm, Kind::receive, intent.source, intent.receive_tag);
      break;
    case IntentKind::collective: {
      WaitedOperation operation = of(comm, Kind::collective);
      operation.event = static_cast<EventKind>(intent.event);
      operation.tag = 0;
      operation.number = next(comm, -1, 0, ChannelEnd::member);
      if (intent.peer >= 0 && comm.local_size == comm.size) operation.peer = world_rank(comm, intent.peer).value_or(-1);
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
    case IntentKind::join: {
      WaitedOperation operation = of(comm, Kind::creation);
      operation.tag = 0;
      operation.number = next(comm, -1, 0, ChannelEnd::member);
      add_collective(state, comm, operation);
      add_leader(state, intent, comm, operation);
      arguments = rank_text("leader", intent.peer);
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

  /// What the log says of the call that has started it.
  void set_started(WaitedOperation& operation, const Waited& entry) const {
    const std::optional<StartedCollective> started = find_started_(entry.channel, entry.number);
    if (!started) return;
    operation.function = started->function;
    if (operation.tag != 0)
      return; // started by MPI_Start, which does not say whether all ranks have data for each other
    const Communicator& comm = events_.communicators[events_.channels[entry.channel].communicator];
    if (comm.local_size != comm.size) return;
    operation.event = started->event;
    operation.root = started->root;
    operation.peer = started->root < 0 ? -1 : world_rank(comm, started->root).value_or(-1);
  }

  WaitedOperation waited(const Waited& entry, WaitedKind kind) const {
    switch (kind) {
    case WaitedKind::send:
    case WaitedKind::receive:
    case WaitedKind::probe:
    case WaitedKind::collective: {
      const Channel& channel = events_.channels[entry.channel];
      if (channel.key == 0) return {};
      WaitedOperation operation =
          of(events_.communicators[channel.communicator], kind == WaitedKind::send      ? Kind::send
                                                          : kind == WaitedKind::receive ? Kind::receive
                                                          : kind == WaitedKind::probe   ? Kind::probe
                                                                                        : Kind::collective);
      operation.peer = channel.peer;
      operation.tag = channel.tag;
      operation.number = kind == WaitedKind::probe ? channel.next : entry.number;
      if (kind == WaitedKind::collective) set_started(operation, entry);
      return operation;
    }
    case WaitedKind::from_any:
    case WaitedKind::with_any_tag:
    case WaitedKind::from_any_with_any:
    case WaitedKind::probe_from_any:
    case WaitedKind::probe_with_any_tag:
    case WaitedKind::probe_from_any_with_any: {
      const Kind what = kind < WaitedKind::probe ? Kind::receive : Kind::probe;
      WaitedOperation operation = of(events_.communicators[entry.channel], what);
      if (kind == WaitedKind::from_any || kind == WaitedKind::probe_from_any)
        operation.tag = static_cast<int>(entry.number);
      if (kind == WaitedKind::with_any_tag || kind == WaitedKind::probe_with_any_tag)
        operation.peer = static_cast<int>(entry.number);
      return operation;
    }
    case WaitedKind::exposure: return of(events_.communicators[entry.channel], Kind::complete);
    default: return {};
    }
  }

  void set_requests(ThreadActivity& state, const Intent& intent) const {
    state.any = intent.kind == IntentKind::wait_any || intent.kind == IntentKind::poll_any;
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
    case Kind::probe: return std::string("message from ") + peer + ", " + tag;
    case Kind::complete: return "MPI_Win_complete of the origins";
    case Kind::collective:
      return (operation.function.empty() ? "" : operation.function + ", ") +
             (operation.root < 0 ? "" : "root " + std::to_string(operation.root) + ", ") + "collective " +
             std::to_string(operation.number + 1) + " of its communicator";
    default: return "another request";
    }
  }

  const EventTables& events_;
  const FindStarted& find_started_;
};

} // namespace

Members senders_of(const Communicator& of) {
  const std::uint32_t count = of.size - of.local_size;
  return count == 0 || of.named > of.local_size ? members_of(of) : Members{count, of.world, of.named};
}

void set_operations(ThreadActivity& state, const EventTables& events, const FindStarted& find_started,
                    const Intent& intent) {
  Reading(events, find_started).set_wait(state, intent);
}

} // namespace andes::monitor
