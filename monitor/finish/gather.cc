#include "monitor/finish/gather.h"

#include <algorithm>

#include "monitor/finish/message.h"

namespace andes {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

std::int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

bool send_all(const andes_transport& transport, int to, const std::string& bytes,
              std::int64_t deadline_ns) {
  const std::uint64_t size = bytes.size();
  if (transport.send(to, &size, sizeof size, deadline_ns) != 0) return false;
  for (std::size_t at = 0; at < bytes.size(); at += piece_bytes)
    if (transport.send(to, bytes.data() + at, std::min(piece_bytes, bytes.size() - at),
                       deadline_ns) != 0)
      return false;
  return true;
}

bool receive_all(const andes_transport& transport, int from, std::string& bytes,
                 std::int64_t deadline_ns) {
  std::uint64_t size = 0;
  if (transport.receive(from, &size, sizeof size, deadline_ns) != 0) return false;
  bytes.resize(size);
  for (std::size_t at = 0; at < bytes.size(); at += piece_bytes)
    if (transport.receive(from, bytes.data() + at, std::min(piece_bytes, bytes.size() - at),
                          deadline_ns) != 0)
      return false;
  return true;
}

} // namespace

Gathered gather(Profile& profile, const andes_transport* transport, double timeout_s) {
  Gathered gathered;
  if (!transport) return gathered;
  const std::int64_t deadline_ns = now_ns() + static_cast<std::int64_t>(timeout_s * 1e9);
  std::string bytes;
  for (int step = 1; step < transport->size; step *= 2) {
    if (transport->rank & step) {
      const int parent = transport->rank - step;
      gathered.at_root = false;
      gathered.complete = send_all(*transport, parent, to_bytes(profile), deadline_ns);
      if (!gathered.complete)
        gathered.trouble = "rank " + std::to_string(parent) + " did not take the measurements";
      return gathered;
    }
    const int child = transport->rank + step;
    if (child >= transport->size) continue;
    std::optional<Profile> theirs;
    if (receive_all(*transport, child, bytes, deadline_ns)) theirs = from_bytes(bytes);
    if (!theirs) {
      gathered.at_root = transport->rank == 0;
      gathered.complete = false;
      gathered.trouble = "rank " + std::to_string(child) + " did not hand over its measurements";
      return gathered;
    }
    merge(profile, *theirs);
  }
  return gathered;
}

} // namespace andes
