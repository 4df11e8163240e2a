// A profile as bytes, to be sent from rank to rank of one job: same architecture, same andes.
#pragma once
#include <optional>
#include <string>

#include "monitor/finish/profile.h"

namespace andes {

std::string to_bytes(const Profile& profile);

/// Nothing if the bytes are not a whole profile: every size and index is checked.
std::optional<Profile> from_bytes(const std::string& bytes);

} // namespace andes
