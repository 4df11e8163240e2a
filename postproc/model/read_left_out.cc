#include "postproc/model/read_left_out.h"

#include <climits>

namespace andes::postproc {

void read_left_out(const Database& db, Profile& profile) {
  if (!db.has_table("left_out")) return;
  const auto last_region = static_cast<long long>(profile.regions.size()) - 1;
  const std::string samples = db.has_column("left_out", "samples") ? "samples" : "NULL"; // files of before have none
  const std::string query =
      "SELECT region, name, file, line, share, unknown_work, " + samples + " FROM left_out ORDER BY rowid";
  for (Query row(db, query.c_str()); row.next();) {
    LeftOut function;
    function.region = row.index(0, 0, last_region, "region of a function without a probe");
    function.name = row.name(1);
    function.file = row.name(2);
    if (!row.is_null(3)) function.line = row.index(3, 0, INT_MAX, "line");
    function.share = row.number(4);
    if (function.share < 0 || function.share > 1) db.damaged("share of a function without a probe");
    function.unknown_work = row.index(5, 0, 1, "unknown_work") != 0;
    function.is_sampled = !row.is_null(6);
    profile.left_out.push_back(std::move(function));
  }
}

} // namespace andes::postproc
