// What functions without a probe are expected to take of the time of those with one, from the operations in their text.
// Pure, as decide.h.
#pragma once
#include <string>
#include <vector>

#include "monitor/interface/left_out.h"
#include "preprocessor/pipeline.h"

namespace andes::preprocessor {

/// The part of a left-out function in the own time of a function with a probe.
struct LeftOutShare {
  unsigned in = 0; // the function with a probe, by index
  double share = 0; // 0 to 1
  bool unknown_work = false; // that function also calls code whose work is unknown, such as libraries: not counted
};

/// For each function without a probe, its shares of at least a hundredth in functions of this source, largest first;
/// for the others none. A share is the operations of a call as in `Expected`, divided by those of the whole visit.
/// None in functions that wait outside of MPI (collect/waits.h): their time is no matter of operations.
std::vector<std::vector<LeftOutShare>> left_out_shares(const std::vector<Function>& functions,
                                                       const std::vector<Decision>& decisions);

/// Assembler statements that put the notes of this source (monitor/interface/left_out.h) into its object, one for each:
/// of functions with a probe that contain others, and of functions without one that other sources may call. Parts below
/// a thousandth are left out.
std::vector<std::string> left_out_statements(const std::vector<Function>& functions,
                                             const std::vector<Decision>& decisions);

} // namespace andes::preprocessor
