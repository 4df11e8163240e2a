// See clock_sync.h.
#include "monitor/clock/clock_sync.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/fnv.h"
#include "monitor/clock/offset.h"

namespace andes::monitor {
namespace {

/// Number of stamps that two leaders exchange: the best of so many is close to the shortest possible trip.
constexpr int ping_count = 32;

/// Hash of the facts that are equal on ranks that share a clock: kernel, host name, kind of clock.
std::uint64_t host_hash(ClockKind kind) {
  char text[64 + HOST_NAME_MAX + 1] = {};
  const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    if (read(file, text, 63) < 0) text[0] = 0;
    close(file);
  }
  gethostname(text + 64, HOST_NAME_MAX);
  return fnv_hash({text, sizeof text}, fnv_start + static_cast<std::uint64_t>(kind));
}

/// Data that each rank sends to all others at a meeting.
struct Presence {
  std::uint64_t host;
  std::uint64_t before_ticks, after_ticks; // read before the first and after the last rank came
  std::uint64_t anchor_ticks;              // an instant
  std::int64_t anchor_ns;                  // the same instant on CLOCK_MONOTONIC
};

/// The data of all ranks at one meeting; every rank has the same.
struct Meeting {
  Presence* ranks = nullptr;
  int* leader = nullptr;       // by rank: the lowest rank of its group
  int* leaders = nullptr;      // in the order of their ranks
  int size = 0, nodes = 0;
  std::uint64_t groups = 0;    // hash of `leader`
  Meeting() = default;
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting() {
    free(ranks);
    free(leader);
    free(leaders);
  }
};

/// Whether neither rank read, before the meeting, a later time than the other read after it.
bool may_share(const Presence& a, const Presence& b) {
  return a.before_ticks <= b.after_ticks && b.before_ticks <= a.after_ticks;
}

/// Lowest rank on each rank's host, by a hash table of the hosts.
bool find_leaders(Meeting& meeting) {
  std::size_t slots = 2;
  while (slots < 2 * static_cast<std::size_t>(meeting.size)) slots *= 2;
  auto* first = static_cast<int*>(malloc(slots * sizeof(int)));
  if (!first) return false;
  memset(first, -1, slots * sizeof(int));
  meeting.groups = fnv_start;
  for (int rank = 0; rank < meeting.size; ++rank) {
    const Presence& here = meeting.ranks[rank];
    std::size_t slot = here.host & (slots - 1);
    while (first[slot] >= 0 && meeting.ranks[first[slot]].host != here.host) slot = (slot + 1) & (slots - 1);
    if (first[slot] < 0) first[slot] = rank;
    int leader = first[slot];
    if (!may_share(meeting.ranks[leader], here)) leader = rank;
    if (leader == rank) meeting.leaders[meeting.nodes++] = rank;
    meeting.leader[rank] = leader;
    meeting.groups = fnv_step(meeting.groups, static_cast<std::uint64_t>(leader));
  }
  free(first);
  return true;
}

/// Lets all ranks meet. `anchor` is taken when all have come, so that the messages that follow are close to it.
bool meet(Meeting& meeting, const Clock& clock, Anchor& anchor, const andes_transport& transport,
          std::int64_t deadline_ns) {
  const auto size = static_cast<std::size_t>(transport.size);
  meeting.size = transport.size;
  meeting.ranks = static_cast<Presence*>(malloc(size * sizeof(Presence)));
  meeting.leader = static_cast<int*>(malloc(size * sizeof(int)));
  meeting.leaders = static_cast<int*>(malloc(size * sizeof(int)));
  Presence own = {host_hash(clock.kind), ticks_now(clock), 0, 0, 0};
  std::uint64_t barrier = 0;
  if (size > 1 && transport.largest(&barrier, 1, deadline_ns) != 0) return false;
  own.after_ticks = ticks_now(clock);
  anchor = take_anchor(clock);
  own.anchor_ticks = anchor.ticks;
  own.anchor_ns = anchor.monotonic_ns;
  const bool room = meeting.ranks && meeting.leader && meeting.leaders;
  if (!room) return false; // the other ranks notice it at their deadline
  if (size > 1 && transport.gather_all(&own, sizeof own, meeting.ranks, deadline_ns) != 0) return false;
  if (size == 1) meeting.ranks[0] = own;
  return find_leaders(meeting);
}

/// Converts this leader's ticks to the global clock at one meeting.
struct Leader {
  const Clock& clock;
  const andes_transport& transport;
  std::int64_t deadline_ns;
  double ns_per_tick;
  ClockPoint point;
};

double own_ns(const Leader& self, std::uint64_t ticks) {
  return static_cast<double>(static_cast<std::int64_t>(ticks - self.point.ticks)) * self.ns_per_tick;
}

struct Stamp {
  double global_ns, error_ns;
};

/// Answers another leader's stamps with the global time, which is rank 0's own time.
bool serve(const Leader& self, int rank) {
  const double drift = self.transport.rank == 0 ? 0 : drift_limit;
  for (int i = 0; i < ping_count; ++i) {
    char ping = 0;
    if (self.transport.receive(rank, &ping, 1, self.deadline_ns) != 0) return false;
    const double since_ns = own_ns(self, ticks_now(self.clock));
    const Stamp stamp = {self.point.global_ns + since_ns, self.point.error_ns + drift * since_ns};
    if (self.transport.send(rank, &stamp, sizeof stamp, self.deadline_ns) != 0) return false;
  }
  return true;
}

/// Gets the global time of a point from a leader that knows it.
bool ask(Leader& self, int rank) {
  OffsetBounds bounds;
  std::uint64_t received_ticks = 0;
  Stamp stamp = {};
  for (int i = 0; i < ping_count; ++i) {
    const char ping = 0;
    const std::uint64_t sent_ticks = ticks_now(self.clock);
    if (self.transport.send(rank, &ping, 1, self.deadline_ns) != 0 ||
        self.transport.receive(rank, &stamp, sizeof stamp, self.deadline_ns) != 0)
      return false;
    received_ticks = ticks_now(self.clock);
    narrow(bounds, {own_ns(self, sent_ticks), own_ns(self, received_ticks), stamp.global_ns});
  }
  self.point = {received_ticks, own_ns(self, received_ticks) + offset_ns(bounds),
                stamp.error_ns + half_width_ns(bounds)};
  return true;
}

/// Goes down the binomial tree of leaders: a leader that knows the global time gives it to the leader `step`
/// further on.
bool synchronise(Leader& self, const Meeting& meeting) {
  int place = 0, top = 1;
  while (meeting.leaders[place] != self.transport.rank) ++place;
  while (top < meeting.nodes) top *= 2;
  for (int step = top / 2; step > 0; step /= 2) {
    if (place % (2 * step) == step && !ask(self, meeting.leaders[place - step])) return false;
    if (place % (2 * step) == 0 && place + step < meeting.nodes && !serve(self, meeting.leaders[place + step]))
      return false;
  }
  return true;
}

double ns_per_tick(const Clock& clock, const Anchor& now) {
  if (clock.kind == ClockKind::monotonic || now.ticks == clock.start.ticks) return 1;
  return static_cast<double>(now.monotonic_ns - clock.start.monotonic_ns) /
         static_cast<double>(now.ticks - clock.start.ticks);
}

/// The point of this rank at a meeting: its anchor, on rank 0 and where all ranks share rank 0's clock;
/// else, for leaders only, the result of the messages.
bool find_point(ClockPoint& point, const Meeting& meeting, const Clock& clock, const Anchor& anchor,
                std::int64_t reference_ns, const andes_transport& transport, std::int64_t deadline_ns) {
  const Presence& first = meeting.ranks[0];
  point = {first.anchor_ticks, static_cast<double>(first.anchor_ns - reference_ns), 0};
  if (meeting.nodes == 1 || meeting.leader[transport.rank] != transport.rank) return true;
  Leader self = {clock, transport, deadline_ns, ns_per_tick(clock, anchor), point};
  if (transport.rank != 0) self.point.ticks = anchor.ticks;
  const bool found = synchronise(self, meeting);
  point = self.point;
  return found;
}

std::int64_t deadline_in(double timeout_s) { return monotonic_ns() + static_cast<std::int64_t>(timeout_s * 1e9); }

/// Every rank takes the points of its leader.
bool share_points(GlobalClock& global, const Meeting& meeting, const andes_transport& transport,
                  std::int64_t deadline_ns) {
  const ClockPoint own[2] = {global.init, global.end};
  auto* all = static_cast<ClockPoint*>(malloc(static_cast<std::size_t>(meeting.size) * sizeof own));
  if (!all) return false;
  const bool shared = transport.gather_all(own, sizeof own, all, deadline_ns) == 0;
  if (shared) {
    const int leader = meeting.leader[transport.rank];
    global.init = all[2 * leader];
    global.end = all[2 * leader + 1];
    for (int i = 0; i < meeting.nodes; ++i) {
      const ClockPoint* points = &all[2 * meeting.leaders[i]];
      if (meeting.leaders[i] == leader) global.node = i;
      for (int end = 0; end < 2; ++end)
        if (points[end].error_ns > global.offset_error_ns) global.offset_error_ns = points[end].error_ns;
    }
  }
  free(all);
  return shared;
}

} // namespace

bool synchronise_at_init(ClockSync& sync, GlobalClock& global, const Clock& clock, const andes_transport& transport,
                         double timeout_s) {
  const std::int64_t deadline_ns = deadline_in(timeout_s);
  Anchor anchor;
  Meeting meeting;
  if (!meet(meeting, clock, anchor, transport, deadline_ns)) return false;
  global.nodes = meeting.nodes;
  sync.groups = meeting.groups;
  sync.world = (meeting.ranks[0].host ^ meeting.ranks[0].anchor_ticks) | 1;
  sync.reference_ns = meeting.ranks[0].anchor_ns;
  sync.done_at_init = find_point(global.init, meeting, clock, anchor, sync.reference_ns, transport, deadline_ns);
  return sync.done_at_init;
}

void assume_one_clock(ClockSync& sync, GlobalClock& global, const Anchor& now) {
  sync.done_at_init = true;
  sync.reference_ns = now.monotonic_ns;
  global.nodes = 1;
  global.init = {now.ticks, 0, 0};
}

bool synchronise_at_end(const ClockSync& sync, GlobalClock& global, const Clock& clock,
                        const andes_transport& transport, double timeout_s) {
  if (!sync.done_at_init) return false;
  const std::int64_t deadline_ns = deadline_in(timeout_s);
  Anchor anchor;
  Meeting meeting;
  if (!meet(meeting, clock, anchor, transport, deadline_ns)) return false;
  // A counter has jumped: all ranks see this, and all stop here.
  if (meeting.groups != sync.groups) return true;
  if (!find_point(global.end, meeting, clock, anchor, sync.reference_ns, transport, deadline_ns)) return false;
  global.synchronised = meeting.nodes == 1 || share_points(global, meeting, transport, deadline_ns);
  return global.synchronised;
}

} // namespace andes::monitor
