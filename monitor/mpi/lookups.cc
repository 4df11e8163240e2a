#include "monitor/mpi/lookups.h"

#include <errno.h>

#include "monitor/entries/wrappers.h"
#include "monitor/mpi/loaded_mpi.h"
#include "monitor/mpi/own_entries.h"

namespace andes::monitor {
namespace {

// The first version of dlsym, which the C library has kept.
#if defined(__x86_64__)
constexpr const char* first_version = "GLIBC_2.2.5";
#elif defined(__aarch64__)
constexpr const char* first_version = "GLIBC_2.17";
#endif

void* base_of(void* address) {
  Dl_info info;
  return address && dladdr(address, &info) ? info.dli_fbase : nullptr;
}

/// Whether the module around `caller` defines the name: then it is a wrapper of MPI's.
bool is_defined_by(void* caller, const char* name) {
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname) return false;
  void* handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return false; // the program itself: its names come before ours
  const bool defined = base_of(andes_real_dlsym(handle, name)) == info.dli_fbase;
  dlclose(handle);
  return defined;
}

} // namespace
} // namespace andes::monitor

using namespace andes::monitor;

// The first look-up may be one of a sanitizer's runtime that is just starting: nothing here may need it yet.
__attribute__((no_sanitize("address", "thread", "undefined"))) void* andes_find_dlsym() {
  void* found = dlvsym(RTLD_NEXT, "dlsym", first_version);
  __atomic_store_n(reinterpret_cast<void**>(&andes_real_dlsym), found, __ATOMIC_RELEASE);
  return found;
}

void* andes_look_up_mpi(void* handle, const char* name, void* caller) {
  void* const real = andes_real_dlsym(handle, name);
  if (!real || is_ours(real) || !andes_wanted()) return real;
  const int saved_errno = errno;
  // Both names of one library: it is an MPI library, and the name is its own.
  const bool of_mpi = base_of(andes_real_dlsym(handle, "PMPI_Init")) == base_of(real);
  LoadedMpi libraries[2];
  void* entry = nullptr;
  if (of_mpi && find_mpi(libraries, 2) == 1 && !is_defined_by(caller, name)) entry = OwnEntries().find(name);
  dlerror(); // of our own questions: the look-up has succeeded
  errno = saved_errno;
  return entry ? entry : real;
}
