// The symbols of a linked file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace andes::preprocessor {

struct FileSymbol {
  std::string name;
  bool defined = false;
  std::uint64_t address = 0;
};

/// The symbols that the linker needs, or those of the dynamic loader if others were removed; none where the file cannot
/// be read. Exported by andes_debug_info.so.
extern "C" void andes_file_symbols(const std::string& path, std::vector<FileSymbol>& symbols);

/// The same, in other parts of the preprocessor.
std::vector<FileSymbol> symbols_of(const std::string& path);

} // namespace andes::preprocessor
