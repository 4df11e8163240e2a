#include "monitor/exchange/steps.h"

#include <algorithm>
#include <tuple>

namespace andes::monitor {

Steps::Steps(const Compared& compared) {
  messages_.reserve(compared.messages.all.size());
  for (const Message& message : compared.messages.all) {
    const Operation& receive = *message.receive;
    if (!receive.completed || message.is_part) continue;
    messages_.push_back(
        {message.source, receive.end.exit_ns, std::max(message.send.start.enter_ns, receive.start.enter_ns)});
  }
  messages_ = sorted(std::move(messages_));
  for (const Participation& one : compared.collectives.all) {
    const Operation& own = *one.operation;
    const bool all_wait = waits_for_all(own.kind) || (own.kind == EventKind::n_to_n && (own.flags & event_empty) == 0);
    if (all_wait && own.completed) collectives_.push_back({0, own.end.exit_ns, one.result.latest_ns});
  }
  collectives_ = sorted(std::move(collectives_));
}

std::int64_t Steps::message_ns(std::int32_t rank, std::int64_t by_ns) const {
  return latest_ns(messages_, rank, by_ns);
}

std::int64_t Steps::collective_ns(std::int64_t by_ns) const { return latest_ns(collectives_, 0, by_ns); }

std::vector<Steps::Step> Steps::sorted(std::vector<Step> steps) {
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::tie(a.rank, a.over_ns, a.step_ns) < std::tie(b.rank, b.over_ns, b.step_ns);
  });
  for (std::size_t i = 1; i < steps.size(); ++i)
    if (steps[i].rank == steps[i - 1].rank) steps[i].step_ns = std::max(steps[i].step_ns, steps[i - 1].step_ns);
  return steps;
}

std::int64_t Steps::latest_ns(const std::vector<Step>& steps, std::int32_t rank, std::int64_t by_ns) {
  const auto after = std::partition_point(steps.begin(), steps.end(), [&](const Step& step) {
    return step.rank != rank ? step.rank < rank : step.over_ns <= by_ns;
  });
  if (after == steps.begin() || std::prev(after)->rank != rank) return INT64_MIN;
  return std::prev(after)->step_ns;
}

} // namespace andes::monitor
