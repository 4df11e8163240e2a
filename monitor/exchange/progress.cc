#include "monitor/exchange/progress.h"

#include <algorithm>

#include "monitor/exchange/size_limit.h"

namespace andes::monitor {
namespace {

/// A call that may have waited for the next call of the other rank.
struct Waiting {
  bool possible = false; // the other rank computed while the call was there
  bool until_then = false; // the call ended no earlier than that rank completed its side
  bool ends_soon = false; // and soon behind it
  bool alone = false; // it completes nothing else: it lasted for this message
  bool has_sent = false; // that rank has sent meanwhile what the call may have waited for
  bool was_elsewhere = false; // that rank has called MPI between: the message may have waited for that
  std::int64_t waits_ns = 0;

  /// The call lasted until the other rank's, and for this message, as far as that can be known.
  bool was_held_up() const {
    return until_then && ends_soon && (alone || (!has_sent && waits_ns >= least_of_several_ns));
  }

  static constexpr std::int64_t least_of_several_ns = 20'000; // shorter ones end together by chance
};

/// Sends by rank and time.
class Sends {
public:
  explicit Sends(SendTimes times) : times_(std::move(times)) { std::sort(times_.begin(), times_.end()); }
  bool any_during(std::int32_t rank, const Call& call) const {
    const auto first = std::upper_bound(times_.begin(), times_.end(), std::pair(rank, call.enter_ns));
    return first != times_.end() && first->first == rank && first->second <= call.exit_ns;
  }

private:
  SendTimes times_;
};

/// By what the call took behind that of the other rank, if it was there before: a transfer that waited begins there;
/// one that goes on by itself may end there by chance, and mostly takes longer.
bool ends_soon(std::int64_t rest_ns, std::int64_t waits_ns) { return waits_ns <= 0 || rest_ns <= waits_ns / 4; }

bool is_whole(const Message& message) {
  return message.send.completed && message.receive->completed && !message.is_part;
}

/// The receive was posted before the sender's call, and another call waits for it. Between the two the receiver may
/// have been in MPI for something else: as it is not known when, its time there is taken off.
Waiting waiting_of_sender(const Message& message) {
  const Call& end = message.send.end;
  const std::int64_t next_ns = message.wait->enter_ns;
  Waiting found;
  found.was_elsewhere = message.receive->library_ns > 0;
  found.waits_ns = next_ns - end.enter_ns - static_cast<std::int64_t>(message.receive->library_ns);
  found.possible = is_whole(message) && message.receive->start.enter_ns <= end.enter_ns && found.waits_ns > 0;
  found.until_then = next_ns <= end.exit_ns;
  found.ends_soon = ends_soon(end.exit_ns - next_ns, found.waits_ns);
  found.alone = message.send.alone;
  return found;
}

/// The send was started before the receiver's call ended, and another call completes it. The sender's time in MPI
/// between the two is taken off likewise.
Waiting waiting_of_receiver(const Message& message) {
  const Call& end = message.receive->end;
  const std::int64_t started_ns = message.send.start.exit_ns, next_ns = message.send.end.enter_ns;
  Waiting found;
  found.was_elsewhere = message.send.library_ns > 0;
  found.waits_ns = next_ns - std::max(end.enter_ns, started_ns) - static_cast<std::int64_t>(message.send.library_ns);
  found.possible = is_whole(message) && message.wait == &end && found.waits_ns > 0 && end.exit_ns > started_ns;
  found.until_then = next_ns <= end.exit_ns;
  found.ends_soon = ends_soon(end.exit_ns - next_ns, found.waits_ns);
  found.alone = message.receive->alone;
  return found;
}

/// What the messages show of the calls of one side.
class Shown {
public:
  void add(const Message& message, const Waiting& one) {
    if (!one.possible || (one.until_then && !one.was_held_up())) return;
    all_.add(bytes_of(message), one.until_then);
    if (!one.was_elsewhere) certain_.add(bytes_of(message), one.until_then);
  }
  void find() { all_.find(); }
  /// Whether the call could not end before the other rank completed its side. `shown`: only if others have shown it.
  bool needs(const Message& message, const Waiting& one, bool shown = false) const {
    if (!one.until_then || !one.ends_soon || certain_.lets_go(bytes_of(message))) return false;
    return (one.possible && one.alone && !shown) || all_.holds_up(bytes_of(message));
  }

  static std::uint64_t bytes_of(const Message& message) { return long_of(message.send.amount); }

private:
  SizeLimit all_, certain_;
};

} // namespace

SendTimes send_times_of(const std::vector<Operation>& sends, const EventTables& tables) {
  SendTimes times;
  times.reserve(sends.size());
  for (const Operation& send : sends) times.emplace_back(tables.channels[send.channel].peer, send.start.enter_ns);
  return times;
}

void find_progress(std::vector<Message>& messages, SendTimes own_sends, std::uint64_t eager_bytes) {
  SendTimes arriving;
  arriving.reserve(messages.size());
  for (const Message& message : messages) arriving.emplace_back(message.source, message.send.start.enter_ns);
  const Sends from_here(std::move(own_sends)), to_here(std::move(arriving));
  const auto sender_of = [&](const Message& message) {
    Waiting found = waiting_of_sender(message);
    found.has_sent = from_here.any_during(message.source, message.send.end);
    return found;
  };
  const auto receiver_of = [&](const Message& message) {
    Waiting found = waiting_of_receiver(message);
    found.has_sent = to_here.any_during(message.source, message.receive->end);
    return found;
  };
  // A short message is sent at once, but its send may not be complete before the receiver has taken it.
  const auto is_short = [&](const Message& message) { return Shown::bytes_of(message) <= eager_bytes; };
  Shown senders, receivers;
  for (const Message& message : messages) {
    senders.add(message, sender_of(message));
    if (!is_short(message)) receivers.add(message, receiver_of(message));
  }
  senders.find();
  receivers.find();
  for (Message& message : messages) {
    if (!is_whole(message)) continue;
    const Waiting sender = sender_of(message), receiver = receiver_of(message);
    message.sender_needs =
        message.wait->enter_ns > message.receive->start.enter_ns && senders.needs(message, sender, is_short(message));
    message.receiver_needs = !is_short(message) && message.wait == &message.receive->end &&
                             message.send.end.enter_ns > message.send.start.enter_ns &&
                             receivers.needs(message, receiver);
    if (message.sender_needs && sender.possible) message.sender_waits_ns = sender.waits_ns;
    if (message.receiver_needs && receiver.possible) message.receiver_waits_ns = receiver.waits_ns;
  }
}

} // namespace andes::monitor
