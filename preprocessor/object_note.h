// A text that `andes cc` leaves in an object, in a section of strings that is not loaded: the linker merges equal ones,
// and a program never reads them (monitor/interface/left_out.h).
#pragma once
#include <string>

namespace andes::preprocessor {

/// The statements of the assembler that put `text` into the section of the object.
std::string object_note(const char* section, const std::string& text);

} // namespace andes::preprocessor
