// Simple events: single calls of this rank's log as rules may look at them (function_call_* of
// docs/rules.md), for rules that compose events of their own. They are made only where a rule of the
// run reads their type; those that come with andes read none.
//
// A request's serial number stands for the operation: the call that starts it and the call that
// completes it have the same. The calls that make a persistent request are not in the log, those that
// start it are.
#pragma once
#include "monitor/exchange/event_tables.h"

namespace andes {

void add_simple_events(rules::Tables& events, const rules::Program& program,
                       const Operations& operations,
                       const std::vector<Participation>& participations, int rank,
                       const EventTables& tables, const Sites& sites);

} // namespace andes
