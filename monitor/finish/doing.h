// What a rank did before its calls that came late, by its log and its call tree: docs/metrics.md, "Idle and causes".
#pragma once
#include <vector>

#include "monitor/exchange/rank_log.h"
#include "monitor/exchange/waits.h"
#include "monitor/finish/late_calls.h"
#include "monitor/finish/profile.h"
#include "monitor/finish/wait_origins.h"

namespace andes::monitor {

/// Sets what this rank did before the calls of its `origins`, and for how long. `late` is sorted by the time; `waits`
/// are this rank's own.
void find_doing(const RankLog& log, const Profile& profile, const std::vector<LateCall>& late,
                const std::vector<Wait>& waits, std::vector<WaitOrigin>& origins);

} // namespace andes::monitor
