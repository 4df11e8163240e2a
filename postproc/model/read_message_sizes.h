// Reading how large the messages of call paths were.
#pragma once
#include "postproc/model/database.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// Fills Profile::message_sizes; the call paths must be there. Files of before have none. Throws Refusal for what is
/// damaged.
void read_message_sizes(const Database& db, Profile& profile);

} // namespace andes::postproc
