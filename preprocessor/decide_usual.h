// Finds functions that loops call so often, and that are so short in most of these visits, that their probes would cost
// the program more than 1 %, measured or not (docs/decisions/0321). Pure, as decide.h.
#pragma once
#include <optional>
#include <vector>

#include "preprocessor/decide_small.h"

namespace andes::preprocessor {

/// A function that a loop of its file calls gets no probe up to so many expected operations, if all its work is known:
/// of longer ones, not all of whose ways are taken, the eight instructions of a probe that is not measured are some 4 %
/// at most.
constexpr double looped_operations = 400;

/// The same for one that calls longer functions in some of its visits only: so many operations of its own, as
/// `small_operations`, or `inlined_size_marked` where it is marked inline.
constexpr double usual_operations = 100, usual_operations_marked = 200;

/// It calls longer functions in at most so many places: one with more of them puts work in order, and is a step of it.
constexpr unsigned usual_places = 2;

/// A function that only repeats another one has at most so many operations beside it.
constexpr unsigned repeating_operations = 16;

/// Adds to `small` functions that are left out since
/// - a loop calls them, none of their own loops goes over data, and all that they do is known and short;
/// - a loop calls them, or they are marked inline, and a visit may do without each of the longer functions that they
///   call;
/// - a loop calls them, and they only hand on to one longer function of the program (docs/decisions/0322);
/// - their one call is in a loop of a function that does nothing else, and compilers would inline them there.
/// A call in a loop counts if it is in the file of the function, directly or through functions that are left out. So
/// the decision for a function of a header is the same in all sources. `kept`: functions that keep their probe.
void add_usually_short(const std::vector<Function>& functions, const std::vector<Choice>& choices,
                       const std::vector<bool>& kept, std::vector<std::optional<Small>>& small);

} // namespace andes::preprocessor
