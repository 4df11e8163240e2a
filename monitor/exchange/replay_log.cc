#include "monitor/exchange/replay_log.h"

#include <algorithm>

#include "monitor/exchange/size_limit.h"

namespace andes::monitor {
namespace {

/// What was seen of operations of one kind that came before what may hold them up.
struct Evidence {
  std::uint64_t tested = 0, blocked = 0;

  void add(bool has_blocked) {
    ++tested;
    blocked += has_blocked;
  }
  bool blocks() const { return blocked > 1 && 2 * blocked > tested; } // one may have been held up by something else
};

/// Whether sends wait for the posting of the receive. A send that was called before it shows it.
class Blocking {
public:
  Blocking(const std::vector<Message>& messages, const Sites& sites) : sites_(sites) {
    for (const Message& message : messages)
      if (!message.is_part && !is_synchronous(message) && message.receive->start.enter_ns > message.send.end.enter_ns)
        limit_.add(long_of(message.send.amount), has_blocked(message));
    limit_.find();
  }

  /// Whether the send depends on the receive, also where it did not have to wait for it.
  bool depends(const Message& message) const {
    if (!message.receive->completed || !message.send.completed) return false;
    if (has_blocked(message) || is_synchronous(message)) return true;
    const bool known = message.receive->start.enter_ns > message.send.end.enter_ns; // it did not wait
    return !known && limit_.holds_up(long_of(message.send.amount));
  }

private:
  bool is_synchronous(const Message& message) const {
    const std::int32_t site = message.send.start.site;
    return site >= 0 && (sites_[site].function == "MPI_Ssend" || sites_[site].function == "MPI_Issend");
  }

  const Sites& sites_;
  SizeLimit limit_;
};

class Building {
public:
  Building(const EventTables& tables, std::int32_t rank) : tables_(tables), rank_(rank) {}

  void add(const std::vector<Message>& messages, const Blocking& blocking) {
    log_.dependencies.reserve(messages.size());
    for (const Message& message : messages) {
      if (!message.receive->completed) continue;
      add(message.source, message.send.start.enter_ns, rank_, *message.wait);
      if (message.is_part) continue; // the rest is that of the whole message
      if (blocking.depends(message)) add(rank_, message.receive->start.enter_ns, message.source, message.send.end);
      if (message.sender_needs) add(rank_, message.wait->enter_ns, message.source, message.send.end);
      if (message.receiver_needs) add(message.source, message.send.end.enter_ns, rank_, message.receive->end);
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

  void add(const std::vector<OwnerWait>& waits) {
    for (const OwnerWait& wait : waits) add(rank_, wait.late.enter_ns, wait.rank, wait.call);
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
  building.add(compared.owner_waits);
  return building.take();
}

} // namespace andes::monitor
