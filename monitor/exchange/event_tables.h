// Fills the tables that rules are evaluated over (monitor/rules) with the results of the exchange. The
// number of a call stack in them is the hash of the call path.
#pragma once
#include "monitor/exchange/collectives.h"
#include "monitor/exchange/messages.h"
#include "monitor/exchange/owner_progress.h"
#include "monitor/rules/rules.h"

namespace andes::monitor {

/// All operations that this rank has compared.
struct Compared {
  Messages messages;             // that it received
  Collectives collectives;       // that it took part in
  AccessEpochs epochs;           // to its windows
  std::vector<LockWait> locks;   // of its windows
  std::vector<OwnerWait> owner_waits; // of calls on them, for this rank
};

rules::Tables event_tables(const rules::Program& program, const Compared& compared, int rank, const EventTables& tables,
                           const Sites& sites);

} // namespace andes::monitor
