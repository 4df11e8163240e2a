// Why no run file can be made of arenas, in any place.
#pragma once
#include "common/refusal.h"

namespace andes::monitor {

/// The arenas are fine, but contain nothing that is not in a run file already: they may be removed.
struct NothingToRecover : Refusal {
  using Refusal::Refusal;
};

/// None of the arenas can be read; the remedy is that of the first.
struct NothingReadable : Refusal {
  using Refusal::Refusal;
};

} // namespace andes::monitor
