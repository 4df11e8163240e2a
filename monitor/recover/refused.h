// RefusedArena: why an arena, or a job of them, is of no use: "object: fact; remedy", one line.
#pragma once
#include <stdexcept>

namespace andes {

struct RefusedArena : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// There is no fault in them, but nothing that a run file is missing: they may be removed.
struct NothingToRecover : RefusedArena {
  using RefusedArena::RefusedArena;
};

} // namespace andes
