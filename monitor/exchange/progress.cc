#include "monitor/exchange/progress.h"

#include <algorithm>

#include "monitor/exchange/size_limit.h"

namespace andes::monitor {
namespace {

/// A call that may have waited for the next call of the other rank.
struct Waiting {
  bool possible = false; // the other rank computed while the call was there
  bool until_then = false; // the call ended no earlier than that rank completed its side
  bool of_this = false; // and it is known that this was for this message
  bool was_elsewhere = false; // that rank has called MPI between: the message may have waited for that
  std::int64_t waits_ns = 0;
};

bool is_whole(const Message& message) {
  return message.send.completed && message.receive->completed && !message.is_part;
}

/// The receive was posted before the sender's call, and another call waits for it.
Waiting waiting_of_sender(const Message& message) {
  const Call& end = message.send.end;
  const std::int64_t next_ns = message.wait->enter_ns;
  Waiting found;
  found.possible = is_whole(message) && message.receive->start.enter_ns <= end.enter_ns && next_ns > end.enter_ns;
  found.until_then = next_ns <= end.exit_ns;
  found.of_this = message.send.alone;
  found.was_elsewhere = message.receive->library_ns > 0;
  found.waits_ns = next_ns - end.enter_ns;
  return found;
}

/// The send was started before the receiver's call ended, and another call completes it. Between the two the sender may
/// have been in MPI for something else: as it is not known when, its time there is taken off.
Waiting waiting_of_receiver(const Message& message) {
  const Call& end = message.receive->end;
  const std::int64_t started_ns = message.send.start.exit_ns, next_ns = message.send.end.enter_ns;
  Waiting found;
  found.was_elsewhere = message.send.library_ns > 0;
  found.waits_ns = next_ns - std::max(end.enter_ns, started_ns) - static_cast<std::int64_t>(message.send.library_ns);
  found.possible = is_whole(message) && message.wait == &end && found.waits_ns > 0 && end.exit_ns > started_ns;
  found.until_then = next_ns <= end.exit_ns;
  // A transfer that goes on by itself may end after that call by chance. One that waited took the time from there on.
  found.of_this = message.receive->alone && end.exit_ns - next_ns <= found.waits_ns;
  return found;
}

/// What the messages show of the calls of one side.
class Shown {
public:
  void add(const Message& message, const Waiting& one) {
    if (!one.possible || (one.until_then && !one.of_this)) return;
    all_.add(bytes_of(message), one.until_then);
    if (one.until_then || !one.was_elsewhere) certain_.add(bytes_of(message), one.until_then);
  }
  void find() { all_.find(); }
  /// Whether the call could not end before the other rank completed its side.
  bool needs(const Message& message, const Waiting& one) const {
    if (!one.until_then) return false;
    const bool was_seen = one.possible && one.of_this && !certain_.lets_go(bytes_of(message));
    return was_seen || all_.holds_up(bytes_of(message));
  }

  static std::uint64_t bytes_of(const Message& message) { return long_of(message.send.amount); }

private:
  SizeLimit all_, certain_;
};

} // namespace

void find_progress(std::vector<Message>& messages, std::uint64_t eager_bytes) {
  Shown senders, receivers;
  for (const Message& message : messages) {
    senders.add(message, waiting_of_sender(message));
    if (Shown::bytes_of(message) > eager_bytes) receivers.add(message, waiting_of_receiver(message));
  }
  senders.find();
  receivers.find();
  for (Message& message : messages) {
    if (!is_whole(message)) continue;
    const Waiting sender = waiting_of_sender(message), receiver = waiting_of_receiver(message);
    message.sender_needs = message.wait->enter_ns > message.receive->start.enter_ns && senders.needs(message, sender);
    message.receiver_needs = Shown::bytes_of(message) > eager_bytes && message.wait == &message.receive->end &&
                             message.send.end.enter_ns > message.send.start.enter_ns &&
                             receivers.needs(message, receiver);
    if (message.sender_needs && sender.possible) message.sender_waits_ns = sender.waits_ns;
    if (message.receiver_needs && receiver.possible) message.receiver_waits_ns = receiver.waits_ns;
  }
}

} // namespace andes::monitor
