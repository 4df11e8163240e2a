// RunAxes: what `andes run` varied besides ranks and threads (--vary), as the facts `axes` and `weak` of a run say.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct RunAxis {
  std::string name, value;
  bool grows = false; // with the ranks: the axis of --weak
  std::string base;   // with `grows`: the value at the smallest number of ranks
};

/// In the order of the command line; none for a run without axes, and for facts that are no such list.
std::vector<RunAxis> axes_of(const Profile& profile);

/// A value that is a number.
std::optional<double> number_of(const std::string& value);

/// The order in which values are shown: numbers by their size and before texts, texts by the alphabet.
bool value_less(const std::string& a, const std::string& b);

} // namespace andes::postproc
