// Sorting by time what is spread over a run: in buckets of equal length, which hold about two each, so it takes a few
// passes over the times.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace andes::monitor {

/// The numbers from 0 to `count` - 1 by time, those with equal times by `before`. Times are dense, so that they are
/// nearly in order once each lies in its bucket.
template <class TimeOf, class Before>
std::vector<std::uint32_t> sorted_by_time(std::size_t count, TimeOf time_of, Before before) {
  std::vector<std::uint32_t> order(count);
  if (count == 0) return order;
  std::int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
  for (std::uint32_t i = 0; i < count; ++i) {
    first_ns = std::min(first_ns, time_of(i));
    last_ns = std::max(last_ns, time_of(i));
  }
  const std::size_t buckets = count / 2 + 1;
  const double scale = static_cast<double>(buckets) / (static_cast<double>(last_ns - first_ns) + 1);
  const auto bucket = [&](std::uint32_t i) {
    const auto at = static_cast<std::size_t>(static_cast<double>(time_of(i) - first_ns) * scale);
    return std::min(at, buckets - 1);
  };
  std::vector<std::uint32_t> begins(buckets + 1);
  for (std::uint32_t i = 0; i < count; ++i) ++begins[bucket(i) + 1];
  for (std::size_t i = 1; i <= buckets; ++i) begins[i] += begins[i - 1];
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  for (std::uint32_t i = 0; i < count; ++i) order[next[bucket(i)]++] = i;
  for (std::size_t i = 0; i < buckets; ++i)
    if (begins[i + 1] - begins[i] > 1)
      std::sort(order.begin() + begins[i], order.begin() + begins[i + 1], [&](std::uint32_t a, std::uint32_t b) {
        return time_of(a) != time_of(b) ? time_of(a) < time_of(b) : before(a, b);
      });
  return order;
}

} // namespace andes::monitor
