// Our own functions of MPI, by name.
#pragma once
#include <dlfcn.h>

#include "monitor/mpi/loaded_mpi.h"
#include "monitor/mpi/lookups.h"
#include "monitor/system/own_library.h"

namespace andes::monitor {

class OwnEntries {
public:
  OwnEntries() : library_(dlopen(own_library_path(), RTLD_LAZY | RTLD_NOLOAD)) {}
  ~OwnEntries() {
    if (library_) dlclose(library_);
  }
  OwnEntries(const OwnEntries&) = delete;
  OwnEntries& operator=(const OwnEntries&) = delete;

  /// Null: there is none of that name. andes_real_dlsym must have been found.
  void* find(const char* name) const {
    void* entry = library_ ? andes_real_dlsym(library_, name) : nullptr;
    return entry && is_ours(entry) ? entry : nullptr;
  }

private:
  void* library_;
};

} // namespace andes::monitor
