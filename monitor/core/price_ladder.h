// Price ladder: the ticks that could be saved, or would be spent, at each price, in steps of half a power of two.
// With it the call paths that tell least for their price are found in two passes over a tree, without sorting or
// allocating.
//
// The price of a way of timing is its cost divided by the duration of a visit.
#pragma once
#include <bit>
#include <cstdint>

namespace andes::monitor {

class PriceLadder {
public:
  static constexpr double beyond_all = 1e300;

  void add(double price, double ticks) {
    steps_[step_of(price)] += ticks;
    total_ += ticks;
  }
  double total() const { return total_; }

  /// The lowest price at which everything of this price and above sums to at least `ticks`; 0 if no sum reaches that.
  double price_that_saves(double ticks) const {
    double sum = 0;
    for (int i = steps - 1; i > 0; --i)
      if ((sum += steps_[i]) >= ticks) return begin_of(i);
    return 0;
  }

  /// The price below which everything sums to at most `ticks`; whole steps only.
  double price_within(double ticks) const {
    double sum = 0;
    for (int i = 0; i < steps; ++i)
      if ((sum += steps_[i]) > ticks) return i == 0 ? 0 : begin_of(i);
    return beyond_all;
  }

private:
  static constexpr int steps = 96, zero = 64; // step 64 begins at price 1; the first step holds 2^-32 and less,
      // the last 2^16 and more

  // Exponent and first bit of the mantissa: steps of 1 and 1.5 times the powers of two.
  static int step_of(double price) {
    const int half_powers = static_cast<int>(std::bit_cast<std::uint64_t>(price) >> 51) - 2 * 1023;
    const int step = half_powers + zero;
    return step < 0 ? 0 : step >= steps ? steps - 1 : step;
  }
  static double begin_of(int step) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(step - zero + 2 * 1023) << 51);
  }

  double steps_[steps] = {};
  double total_ = 0;
};

} // namespace andes::monitor
