#include "monitor/mpi/found_messages.h"

namespace andes::monitor::mpi {
namespace {

struct Found {
  MPI_Message message;
  bool held;
  Ticket ticket;
};
Found found[64]; // few at a time
unsigned char lock;

} // namespace

void keep_message(MPI_Message message, const Ticket& ticket) {
  Guard guard(lock);
  for (Found& place : found)
    if (!place.held) {
      place = {message, true, ticket};
      return;
    }
  count_up(events->lost);
}

Ticket take_message(MPI_Message message) {
  if (!events) return {};
  Guard guard(lock);
  for (Found& place : found)
    if (place.held && place.message == message) {
      place.held = false;
      return place.ticket;
    }
  return {};
}

} // namespace andes::monitor::mpi
