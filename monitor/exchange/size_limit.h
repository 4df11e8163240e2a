// SizeLimit: from which size on messages are held up, as the messages of a run that could have been show it: an MPI
// library sends short messages at once and lets long ones wait. Sizes are told apart by powers of two.
//
// Invariant: a few that were held up by something else, as a rank that had lost its core, make no limit: from it on at
// least two more were held up than went on. It comes down by another power of two only where that adds two more.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace andes::monitor {

class SizeLimit {
public:
  /// A message that could have been held up, and was or was not.
  void add(std::uint64_t bytes, bool was_held_up) { balance_[class_of(bytes)] += was_held_up ? 1 : -1; }
  /// To be called when all have been added.
  void find() {
    std::int64_t above = 0, of_limit = 0;
    for (std::size_t size = balance_.size(); size-- > 0;) {
      above += balance_[size];
      if (above < of_limit + least_cases) continue;
      of_limit = above;
      limit_ = size;
    }
  }
  /// Whether messages of this size are held up where they can be.
  bool holds_up(std::uint64_t bytes) const { return class_of(bytes) >= limit_; }
  /// Whether more messages of this size went on than were held up.
  bool lets_go(std::uint64_t bytes) const { return balance_[class_of(bytes)] < 0; }

private:
  static constexpr std::int64_t least_cases = 2;
  static std::size_t class_of(std::uint64_t bytes) { return static_cast<std::size_t>(std::bit_width(bytes)); }

  std::array<std::int64_t, 65> balance_{}; // held up less those that went on, by size
  std::size_t limit_ = balance_.size();
};

} // namespace andes::monitor
