// What the program of a run was built from: the stamp that `andes cc` left in it (monitor/interface/build_stamp.h).
#pragma once
#include <string>
#include <vector>

#include "monitor/interface/build_stamp.h"

namespace andes::monitor {

/// Of the first of these files that has a stamp, with the flags of its objects, where they have any, in the place of
/// those of its link.
BuildStamp stamp_in(const std::vector<std::string>& files);

} // namespace andes::monitor
