#include "preprocessor/file_symbols.h"

#include "preprocessor/own_libraries.h"

namespace andes::preprocessor {

std::vector<FileSymbol> symbols_of(const std::string& path) {
  std::vector<FileSymbol> symbols;
  const auto read = reinterpret_cast<decltype(&andes_file_symbols)>(debug_info_function("andes_file_symbols"));
  read(path, symbols);
  return symbols;
}

} // namespace andes::preprocessor
