// What the program of a run was built from, as the facts of the run say it (docs/running.md, "Stamps").
#pragma once
#include <string>

#include "monitor/interface/build_stamp.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

BuildStamp stamp_of(const Profile& profile);

/// The commit in so many digits as people write; empty without one.
std::string short_commit(const std::string& commit);

/// "commit 1a2b3c4d5e (main), with changes that are not committed"; empty without a commit.
std::string text_of_sources(const BuildStamp& stamp);

} // namespace andes::postproc
