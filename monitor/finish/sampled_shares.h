// Sampled shares: which part of the time of a function with a probe passes in functions without one that it calls, by
// samples of the program counter (monitor/core/function_samples.h) and debug information. What operations in the source
// let expect (left_out.h) they replace. docs/metrics.md, "Functions without a probe".
#pragma once
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "monitor/finish/code_scopes.h"
#include "monitor/finish/run.h"

namespace andes::monitor {

struct Location;

/// Periods that samples of a function with a probe stand for, and those of them that lie in one without; of the
/// second's empty name: all of them.
using SampledShares = std::map<std::pair<NotedFunction, NotedFunction>, double>;

/// Adds those of a thread. `left_out`: functions without a probe; `region_of`: a region as the table of sites has it.
void add_shares(const Location& location, const CodeScopes& scopes, const std::vector<NotedFunction>& left_out,
                const std::function<NotedFunction(std::uint32_t region)>& region_of, SampledShares& shares);

/// Puts sampled shares in the place of those by operations, for regions with enough samples.
void take_shares(const SampledShares& shares, const std::vector<RegionRow>& regions, std::vector<LeftOutRow>& rows);

} // namespace andes::monitor
