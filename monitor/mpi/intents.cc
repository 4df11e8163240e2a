#include "monitor/mpi/intents.h"

namespace andes::monitor::mpi {
namespace {

/// A list with room for `room` entries.
struct List {
  Intent& intent;
  std::uint32_t room;

  void put(WaitedKind kind, Place place) const {
    if (intent.listed == room) {
      ++intent.more;
      return;
    }
    intent.list[intent.listed] = {place.channel, place.number};
    intent.of[intent.listed++] = kind;
  }
};

void put_receive(const List& list, const Ticket& ticket) {
  if (ticket.place.channel != posted) return list.put(WaitedKind::receive, ticket.place);
  const Posted wanted = find_posted(ticket);
  if (wanted.place.channel != 0) return list.put(WaitedKind::receive, wanted.place);
  const WaitedKind kind = !wanted.searching    ? WaitedKind::unknown
                          : wanted.source >= 0 ? WaitedKind::with_any_tag
                          : wanted.tag >= 0    ? WaitedKind::from_any
                                               : WaitedKind::from_any_with_any;
  list.put(kind, {wanted.communicator, static_cast<std::uint32_t>(wanted.source >= 0 ? wanted.source : wanted.tag)});
}

} // namespace

void list_slowly(Intent& intent, const Entry& entry, std::uint32_t room) {
  const List list{intent, room};
  switch (entry.kept) {
  case Kept::receive: return put_receive(list, entry.ticket);
  case Kept::both: list.put(WaitedKind::send, entry.both->sent.place); return put_receive(list, entry.both->received);
  case Kept::persistent:
    if (!entry.persistent->active) return;
    switch (entry.persistent->of) {
    case Persistent::Of::send: return list.put(WaitedKind::send, entry.persistent->ticket.place);
    case Persistent::Of::collective: return list.put(WaitedKind::collective, entry.persistent->ticket.place);
    case Persistent::Of::receive: return put_receive(list, entry.persistent->ticket);
    }
    return;
  default: return list.put(WaitedKind::unknown, {});
  }
}

} // namespace andes::monitor::mpi
