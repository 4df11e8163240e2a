#include "monitor/counters/papi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

namespace andes::monitor {
namespace {

constexpr int oldest_version = 5, newest_version = 7;

// The name without a version is the library that a development package or an environment module has chosen.
constexpr const char* names[] = {"libpapi.so",     "libpapi.so.7.3", "libpapi.so.7.2", "libpapi.so.7.1",
                                 "libpapi.so.7.0", "libpapi.so.6.0", "libpapi.so.5.7", "libpapi.so.5"};

unsigned long number_of_thread() { return static_cast<unsigned long>(pthread_self()); }

template <class Function> bool find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

bool find_functions(Papi& papi, void* library) {
  return find(library, "PAPI_library_init", papi.library_init) && find(library, "PAPI_get_opt", papi.get_opt) &&
         find(library, "PAPI_thread_init", papi.thread_init) &&
         find(library, "PAPI_register_thread", papi.register_thread) &&
         find(library, "PAPI_unregister_thread", papi.unregister_thread) &&
         find(library, "PAPI_event_name_to_code", papi.event_name_to_code) &&
         find(library, "PAPI_get_event_component", papi.get_event_component) &&
         find(library, "PAPI_get_component_info", papi.get_component_info) &&
         find(library, "PAPI_strerror", papi.strerror) && find(library, "PAPI_create_eventset", papi.create_eventset) &&
         find(library, "PAPI_cleanup_eventset", papi.cleanup_eventset) &&
         find(library, "PAPI_destroy_eventset", papi.destroy_eventset) &&
         find(library, "PAPI_add_event", papi.add_event) && find(library, "PAPI_start", papi.start) &&
         find(library, "PAPI_stop", papi.stop) && find(library, "PAPI_read", papi.read);
}

void* open_library(const char* library) {
  if (*library) return dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (dlsym(RTLD_DEFAULT, "PAPI_library_init")) return dlopen(nullptr, RTLD_LAZY); // the program's own
  for (const char* name : names)
    if (void* found = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return found;
  return nullptr;
}

} // namespace

bool load_papi(Papi& papi, const char* library, char* trouble, std::size_t trouble_bytes) {
  const char* const shown = *library ? library : "PAPI";
  void* const handle = open_library(library);
  if (!handle) {
    const char* why = dlerror();
    if (*library) snprintf(trouble, trouble_bytes, "%.200s", why ? why : "libpapi cannot be loaded");
    else
      snprintf(trouble, trouble_bytes,
               "libpapi.so is not found; install PAPI, or name its library in the setting papi_library");
    return false;
  }
  if (!find_functions(papi, handle)) {
    snprintf(trouble, trouble_bytes,
             "%.200s: no PAPI of version %d to %d; name another library in the setting papi_library", shown,
             oldest_version, newest_version);
    return false;
  }
  const int version = papi.get_opt(PAPI_LIB_VERSION, nullptr);
  const int major = PAPI_VERSION_MAJOR(version), minor = PAPI_VERSION_MINOR(version);
  if (version < 0 || major < oldest_version || major > newest_version) {
    snprintf(trouble, trouble_bytes,
             "%.200s: version %d.%d, this andes knows %d to %d; name another library in the setting papi_library",
             shown, version < 0 ? 0 : major, version < 0 ? 0 : minor, oldest_version, newest_version);
    return false;
  }
  if (const int error = papi.library_init(version & ~0xffff); error != (version & ~0xffff)) {
    const char* why = error < 0 ? papi.strerror(error) : "another version";
    snprintf(trouble, trouble_bytes, "%.200s: it cannot be initialised: %.200s", shown, why ? why : "unknown error");
    return false;
  }
  if (const int error = papi.thread_init(number_of_thread); error != PAPI_OK) {
    const char* why = papi.strerror(error);
    snprintf(trouble, trouble_bytes, "%.200s: it does not support threads: %.200s", shown, why ? why : "unknown error");
    return false;
  }
  return true;
}

} // namespace andes::monitor
