#include "monitor/mpi/intents.h"

namespace andes::monitor::mpi {
namespace {

void put(Intent& intent, WaitedKind kind, Place place) {
  if (intent.listed == most_waited) {
    ++intent.more;
    return;
  }
  intent.list[intent.listed] = {place.channel, place.number};
  intent.of[intent.listed++] = kind;
}

void put_receive(Intent& intent, const Ticket& ticket) {
  if (ticket.place.channel != posted) return put(intent, WaitedKind::receive, ticket.place);
  const Posted wanted = find_posted(ticket);
  if (wanted.place.channel != 0) return put(intent, WaitedKind::receive, wanted.place);
  const WaitedKind kind = !wanted.searching    ? WaitedKind::unknown
                          : wanted.source >= 0 ? WaitedKind::with_any_tag
                          : wanted.tag >= 0    ? WaitedKind::from_any
                                               : WaitedKind::from_any_with_any;
  put(intent, kind, {wanted.communicator, (std::uint32_t)(wanted.source >= 0 ? wanted.source : wanted.tag)});
}

} // namespace

void list_slowly(Intent& intent, const Entry& entry) {
  switch (entry.kept) {
  case Kept::receive: return put_receive(intent, entry.ticket);
  case Kept::both:
    put(intent, WaitedKind::send, entry.both->sent.place);
    return put_receive(intent, entry.both->received);
  case Kept::persistent:
    if (!entry.persistent->active) return;
    switch (entry.persistent->of) {
    case Persistent::Of::send: return put(intent, WaitedKind::send, entry.persistent->ticket.place);
    case Persistent::Of::collective: return put(intent, WaitedKind::collective, entry.persistent->ticket.place);
    case Persistent::Of::receive: return put_receive(intent, entry.persistent->ticket);
    }
    return;
  default: return put(intent, WaitedKind::unknown, {});
  }
}

} // namespace andes::monitor::mpi
