// NothingToRecover: the arenas are fine, but contain nothing that is not in a run file already: they may be removed.
#pragma once
#include "common/refusal.h"

namespace andes::monitor {

struct NothingToRecover : Refusal {
  using Refusal::Refusal;
};

} // namespace andes::monitor
