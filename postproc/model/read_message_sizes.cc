#include "postproc/model/read_message_sizes.h"

namespace andes::postproc {

namespace {

/// A rank has a row for each destination, or for many of them one with the destination -1.
void read_destinations(const Database& db, Profile& profile) {
  Query row(db, "SELECT COUNT(*), COUNT(DISTINCT source), MIN(destination) FROM message");
  if (!row.next() || row.number(0) <= 0) return;
  if (row.number(2) >= 0) profile.destinations = row.number(0) / row.number(1);
  else profile.destinations = profile.ranks - 1;
}

} // namespace

void read_message_sizes(const Database& db, Profile& profile) {
  if (!db.has_table("message_size")) return;
  read_destinations(db, profile);
  const auto last_path = static_cast<long long>(profile.callpaths.size()) - 1;
  for (Query row(db, "SELECT callpath, at_least, below, messages FROM message_size ORDER BY callpath, at_least");
       row.next();) {
    MessageSize size;
    size.callpath = row.index(0, 0, last_path, "call path of message sizes");
    size.at_least = row.number(1);
    size.below = row.optional_number(2);
    size.messages = row.number(3);
    const bool follows = !profile.message_sizes.empty() && profile.message_sizes.back().callpath == size.callpath;
    const std::optional<double> before = follows ? profile.message_sizes.back().below : 0;
    if (size.at_least < before.value_or(size.at_least + 1) || size.below.value_or(size.at_least + 1) <= size.at_least)
      db.damaged("the sizes of messages overlap");
    if (size.messages < 0) db.damaged("number of messages");
    profile.message_sizes.push_back(size);
  }
}

} // namespace andes::postproc
