#include "postproc/analysis/region_comparison.h"

#include <cmath>
#include <optional>

namespace andes::postproc {
namespace {

template <class T> decltype(auto) of(const std::vector<T>& values, int r) {
  return values[static_cast<std::size_t>(r)];
}

std::optional<int> line_in_owner(const RegionEvidence& side, int r) {
  const int owner = of(side.owner, r), line = of(side.tree.regions, r).line;
  if (owner < 0 || line <= 0) return {};
  const int from = of(side.tree.regions, owner).line;
  return from > 0 && line >= from ? std::optional(line - from) : std::nullopt;
}

std::set<int> through_unmatched(const RegionEvidence& side, int r) {
  std::set<int> callees;
  for (const int callee : of(side.callees, r)) {
    if (of(side.partner, callee) < 0 && is_function(of(side.tree.regions, callee)))
      callees.insert(of(side.callees, callee).begin(), of(side.callees, callee).end());
    else callees.insert(callee);
  }
  return callees;
}

} // namespace

Overlap RegionComparison::overlap(const std::set<int>& olds, const std::set<int>& news) const {
  Overlap overlap;
  for (const int a : olds) overlap.common += news.count(of(old_.partner, a));
  overlap.all = olds.size() + news.size() - overlap.common;
  return overlap;
}

Overlap RegionComparison::callees(int a, int b) const { return overlap(of(old_.callees, a), of(new_.callees, b)); }
Overlap RegionComparison::callees_through(int a, int b) const {
  return overlap(through_unmatched(old_, a), through_unmatched(new_, b));
}
Overlap RegionComparison::callers(int a, int b) const { return overlap(of(old_.callers, a), of(new_.callers, b)); }

Often RegionComparison::called_as_often(int a, int b) const { return as_often(of(old_.rates, a), of(new_.rates, b)); }
Often RegionComparison::calls_as_often(int a, int b) const { return as_often(of(old_.calls, a), of(new_.calls, b)); }

Often RegionComparison::as_often(const std::map<int, double>& olds, const std::map<int, double>& news) const {
  Often often = Often::no;
  for (const auto& [region, rate] : olds) {
    const auto found = news.find(of(old_.partner, region));
    if (found == news.end()) continue;
    if (rate <= 0 || std::fabs(found->second / rate - 1) > 1e-6) return Often::no;
    if (std::fabs(rate - 1) > 1e-6) often = Often::yes;
    else if (often == Often::no) often = Often::once;
  }
  return often;
}

bool RegionComparison::at_same_line(int a, int b) const {
  const auto old_line = line_in_owner(old_, a), new_line = line_in_owner(new_, b);
  return old_line && new_line && *old_line == *new_line;
}

bool RegionComparison::at_same_line_from_end(int a, int b) const {
  const auto to_last = [](const RegionEvidence& side, int r) {
    const int owner = of(side.owner, r), line = of(side.tree.regions, r).line;
    return owner < 0 || line <= 0 ? -1 : of(side.last_line, owner) - line;
  };
  const int old_lines = to_last(old_, a);
  return old_lines >= 0 && old_lines == to_last(new_, b);
}

bool RegionComparison::at_same_place(int a, int b) const {
  const auto partner = [&](int r) { return r < 0 ? -1 : of(old_.partner, r); };
  const int before = of(old_.before, a), after = of(old_.after, a);
  return (before >= 0 || after >= 0) && partner(before) == of(new_.before, b) && partner(after) == of(new_.after, b) &&
         of(old_.among, a) == of(new_.among, b);
}

} // namespace andes::postproc
