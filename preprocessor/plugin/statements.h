// The assembler statements of probe.h for GCC's intermediate code: the same text, with the offsets put in, and
// numbers for the operands that remain. Order of these: frame and scratch register (outputs of the entry; of the exit
// only the latter), then site's region and return address; or the frame. With `Here::operand` two more
// follow, members `regions` (not of the exit) and `location` of andes_here.
#pragma once
#include <string>

namespace andes::preprocessor::plugin {

/// How a statement finds andes_here: probe.h says when.
enum class Here { by_offset, operand };

std::string enter_text(Here here);
std::string leave_text(Here here);

} // namespace andes::preprocessor::plugin
