#include "monitor/exchange/replay_log.h"

#include <algorithm>
#include <array>
#include <bit>

namespace andes::monitor {
namespace {

/// What was seen of operations of one kind that came before what may hold them up.
struct Evidence {
  std::uint64_t tested = 0, blocked = 0;

  void add(bool has_blocked) {
    ++tested;
    blocked += has_blocked;
  }
  bool blocks() const { return 2 * blocked > tested; }
};

/// Whether sends of a size were held up, by powers of two: longer messages than those that were are, too.
class BySize {
public:
  void add(const Message& message, bool has_blocked) { sizes_[size_of(message)].add(has_blocked); }
  void close() {
    bool smaller = false;
    for (std::size_t i = 0; i < sizes_.size(); ++i) blocks_[i] = smaller |= sizes_[i].blocks();
  }
  bool blocks(const Message& message) const { return blocks_[size_of(message)]; }

private:
  static std::size_t size_of(const Message& message) {
    return static_cast<std::size_t>(std::bit_width(long_of(message.send.amount)));
  }

  std::array<Evidence, 65> sizes_;
  std::array<bool, 65> blocks_{};
};

/// What sends wait for at the receiver: for the posting of the receive, and for the call that waits for it. A send that
/// was called before these shows it.
class Blocking {
public:
  Blocking(const std::vector<Message>& messages, const Sites& sites) : sites_(sites) {
    for (const Message& message : messages) {
      const std::int64_t ends_ns = message.send.end.enter_ns, posted_ns = message.receive->start.enter_ns;
      if (!is_synchronous(message) && posted_ns > ends_ns) posting_.add(message, has_blocked(message));
      const bool is_whole = message.send.completed && message.receive->completed;
      if (message.completes_alone && is_whole && posted_ns <= ends_ns && message.wait->enter_ns > ends_ns)
        progress_.add(message, waits_for_progress(message));
    }
    posting_.close();
    progress_.close();
  }

  /// Whether the send depends on the receive, also where it did not have to wait for it.
  bool depends(const Message& message) const {
    if (!message.receive->completed || !message.send.completed) return false;
    if (has_blocked(message) || is_synchronous(message)) return true;
    const bool known = message.receive->start.enter_ns > message.send.end.enter_ns; // it did not wait
    return !known && posting_.blocks(message);
  }

  /// Whether it depends on the receiver's wait, which is another call than the one that posts the receive.
  bool needs_progress(const Message& message) const {
    if (!message.receive->completed || !message.send.completed) return false;
    const std::int64_t wait_ns = message.wait->enter_ns;
    if (wait_ns <= message.receive->start.enter_ns || wait_ns > message.send.end.exit_ns) return false;
    return waits_for_progress(message) || progress_.blocks(message);
  }

private:
  bool is_synchronous(const Message& message) const {
    const std::int32_t site = message.send.start.site;
    return site >= 0 && (sites_[site].function == "MPI_Ssend" || sites_[site].function == "MPI_Issend");
  }

  const Sites& sites_;
  BySize posting_, progress_;
};

class Building {
public:
  Building(const EventTables& tables, std::int32_t rank) : tables_(tables), rank_(rank) {}

  void add(const std::vector<Message>& messages, const Blocking& blocking) {
    log_.dependencies.reserve(messages.size());
    for (const Message& message : messages) {
      if (!message.receive->completed) continue;
      add(message.source, message.send.start.enter_ns, rank_, *message.wait);
      if (blocking.depends(message)) add(rank_, message.receive->start.enter_ns, message.source, message.send.end);
      if (blocking.needs_progress(message)) add(rank_, message.wait->enter_ns, message.source, message.send.end);
    }
  }
  void add(const std::vector<Participation>& collectives) {
    for (const Participation& one : collectives) {
      const Operation& own = *one.operation;
      const CollectiveResult& all = one.result;
      if (!own.completed) continue;
      const bool has_data = !(own.flags & event_empty), is_root = (own.flags & event_root) != 0;
      if (waits_for_all(own.kind)) add_part(own, all.latest_ns, true, true);
      switch (own.kind) {
      case EventKind::n_to_n: add_part(own, all.latest_ns, has_data, has_data); break;
      case EventKind::n_to_one:
        add_part(own, std::max(all.root_ns, all.latest_ns), has_data && !is_root, has_data && is_root);
        break;
      case EventKind::one_to_n:
        if (has_data && !is_root) add(all.root_rank, all.root_ns, rank_, own.end);
        break;
      case EventKind::scan:
      case EventKind::neighbour: // of all the ranks that it needs the last one is known
        if (has_data) add(all.other_rank, all.other_ns, rank_, own.end);
        break;
      default: break;
      }
    }
  }
  void add(const std::vector<AccessEpoch>& epochs) {
    const auto is_complete = [](const AccessEpoch& epoch) {
      return epoch.access.completed && epoch.exposure->completed;
    };
    Evidence progress; // completing calls that the owner's wait holds up
    for (const AccessEpoch& epoch : epochs) {
      const std::int64_t complete_ns = epoch.access.end.enter_ns;
      if (is_complete(epoch) && epoch.exposure->start.enter_ns <= complete_ns &&
          epoch.exposure->end.enter_ns > complete_ns)
        progress.add(waits_for_progress(epoch));
    }
    for (const AccessEpoch& epoch : epochs) {
      if (!is_complete(epoch)) continue;
      const Call &start = epoch.access.start, &complete = epoch.access.end;
      const Call &post = epoch.exposure->start, &wait = epoch.exposure->end;
      add(rank_, post.enter_ns, epoch.origin, post.enter_ns <= start.exit_ns ? start : complete);
      if (waits_for_progress(epoch) || (progress.blocks() && wait.enter_ns <= complete.exit_ns))
        add(rank_, wait.enter_ns, epoch.origin, complete);
      add(epoch.origin, complete.enter_ns, rank_, wait);
    }
  }
  void add(const std::vector<LockWait>& locks) {
    for (const LockWait& wait : locks)
      if (wait.holder) add(wait.holder->rank, wait.holder->unlock.exit_ns, wait.epoch->rank, wait.epoch->blocked);
  }

  ReplayLog take() { return std::move(log_); }

private:
  void add(std::int32_t source, std::int64_t source_ns, std::int32_t target, const Call& waiting) {
    if (source < 0 || target < 0) return;
    const std::int64_t exit_ns = replayed_exit_ns(waiting.enter_ns, waiting.exit_ns);
    log_.dependencies.push_back({std::min(source_ns, exit_ns), waiting.enter_ns, exit_ns, source, target});
  }
  void add_part(const Operation& own, std::int64_t last_ns, bool gives, bool takes) {
    if (!gives && !takes) return;
    const std::uint64_t operation = event_hash(tables_.channels[own.channel].key, own.number);
    const std::int64_t exit_ns = replayed_exit_ns(own.end.enter_ns, own.end.exit_ns);
    log_.parts.push_back({operation, own.start.enter_ns, own.end.enter_ns, exit_ns, last_ns, rank_,
                          static_cast<std::uint8_t>(gives), static_cast<std::uint8_t>(takes), 0});
  }

  const EventTables& tables_;
  std::int32_t rank_;
  ReplayLog log_;
};

} // namespace

ReplayLog replay_log(const Compared& compared, const EventTables& tables, const Sites& sites, std::int32_t rank) {
  Building building(tables, rank);
  building.add(compared.messages.all, Blocking(compared.messages.all, sites));
  building.add(compared.collectives.all);
  building.add(compared.epochs.all);
  building.add(compared.locks);
  return building.take();
}

} // namespace andes::monitor
