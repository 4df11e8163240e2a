// The objects that are loaded into the process, and the MPI libraries among them. Part of libandes.so: libc only.
#pragma once
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <cstddef>

namespace andes::monitor {

/// A library that defines PMPI_Init.
struct LoadedMpi {
  void* base = nullptr;
  char soname[128] = "";
};

/// Collects them: one is normal, two are a mixture.
int find_mpi(LoadedMpi* libraries, int most);

/// Whether the address lies in libandes.so.
bool is_ours(void* address);

struct ObjectNames {
  std::size_t used;
  int count;
  char names[64 * 1024]; // of loaded objects, one after the other, each with its end
};
int note_object(dl_phdr_info* info, std::size_t, void* noted);

/// Calls look(handle) for every loaded object until it returns true. Handles are closed again. No lock
/// of ours is held: a thread that holds the loader's lock may run a constructor that comes here, too.
template <class Look> bool for_each_object(Look look) {
  auto* objects = static_cast<ObjectNames*>(malloc(sizeof(ObjectNames)));
  if (!objects) return false;
  objects->used = 0;
  objects->count = 0;
  dl_iterate_phdr(note_object, objects);
  const char* name = objects->names;
  bool found = false;
  for (int i = 0; i < objects->count && !found; i++, name += strlen(name) + 1)
    if (void* handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) {
      found = look(handle);
      dlclose(handle);
    }
  free(objects);
  return found;
}

} // namespace andes::monitor
