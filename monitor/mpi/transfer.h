// The time of messages: measured at the end of a run between two ranks, if the run had non-blocking
// messages and setting `transfer` does not give the network's speed.
#pragma once
#include "monitor/entries/wrappers.h"

namespace andes::monitor::mpi {

/// See andes_transport::time_messages.
int time_messages(int peer, int leads, const std::size_t* bytes, int count, andes_message_time* times,
                  std::int64_t deadline_ns);

} // namespace andes::monitor::mpi
