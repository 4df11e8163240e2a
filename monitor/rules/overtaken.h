// Which messages were received in another order than they were sent in: fills the parameters
// overtaking_* of point_to_point_operation_group from the other columns, in n log n for n messages. A
// parameter rather than a join in the rules, because the message that overtakes can lie any number of
// messages away.
#pragma once
#include "monitor/rules/tables.h"

namespace andes::rules {

/// For each message of the table (all of a rank's threads, in any order of rows): among the messages
/// that the same thread began to wait for later and that were sent earlier, the one it waited for
/// next. Needs the columns rank, thread, source, send_start_time and receive_wait_start_time; does
/// nothing where no rule reads overtaking_source.
void fill_overtaking(Table& messages);

} // namespace andes::rules
