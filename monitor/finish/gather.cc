#include "monitor/finish/gather.h"

#include <utility>

#include "monitor/finish/message.h"

namespace andes::monitor {
namespace {

bool send(const andes_transport& transport, int to, const Reduction& reduction, std::int64_t deadline_ns) {
  return write_message(reduction, [&](const char* bytes, std::size_t count) {
    return send_sized(transport, to, bytes, count, deadline_ns);
  });
}

std::optional<Reduction> receive(const andes_transport& transport, int from, std::int64_t deadline_ns) {
  return read_message([&](std::string& piece) {
    std::optional<std::string> next = receive_sized(transport, from, piece_bytes, deadline_ns);
    if (!next) return false;
    piece = std::move(*next);
    return true;
  });
}

} // namespace

Gathered gather(Reduction& reduction, const Bounds& bounds, const andes_transport* transport,
                std::int64_t deadline_ns) {
  Gathered gathered;
  if (!transport) return gathered;
  for (int step = 1; step < transport->size; step *= 2) {
    if (transport->rank & step) {
      const int parent = transport->rank - step;
      gathered.at_root = false;
      gathered.complete = send(*transport, parent, reduction, deadline_ns);
      if (!gathered.complete) gathered.trouble = "rank " + std::to_string(parent) + " did not receive the measurements";
      return gathered;
    }
    const int child = transport->rank + step;
    if (child >= transport->size) continue;
    const std::optional<Reduction> theirs = receive(*transport, child, deadline_ns);
    if (!theirs) {
      gathered.at_root = transport->rank == 0;
      gathered.complete = false;
      gathered.trouble = "rank " + std::to_string(child) + " did not send its measurements";
      return gathered;
    }
    merge(reduction, *theirs, bounds);
  }
  return gathered;
}

bool acknowledge(bool safe, const andes_transport* transport, std::int64_t deadline_ns) {
  if (!transport) return safe;
  int step = 1;
  while (step < transport->size && !(transport->rank & step)) step *= 2;
  if (transport->rank != 0 && transport->receive(transport->rank - step, &safe, sizeof safe, deadline_ns) != 0)
    return false;
  while ((step /= 2) > 0)
    if (transport->rank + step < transport->size &&
        transport->send(transport->rank + step, &safe, sizeof safe, deadline_ns) != 0)
      break; // a rank that is not told keeps its arena
  return safe;
}

} // namespace andes::monitor
