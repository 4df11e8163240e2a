// NothingToRecover: there is no fault in the arenas, but nothing that a run file is missing: they may be removed.
#pragma once
#include "common/refusal.h"

namespace andes {

struct NothingToRecover : Refusal {
  using Refusal::Refusal;
};

} // namespace andes
