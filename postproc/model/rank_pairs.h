// Reading tables whose rows are of a rank and another one: messages, waits.
#pragma once
#include <functional>
#include <optional>

#include "postproc/model/database.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// Hands each row of `table` to `use`: a rank, the other one (absent where the file has -1), and the row, whose columns
/// from the third on are the numbers of `columns`. Files of older monitors may lack the table: no rows. Throws Refusal
/// like read_run, with the column and `of`, for ranks that there are not.
void each_rank_pair(const Profile& profile, const char* table, const char* columns, const char* of,
                    const std::function<void(int rank, std::optional<int> other, const Query& row)>& use);

} // namespace andes::postproc
