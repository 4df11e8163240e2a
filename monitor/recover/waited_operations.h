// What a call waits for, or a polling loop asks for, as its Intent says: operations, and the text of its arguments.
#pragma once
#include "monitor/core/event_log.h"
#include "monitor/core/intent.h"
#include "monitor/recover/rank_state.h"
#include "monitor/recover/started_collective.h"

namespace andes::monitor {

/// The ranks that messages come from: of an inter-communicator those of the other group.
Members senders_of(const Communicator& of);

/// Sets the operations of a thread whose `function` is known, and adds the arguments to its `call`.
void set_operations(ThreadActivity& state, const EventTables& events, const FindStarted& find_started,
                    const Intent& intent);

} // namespace andes::monitor
