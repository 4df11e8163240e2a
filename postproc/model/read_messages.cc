#include "postproc/model/read_messages.h"

#include "postproc/model/database.h"

namespace andes::postproc {

std::vector<SentMessages> sent_messages(const Profile& profile) {
  const Database db(profile.file);
  std::vector<SentMessages> sent;
  if (!db.has_table("message")) return sent;
  for (Query row(db, "SELECT source, destination, messages, bytes FROM message"); row.next();) {
    SentMessages entry;
    entry.source = row.index(0, 0, profile.ranks - 1, "source of messages");
    const int destination = row.index(1, -1, profile.ranks - 1, "destination of messages");
    if (destination >= 0) entry.destination = destination;
    entry.messages = row.number(2);
    entry.bytes = row.number(3);
    sent.push_back(entry);
  }
  return sent;
}

} // namespace andes::postproc
