#include "postproc/model/rank_pairs.h"

#include <fmt/core.h>

namespace andes::postproc {

void each_rank_pair(const Profile& profile, const char* table, const char* columns, const char* of,
                    const std::function<void(int rank, std::optional<int> other, const Query& row)>& use) {
  const Database db(profile.file);
  if (!db.has_table(table)) return;
  const std::string what = fmt::format("rank of {}", of);
  for (Query row(db, fmt::format("SELECT {} FROM {}", columns, table).c_str()); row.next();) {
    const int rank = row.index(0, 0, profile.ranks - 1, what.c_str());
    const int other = row.index(1, -1, profile.ranks - 1, what.c_str());
    use(rank, other < 0 ? std::optional<int>() : other, row);
  }
}

} // namespace andes::postproc
