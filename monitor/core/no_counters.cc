// For readers of arenas, who use the monitor's structures and closing of visits: they count nothing. In the
// place of counters.cc.
#include "monitor/core/counters.h"

namespace andes {

void count_now(Location&) {}

} // namespace andes
