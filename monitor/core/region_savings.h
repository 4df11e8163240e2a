// Region savings: what closing a region would save in all its call paths of a location together. In some of them it may
// cost more than it saves, since callees that stay open would search for their caller at each visit (hidden_frames.h).
// Watched is a bounded number of regions, those with such callees: closing others saves in each call path.
#pragma once
#include <cstdint>

namespace andes::monitor {

class RegionSavings {
public:
  void watch(std::uint32_t region) {
    if (count_ < most && !find(region)) regions_[count_++] = {region, 0};
  }

  bool watches(std::uint32_t region) { return find(region) != nullptr; }

  /// Adds what closing a call path of a watched region would save, in ticks; less than 0: what it would cost.
  void add(std::uint32_t region, double ticks) { find(region)->ticks += ticks; }

  /// Whether closing the region saves more than that; true of one that is not watched.
  bool exceed(std::uint32_t region, double ticks) {
    const Entry* const entry = find(region);
    return !entry || entry->ticks > ticks;
  }

private:
  static constexpr std::uint32_t most = 64;
  struct Entry {
    std::uint32_t region;
    double ticks;
  };

  Entry* find(std::uint32_t region) {
    for (std::uint32_t i = 0; i < count_; ++i)
      if (regions_[i].region == region) return &regions_[i];
    return nullptr;
  }

  std::uint32_t count_ = 0;
  Entry regions_[most];
};

} // namespace andes::monitor
