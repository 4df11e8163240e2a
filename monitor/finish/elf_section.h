// Sections of files: what `andes cc` has left in programs and is not loaded. The files are not trusted.
#pragma once
#include <string>
#include <string_view>

namespace andes::monitor {

/// The bytes of a section of an ELF file of this machine's word size; empty: there is none, or no such file.
std::string section_of(const std::string& path, std::string_view wanted);

} // namespace andes::monitor
