// Routines that limit the speedup, with their parts of the serial fraction.
#pragma once
#include "postproc/analysis/serial_routines.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

List<SerialRoutine> serial_routines();

} // namespace andes::postproc::columns
