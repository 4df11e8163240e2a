// What the kinds of regions are of, by their words in run files (kinds.def).
#pragma once
#include <string_view>

namespace andes {

enum class PartOfKind {
  location, // the location itself, and call paths beyond the limits
  program,  // its own code: functions, loops, marked blocks, phases with their steps, constructs of OpenMP
  idle,     // waiting for other threads of the process
  tool,     // the monitor
  mpi,      // calls of MPI, and input and output by the C library
  local,    // calls that concern no other process, of MPI, or the main thread's for its other threads: they compute
  other     // no kind of probe.h: a place that calls MPI (call-site), or a kind of a later andes
};

constexpr PartOfKind part_of_kind(std::string_view kind) {
#define ANDES_KIND_WORD(KIND, word, part)                                                                              \
  if (kind == word) return PartOfKind::part;
#include "monitor/interface/kinds.def"
#undef ANDES_KIND_WORD
  return PartOfKind::other;
}

} // namespace andes
