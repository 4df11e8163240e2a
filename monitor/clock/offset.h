// Offset: the difference of two clocks, found by messages between them. A stamp that the other side takes between
// our sending and our receiving bounds the difference from both sides, however long the messages took; the
// narrowest of many bounds counts (SKaMPI's method). An average of differences would have an unknown error.
//
// Invariant: the bounds hold for any delays, as long as the clocks drift apart by less than drift_limit.
#pragma once

namespace andes::monitor {

/// How fast two clocks may drift apart: kernels discipline theirs by at most 500 ppm; the other half
/// allows for the oscillators and for a slope measured over a short time.
inline constexpr double drift_limit = 1e-3;

/// A message to the other clock's process and back; ns of the clocks named.
struct Ping {
  double sent_ns, received_ns; // own clock
  double remote_ns;            // the other clock, in between
};

/// Bounds of (other clock - own clock) at one instant of the own clock.
struct OffsetBounds {
  double at_ns = 0;
  double low_ns = -1e300, high_ns = 1e300;
};

inline double offset_ns(const OffsetBounds& bounds) { return (bounds.low_ns + bounds.high_ns) / 2; }
inline double half_width_ns(const OffsetBounds& bounds) { return (bounds.high_ns - bounds.low_ns) / 2; }

/// Moves the bounds to the end of `ping`, widened by the possible drift since, and narrows them by `ping`.
inline void narrow(OffsetBounds& bounds, const Ping& ping) {
  const double aged_ns = drift_limit * (ping.received_ns - bounds.at_ns);
  const double low_ns = ping.remote_ns - ping.received_ns;
  const double high_ns = ping.remote_ns - ping.sent_ns + drift_limit * (ping.received_ns - ping.sent_ns);
  bounds.at_ns = ping.received_ns;
  bounds.low_ns = bounds.low_ns - aged_ns > low_ns ? bounds.low_ns - aged_ns : low_ns;
  bounds.high_ns = bounds.high_ns + aged_ns < high_ns ? bounds.high_ns + aged_ns : high_ns;
  // The old bounds are wrong: a clock was set or stopped meanwhile.
  if (bounds.low_ns > bounds.high_ns) bounds = {ping.received_ns, low_ns, high_ns};
}

} // namespace andes::monitor
