// Simple events: single calls of this rank's log as rules may look at them (function_call_* of
// docs/rules.md), for rules that compose events of their own. They are made only if a rule of the
// run reads their type; the shipped rules read none.
//
// A request's serial number identifies the operation: the call that starts it and the call that completes
// it have the same one. A persistent request keeps its number for all starts, and the call that made it
// has the number, too, if setting `events` had it logged; else each start counts as a request.
#pragma once
#include "monitor/exchange/event_tables.h"

namespace andes::monitor {

void add_simple_events(rules::Tables& events, const rules::Program& program, const RankLog& log,
                       const LogLevels& levels, const Operations& operations,
                       const std::vector<Participation>& participations, int rank, const Sites& sites);

} // namespace andes::monitor
