// What a region of the older build and one of the newer have in common, as far as regions are matched already.
#pragma once
#include <cstddef>
#include <set>

#include "postproc/analysis/region_evidence.h"

namespace andes::postproc {

/// How many regions two sets have in common, and how many there are in both together. A region without a partner counts
/// as one that only one of the sets has.
struct Overlap {
  std::size_t common = 0, all = 0;
  double part() const { return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all); }
};

/// How a region is called. `once`: once in each visit of its callers; many regions are called so, so this tells little.
enum class Often { no, once, yes };

/// `a` is a region of the older build, `b` of the newer. Sees new matches, and new places of find_places().
class RegionComparison {
public:
  RegionComparison(const RegionEvidence& older, const RegionEvidence& newer) : old_(older), new_(newer) {}

  Overlap callees(int a, int b) const;
  /// The same with what functions without a partner call in the place of these: one of them may be a part that was
  /// made a function.
  Overlap callees_through(int a, int b) const;
  Overlap callers(int a, int b) const;
  /// Whether all callers that both have call them as often. No where that is not known, or they have none.
  Often called_as_often(int a, int b) const;
  /// The same of what they call directly.
  Often calls_as_often(int a, int b) const;
  /// Counted from the first line of the functions that they lie in.
  bool at_same_line(int a, int b) const;
  /// The same, counted back from the last line of what these own.
  bool at_same_line_from_end(int a, int b) const;
  /// Between the same matched functions of their files.
  bool at_same_place(int a, int b) const;

private:
  Often as_often(const std::map<int, double>& olds, const std::map<int, double>& news) const;
  Overlap overlap(const std::set<int>& olds, const std::set<int>& news) const;

  const RegionEvidence &old_, &new_;
};

} // namespace andes::postproc
