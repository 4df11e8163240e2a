#include "postproc/model/read_messages.h"

#include "postproc/model/rank_pairs.h"

namespace andes::postproc {

std::vector<SentMessages> sent_messages(const Profile& profile) {
  std::vector<SentMessages> sent;
  each_rank_pair(profile, "message", "source, destination, messages, bytes", "messages",
                 [&sent](int source, std::optional<int> destination, const Query& row) {
                   sent.push_back({source, destination, row.number(2), row.number(3)});
                 });
  return sent;
}

} // namespace andes::postproc
