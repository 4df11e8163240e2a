#include "postproc/model/rank_pairs.h"

#include <string_view>

#include <fmt/core.h>

namespace andes::postproc {

void each_rank_pair(const Profile& profile, const char* table, const char* columns, const char* of,
                    const std::function<void(int rank, std::optional<int> other, const Query& row)>& use) {
  const Database db(profile.file);
  if (!db.has_table(table)) return;
  const std::string_view names = columns, others = names.substr(names.find(", ") + 2);
  const std::string first = fmt::format("{} of {}", names.substr(0, names.find(',')), of),
                    second = fmt::format("{} of {}", others.substr(0, others.find(',')), of);
  for (Query row(db, fmt::format("SELECT {} FROM {}", columns, table).c_str()); row.next();) {
    const int rank = row.index(0, 0, profile.ranks - 1, first.c_str());
    const int other = row.index(1, -1, profile.ranks - 1, second.c_str());
    use(rank, other < 0 ? std::optional<int>() : other, row);
  }
}

} // namespace andes::postproc
