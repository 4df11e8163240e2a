// Reading the communication matrix of a run: who sent how much to whom.
#pragma once
#include <optional>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// What a rank sent to another one, point to point.
struct SentMessages {
  int source = 0;
  std::optional<int> destination; // absent: all ranks that have no entry of their own
  double messages = 0, bytes = 0;
};

/// By source and destination. Throws Refusal like read_run.
std::vector<SentMessages> sent_messages(const Profile& profile);

} // namespace andes::postproc
