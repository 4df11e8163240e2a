// Of andes_debug_info.so, since libdw needs four more libraries.
#include "preprocessor/debug_session.h"
#include "preprocessor/file_symbols.h"

namespace andes::preprocessor {

extern "C" __attribute__((visibility("default"))) void andes_file_symbols(const std::string& path,
                                                                          std::vector<FileSymbol>& symbols) {
  const DebugSession session = open_debug_session(path);
  if (!session) return;
  const auto note = [](Dwfl_Module* file, void**, const char*, Dwarf_Addr, void* noted) {
    const int count = dwfl_module_getsymtab(file);
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol;
      GElf_Word section = 0;
      const char* name = dwfl_module_getsym(file, i, &symbol, &section);
      if (name && *name)
        static_cast<std::vector<FileSymbol>*>(noted)->push_back({name, section != SHN_UNDEF, symbol.st_value});
    }
    return int(DWARF_CB_OK);
  };
  dwfl_getmodules(session.get(), note, &symbols, 0);
}

} // namespace andes::preprocessor
