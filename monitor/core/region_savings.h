// Region savings: what closing a region would save in all its call paths of a location together, and the time of
// their visits. Its sites lead to all of them: closing it for a few that are dear would lose the others, whose visits
// may be long. In some call paths it may cost more than it saves, since callees that stay open would search for their
// caller at each visit (hidden_frames.h). Watched is a bounded number of regions; others are judged by each call path.
#pragma once
#include <cstdint>

namespace andes::monitor {

class RegionSavings {
public:
  void watch(std::uint32_t region) {
    Entry& entry = place_of(region);
    if (entry.is_used || count_ == most) return;
    entry = {region, true, 0, 0};
    ++count_;
  }

  bool watches(std::uint32_t region) { return place_of(region).is_used; }

  /// Adds a call path of a watched region: what closing it would save, in ticks (less than 0: what it would cost), and
  /// the time of its visits.
  void add(std::uint32_t region, double saved_ticks, double ticks) {
    Entry& entry = place_of(region);
    entry.saved_ticks += saved_ticks;
    entry.ticks += ticks;
  }

  /// Whether closing the region saves more than that, and at more than this price; true of one that is not watched.
  bool exceed(std::uint32_t region, double saved_ticks, double price) {
    const Entry& entry = place_of(region);
    return !entry.is_used || (entry.saved_ticks > saved_ticks && entry.saved_ticks > price * entry.ticks);
  }

private:
  static constexpr std::uint32_t most = 64, places = 2 * most; // half of the places stay free, so each search ends
  struct Entry {
    std::uint32_t region;
    bool is_used;
    double saved_ticks, ticks;
  };

  /// Where the region is, or would be.
  Entry& place_of(std::uint32_t region) {
    std::uint32_t i = region % places;
    while (entries_[i].is_used && entries_[i].region != region) i = (i + 1) % places;
    return entries_[i];
  }

  std::uint32_t count_ = 0;
  Entry entries_[places] = {};
};

} // namespace andes::monitor
