#include "monitor/finish/interrupts.h"

#include <algorithm>
#include <cmath>

namespace andes::monitor {
namespace {

constexpr double as_long = 16;      // as the median, and longer: may be an interrupt, if it is
constexpr double least_us = 4;      // and no more than
constexpr double most_often = 0.005; // of a call path's timed visits: else long ones are its own

constexpr double enough_others = 3; // to tell that others meet them, too
constexpr double most_of_one = 0.3; // of the time of a call path's timed visits, in one of them

/// The timed visits of a call path.
struct Met {
  double count = 0, ticks = 0, timed_ticks = 0;
};

Met met_by(const Sample& sample, double ticks_per_us) {
  double all = 0;
  for (const std::uint32_t in_bucket : sample.histogram) all += in_bucket;
  Met met;
  double below = 0, longest = 0; // longest: that is none
  for (std::uint32_t bucket = 0; bucket < sample_buckets; ++bucket) {
    const double in_bucket = sample.histogram[bucket];
    if (in_bucket == 0) continue;
    const auto begin = static_cast<double>(sample_bucket_begin(bucket));
    const double middle = (begin + static_cast<double>(sample_bucket_begin(bucket + 1))) / 2;
    if (below <= all / 2 && below + in_bucket > all / 2) longest = std::max(as_long * middle, least_us * ticks_per_us);
    below += in_bucket;
    met.timed_ticks += in_bucket * middle;
    if (longest == 0 || begin < longest) continue;
    met.count += in_bucket;
    met.ticks += in_bucket * middle;
  }
  return met.count <= most_often * all ? met : Met{0, 0, met.timed_ticks};
}

} // namespace

void add(Interrupts& interrupts, const Sample& sample, double ticks_per_us) {
  if (sample.timed == 0) return;
  const Met met = met_by(sample, ticks_per_us);
  interrupts.count += met.count;
  interrupts.ticks += met.ticks;
  interrupts.timed_ticks += met.timed_ticks;
}

bool are_met_by_others(const Interrupts& interrupts, const Sample& sample, double ticks_per_us) {
  const Met met = met_by(sample, ticks_per_us);
  const double others = interrupts.count - met.count, their_ticks = interrupts.timed_ticks - met.timed_ticks;
  if (met.count == 0 || others < enough_others || sample.largest > most_of_one * sample.ticks) return false;
  const double expected = others * met.timed_ticks / their_ticks;
  return met.count <= expected + 1.96 * std::sqrt(expected * (1 + expected / others)) + 1;
}

double may_have_missed(const Interrupts& interrupts, const Sample& sample, double visits, double ticks_per_us) {
  if (interrupts.count <= 0 || sample.timed == 0) return 0;
  const Met met = met_by(sample, ticks_per_us);
  const double expected = interrupts.count * met.timed_ticks / interrupts.timed_ticks;
  const double most = expected * (1 + 1.96 / std::sqrt(interrupts.count)); // a Poisson number's error
  const double each = interrupts.ticks / interrupts.count;
  return std::max(0.0, most - met.count) * each * visits / static_cast<double>(sample.timed);
}

} // namespace andes::monitor
