// Steps: when this rank and another one were last in step, which is when the one had what the other sent it, or when
// both had come to a collective that all wait in. What they waited for before that makes neither late after it.
#pragma once
#include "monitor/exchange/event_tables.h"

namespace andes::monitor {

class Steps {
public:
  /// Of no rank anything is known.
  Steps() = default;
  /// Of messages that this rank received, and of collectives that it took part in.
  explicit Steps(const Compared& compared);

  /// The latest time at which a message from `rank` was sent, and its receive posted, of those that this rank had at
  /// `by_ns`; INT64_MIN if there is none.
  std::int64_t message_ns(std::int32_t rank, std::int64_t by_ns) const;
  /// The latest time at which the last rank came to a collective in which all wait, of those that were over at `by_ns`;
  /// INT64_MIN if there is none.
  std::int64_t collective_ns(std::int64_t by_ns) const;

private:
  struct Step {
    std::int32_t rank;
    std::int64_t over_ns, step_ns; // of all steps of the rank up to this one the latest
  };

  static std::vector<Step> sorted(std::vector<Step> steps);
  static std::int64_t latest_ns(const std::vector<Step>& steps, std::int32_t rank, std::int64_t by_ns);

  std::vector<Step> messages_, collectives_;
};

} // namespace andes::monitor
