#include "postproc/analysis/few_points.h"

#include <fmt/format.h>
#include <iterator>

namespace andes::postproc {
namespace {

struct Rule {
  std::size_t sizes; // at least
  const char *told, *not_told;
};

constexpr Rule rules[] = {
    {1, "nothing of scaling", "measure at two times the size"},
    {2, "a speedup, and a serial fraction if Amdahl's law holds", "whether it holds is not told"},
    {3, "whether more is lost than by Amdahl's law", "how that grows is not told"},
    {4, "the trend of the serial fraction", "its form is not told"},
    {5, "the form in which each call path grows", "contention and coherency (USL) need six sizes"},
    {6, "the form in which each call path grows, and contention and coherency (USL)", ""},
};

} // namespace

std::size_t sizes_for(Claim claim) {
  switch (claim) {
  case Claim::speedup: return 2;
  case Claim::forecast: return 3;
  case Claim::trend: return 4;
  case Claim::axis_terms: return 4;
  case Claim::terms: return 5;
  case Claim::usl: return 6;
  }
  return 0;
}

std::string what_sizes_tell(std::size_t sizes) {
  if (sizes == 0) return "No size is usable, so nothing is told of scaling; the warnings above say why.";
  const Rule* rule = std::begin(rules);
  for (const Rule& r : rules)
    if (sizes >= r.sizes) rule = &r;
  const char* what_not = rule->not_told;
  return fmt::format("{} size{} tell{} {}{}{}.", sizes, sizes == 1 ? "" : "s", sizes == 1 ? "s" : "", rule->told,
                     *what_not ? "; " : "", what_not);
}

} // namespace andes::postproc
