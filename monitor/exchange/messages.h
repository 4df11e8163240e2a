// Messages: both sides of each message, brought together at the receiver.
//
// A receive waits for a late sender if the send began after the receiver was in the call that blocks; a sender has
// waited for the receiver if its call ended no earlier than the receive was posted. progress.h finds what waits for the
// other rank's next call.
#pragma once
#include "monitor/exchange/all_to_all.h"
#include "monitor/exchange/shipment.h"

namespace andes::monitor {

struct Message {
  Operation send; // times clipped: not after the receive was complete
  const Operation* receive = nullptr;
  const Call* wait = nullptr; // the call that waited for it: the end of the receive, or the probe before it
  std::int32_t source = 0;
  bool is_part = false; // `wait` was for a part of a partitioned message, which is in the list as a whole, too
  // Of a late one, from the chains of waits (chains.h):
  bool sender_waiting = false;
  std::int32_t origin_rank = -1; // -1: the chain does not go on beyond the sender
  std::uint64_t origin_path = 0;
  // Of progress (progress.h): how long the call that completes the send waited for the receiver's next call of MPI, and
  // the one that completes the receive for the sender's; and whether they cannot end before that call.
  std::int64_t sender_waits_ns = 0, receiver_waits_ns = 0;
  bool sender_needs = false, receiver_needs = false;
};

/// Whether the receiver waits, and the sender is the reason.
inline bool is_late(const Message& message) { return message.send.start.enter_ns > message.wait->enter_ns; }

/// Whether the sender was blocked until the receive was posted.
inline bool has_blocked(const Message& message) {
  const std::int64_t posted_ns = message.receive->start.enter_ns;
  return message.receive->completed && posted_ns > message.send.end.enter_ns && message.send.end.exit_ns >= posted_ns;
}

/// A send without a record of its receive.
struct LoneSend {
  std::int32_t source = 0, tag = 0, site = -1;
  std::uint32_t number = 0;
  std::uint32_t received = 0; // number of receives that this rank has counted on the channel
};

/// A receive without a record of its send.
struct LoneReceive {
  const Operation* receive = nullptr;
  bool source_known = false; // something of its channel has arrived
  std::uint32_t sent = 0; // number of sends that the source has counted on the channel
};

struct Messages {
  std::vector<Message> all;
  std::uint64_t matched = 0; // of these, without parts
  std::vector<LoneSend> lone_sends; // not all, if they are very many
  std::vector<LoneReceive> lone_receives; // the same
  std::uint64_t unmatched = 0; // sends and receives without the other side
  std::uint64_t unordered = 0; // messages whose order only one side knows
  std::uint64_t violations = 0; // complete before they were sent, by more than the clocks' error
};

/// Matches the sends that have arrived with own receives; removes them from `sends`.
Messages match_messages(std::vector<ArrivedChannel>& sends, const Operations& operations, const EventTables& tables,
                        double clock_error_ns);

} // namespace andes::monitor
