// Change of a routine: what a user would do to a routine, in the words of `andes report --if` (docs/running.md):
//
//     NAME xK            its computation takes a K-th of its time
//     balance NAME       every rank computes the mean over the ranks
//     parallel NAME      the same, and all ranks together no more than those of the base run
//     no-wait NAME       no rank waits in MPI calls of it
//
// NAME is a function, or names of a call path joined by `>`, of which the first may be left out: main>solve, solve. It
// stands for all call paths that end so, in all files, with all that they call (decision 261).
#pragma once
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct RoutineChange {
  enum class Kind { faster, balanced, parallel, no_wait } kind = Kind::faster;
  std::string place; // NAME
  double factor = 1; // K
};

/// Throws Refusal.
RoutineChange change_of(const std::string& text);

/// In the words from which it is read.
std::string text_of(const RoutineChange& change);

/// By call path: whether the change concerns it. Throws Refusal, with the nearest names, if it concerns none; and if
/// nothing is computed in those of a change of computation.
std::vector<bool> paths_of(const Profile& profile, const RoutineChange& change);

/// The call paths that a change concerns.
struct Concerned {
  std::vector<bool> paths; // by call path
  bool any = false, computes = false;
};
Concerned concerned_by(const Profile& profile, const RoutineChange& change);

/// The shortest NAME that stands for this call path alone; of eight names at most, which may stand for others, too.
std::string place_of_path(const Profile& profile, int callpath);

} // namespace andes::postproc
