// Few points: what can be said of scaling from the sizes that were measured. Decided here and nowhere else; the table
// is in docs/metrics.md, "Models".
#pragma once
#include <cstddef>
#include <string>

namespace andes::postproc {

/// What analyses may claim; each needs some sizes that count (neither oversubscribed nor repeated).
/// `axis_terms`: the form in which T and call paths grow with an axis of --vary, as a size of the problem.
enum class Claim { speedup, forecast, trend, axis_terms, terms, usl };

std::size_t sizes_for(Claim claim);

inline bool may_say(Claim claim, std::size_t sizes) { return sizes >= sizes_for(claim); }

/// One sentence: what so many sizes tell, and what they do not.
std::string what_sizes_tell(std::size_t sizes);

} // namespace andes::postproc
