#include "monitor/finish/symbol_library.h"

#include <dlfcn.h>

namespace andes::monitor {

std::string own_directory() {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&ask_symbols), &self) == 0) return {};
  const std::string own = self.dli_fname;
  const std::size_t slash = own.rfind('/');
  return slash == std::string::npos ? "." : own.substr(0, slash);
}

std::optional<Parcel> ask_symbols(const std::string& libraries, const char* entry, const Parcel& question,
                                  std::string& trouble) {
  void* const library = dlopen((libraries + "/libandes-symbols.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  SymbolQuestion* const ask = library ? reinterpret_cast<SymbolQuestion*>(dlsym(library, entry)) : nullptr;
  if (!ask) {
    trouble = dlerror();
    return std::nullopt;
  }
  Parcel answer;
  ask(
      question.data(), question.size(),
      [](void* into, const char* bytes, std::size_t count) { static_cast<Parcel*>(into)->assign(bytes, count); },
      &answer);
  return answer;
}

} // namespace andes::monitor
