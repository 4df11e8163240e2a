// Checks of a program: whether it can be started here, and what of it will be measured.
#pragma once
#include <string>

#include "postproc/inspect/built_program.h"
#include "postproc/inspect/check.h"
#include "postproc/launch/installation.h"

namespace andes::postproc {

Checks program_checks(const BuiltProgram& program, const Installation& installation);

} // namespace andes::postproc
