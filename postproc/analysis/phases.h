// Phases: how the steps of a program differ, and the values that it attached to its call paths. A run's call
// tree has all steps of a phase together; here they are separated.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// One step, or all beyond the limit; times in seconds, inclusive, over ranks.
struct PhaseStep {
  int step = 0;      // index into Profile::steps
  std::string label; // its number, behind those of the steps it is in: 7, 2.5; "(more)"
  std::optional<long long> number;
  double visits = 0, mean_s = 0, min_s = 0, max_s = 0;
  int max_rank = 0;
  double communication_s = 0;   // mean over ranks; less idle where that is known
  std::optional<double> idle_s; // the same
  std::optional<double> io_s;   // the same; absent: part of communication (files of before)
};

struct Phase {
  int callpath = 0;
  std::string name;
  double visits = 0;            // over all ranks and steps
  std::vector<PhaseStep> steps; // with numbers, in the order in which they were met
  std::vector<PhaseStep> more;  // those beyond the limit, together
  // Of the steps' means over ranks; the longest and the shortest are indices into `steps`.
  double mean_s = 0;
  std::size_t shortest = 0, longest = 0;
};

/// A value of one name in one call path, over all ranks and threads and, unless they are apart, steps.
struct PathValue {
  int callpath = 0, step = -1; // as in AttachedValue
  std::string name;
  double count = 0, not_finite = 0;
  std::optional<double> mean, min, max; // absent without a count
  std::optional<double> last;           // of a single location; of its step that was met last
  std::vector<const AttachedValue*> parts;
};

/// The numbers of a step and of those it is in, 2.5; "(more)" for one beyond the limit. Of a call path below it,
/// the step's.
std::string label_of_step(const Profile& profile, int step);

/// Phases with steps, in the order of the tree.
std::vector<Phase> phases_of(const Profile& profile);

std::vector<PathValue> values_of(const Profile& profile);

/// Number of the call path of a value, which is its step's where these are apart.
int callpath_of(const Profile& profile, const PathValue& value);

/// The same run with a call path for each step. Call paths keep their numbers; those whose time is all in
/// single steps have none left.
Profile with_steps_apart(const Profile& profile);

} // namespace andes::postproc
