// Call paths that send many small messages: `small_messages` in JSON.
#pragma once
#include "postproc/analysis/small_messages.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

List<SmallMessages> small_messages();

} // namespace andes::postproc::columns
