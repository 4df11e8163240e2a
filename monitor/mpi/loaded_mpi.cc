#include "monitor/mpi/loaded_mpi.h"

#include <stdio.h>

#include "monitor/mpi/lookups.h"
#include "monitor/system/own_library.h"

namespace andes::monitor {

int note_object(dl_phdr_info* info, std::size_t, void* noted) {
  auto& objects = *static_cast<ObjectNames*>(noted);
  const std::size_t length = info->dlpi_name ? strlen(info->dlpi_name) : 0;
  if (length == 0 || objects.used + length + 1 > sizeof objects.names) return 0;
  memcpy(objects.names + objects.used, info->dlpi_name, length + 1);
  objects.used += length + 1;
  objects.count++;
  return 0;
}

bool is_ours(void* address) { return is_in_own_library(address); }

int find_mpi(LoadedMpi* libraries, int most) {
  int count = 0;
  auto note = [&](void* address) {
    Dl_info info;
    link_map* map = nullptr;
    if (!address || !dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP)) return;
    for (int i = 0; i < count; i++)
      if (libraries[i].base == info.dli_fbase) return;
    if (count == most) return;
    const char *strings = "", *soname = info.dli_fname;
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
      if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
      if (entry->d_tag == DT_SONAME) soname = strings + entry->d_un.d_val;
    libraries[count].base = info.dli_fbase;
    snprintf(libraries[count].soname, sizeof libraries[count].soname, "%s", soname);
    count++;
  };
  for_each_object([&](void* handle) {
    note(andes_real_dlsym(handle, "PMPI_Init"));
    return false;
  });
  return count;
}

} // namespace andes::monitor
