// Messages: both sides of each message, brought together at the receiver, and the chains of waits for messages.
//
// A receive waits for a late sender if the send began after the receiver was in the call that blocks.
// Such a wait has a link to another one if the sender was itself waiting for a message when the
// receiver began to wait: the sender's last wait that ended before it sent, if that ended after the
// receiver began. Links go back in time from rank to rank; at the end of a chain a rank was late for
// a reason of its own: this origin is passed to all waits of the chain.
#pragma once
#include "monitor/exchange/all_to_all.h"
#include "monitor/exchange/shipment.h"

namespace andes::monitor {

/// The end of a chain of waits.
struct Origin {
  std::int32_t rank = -1;     // -1: there is none
  std::uint64_t path = 0;     // hash of the call path of the late send
};

struct Message {
  Operation send;             // times clipped: not after the receive was complete
  const Operation* receive = nullptr;
  const Call* wait = nullptr; // the call that waited for it: the end of the receive, or the probe before it
  std::int32_t source = 0;
  bool sender_waiting = false;
  Origin origin;
};

/// Whether the receiver waits, and the sender is the reason.
inline bool is_late(const Message& message) { return message.send.start.enter_ns > message.wait->enter_ns; }

struct Messages {
  std::vector<Message> all;
  std::uint64_t unmatched = 0;  // sends and receives without the other side
  std::uint64_t unordered = 0;  // messages whose order only one side knows
  std::uint64_t violations = 0; // complete before they were sent, by more than the clocks' error
};

/// Matches the sends that have arrived with own receives; removes them from `sends`.
Messages match_messages(std::vector<ArrivedChannel>& sends, const Operations& operations, const EventTables& tables,
                        double clock_error_ns);

/// Collective. Finds for each late message whether its sender was waiting, and the chain's origin.
void follow_chains(std::vector<Message>& messages, const Sites& sites, AllToAll& ranks);

} // namespace andes::monitor
