// Finds messages that were received in another order than they were sent: fills the parameters
// overtaking_* of point_to_point_operation_group from the other columns, in n log n for n messages.
// A parameter rather than a join in the rules, because the overtaking message can be any number of
// messages away. "Before the last tenth of the wait" rather than "earlier": of two messages sent at
// about the same time one is always earlier, which says nothing about the program.
#pragma once
#include "monitor/rules/tables.h"

namespace andes::monitor::rules {

/// For each message of one rank's table that was waited for (rows in any order): among the messages
/// that the same thread began to wait for later, and that were sent before the last tenth of this
/// wait, the one that it waited for next. Needs the columns thread, source, send_start_time and
/// receive_wait_start/finish_time; does nothing if no rule reads overtaking_*.
void fill_overtaking(Table& messages);

} // namespace andes::monitor::rules
