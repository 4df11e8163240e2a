// Progress: many MPI libraries move the data of long messages only while both ranks are in MPI. Then a call that
// completes a send whose receive was posted in time waits until the receiver calls MPI again, and a receive of a
// message that was sent in time until its sender does: the other rank computes meanwhile.
//
// What is known of it: when the other rank completed its side, and whether the call lasted until then. A call that
// completes one operation shows whether the library lets messages of a size wait. Of one that completes several it is
// not known for which it lasted: it shows that only if the other rank has sent nothing meanwhile that the call may have
// waited for, and counts only where others have shown it. Messages of its size that mostly went on while the other rank
// computed show that the library needs nobody for them: then none has waited.
#pragma once
#include <utility>

#include "monitor/exchange/messages.h"

namespace andes::monitor {

/// When sends began, each with the rank at the other end.
using SendTimes = std::vector<std::pair<std::int32_t, std::int64_t>>;

SendTimes send_times_of(const std::vector<Operation>& sends, const EventTables& tables);

/// Fills what messages.h has of progress. `own_sends`: those of the rank that has received the messages. `eager_bytes`:
/// messages up to this size are sent at once; 0: not known.
void find_progress(std::vector<Message>& messages, SendTimes own_sends, std::uint64_t eager_bytes);

} // namespace andes::monitor
