#include "monitor/openmp/runtimes.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/core/this_thread.h"

namespace andes::monitor {
namespace {

constexpr const char* names[gomp_functions] = {
#define GOMP(name) #name,
#include "monitor/openmp/gomp_functions.def"
#undef GOMP
};

constexpr std::uint32_t max_callers = 256;
constexpr std::uint32_t path_bytes = 1024;

/// A calling module, and the runtime functions that its calls go to.
struct Caller {
  std::uintptr_t low, bytes; // bytes 0: unloaded
  std::uintptr_t runtime;    // load address of the runtime
  bool measured;
  void* functions[gomp_functions];
};

Caller callers[max_callers];
std::uint32_t caller_count;
pthread_mutex_t callers_lock = PTHREAD_MUTEX_INITIALIZER;

std::uintptr_t base_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) ? reinterpret_cast<std::uintptr_t>(info.dli_fbase) : 0;
}

bool is_ours(const void* address) { return base_of(address) == base_of(callers); }

struct Module {
  std::uintptr_t address, low, bytes;
  char path[path_bytes];
};

std::uintptr_t low_of(const dl_phdr_info& info, std::uintptr_t& high) {
  std::uintptr_t low = ~std::uintptr_t{0};
  high = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info.dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info.dlpi_addr + part.p_vaddr;
    if (begin < low) low = begin;
    if (begin + part.p_memsz > high) high = begin + part.p_memsz;
  }
  return low;
}

int find_module(dl_phdr_info* info, std::size_t, void* wanted) {
  auto& module = *static_cast<Module*>(wanted);
  std::uintptr_t high = 0;
  const std::uintptr_t low = low_of(*info, high);
  if (module.address < low || module.address >= high) return 0;
  module.low = low;
  module.bytes = high - low;
  const char* path = info->dlpi_name ? info->dlpi_name : "";
  if (strlen(path) < path_bytes) strcpy(module.path, path);
  return 1;
}

/// Objects that are loaded, one path after the other.
struct Objects {
  std::size_t used;
  char paths[64 * 1024];
};

int note_object(dl_phdr_info* info, std::size_t, void* noted) {
  auto& objects = *static_cast<Objects*>(noted);
  const std::size_t bytes = info->dlpi_name ? strlen(info->dlpi_name) + 1 : 1;
  if (bytes == 1 || objects.used + bytes > sizeof objects.paths) return 0;
  memcpy(objects.paths + objects.used, info->dlpi_name, bytes);
  objects.used += bytes;
  return 0;
}

void* find_in(const char* path, const char* name) {
  void* handle = *path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  if (!handle) return nullptr;
  void* address = dlsym(handle, name);
  dlclose(handle);
  return address && !is_ours(address) ? address : nullptr;
}

/// Searches like the loader: in the global scope, then in the module's own dependencies; then in all objects.
void* find(const char* name, const char* module, const char* runtime) {
  if (*runtime) return find_in(runtime, name); // all functions from one runtime
  void* address = dlsym(RTLD_NEXT, name);
  if (address && !is_ours(address)) return address;
  if ((address = find_in(module, name))) return address;
  auto* objects = static_cast<Objects*>(malloc(sizeof(Objects)));
  if (!objects) return nullptr;
  objects->used = 0;
  dl_iterate_phdr(note_object, objects);
  for (std::size_t at = 0; at < objects->used && !address; at += strlen(objects->paths + at) + 1)
    address = find_in(objects->paths + at, name);
  free(objects);
  return address;
}

/// Asks the loader which functions the calls of the module at `address` would reach.
Caller ask(std::uintptr_t address) {
  constexpr std::uintptr_t page = 4096;
  Module module = {address, address & ~(page - 1), page, ""}; // for code made at run time, which is in no module
  dl_iterate_phdr(find_module, &module);
  Caller caller = {module.low, module.bytes, 0, false, {}};
  char runtime[path_bytes] = "";
  Dl_info info;
  void* first = find(names[of_GOMP_barrier], module.path, runtime);
  if (!first) first = find("omp_get_thread_num", module.path, runtime);
  if (!first || !dladdr(first, &info) || strlen(info.dli_fname) >= path_bytes) return caller;
  caller.runtime = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  strcpy(runtime, info.dli_fname);
  // A runtime that is linked statically is part of the program: then the program's own calls do not arrive here.
  for (std::uint32_t i = 0; i < gomp_functions; ++i) caller.functions[i] = find(names[i], module.path, runtime);
  caller.measured = caller.functions[of_GOMP_parallel] && !find("__kmpc_fork_call", module.path, runtime);
  return caller;
}

const Caller* find_caller(std::uintptr_t address) {
  const std::uint32_t count = __atomic_load_n(&caller_count, __ATOMIC_ACQUIRE);
  for (std::uint32_t i = 0; i < count; ++i)
    if (address - callers[i].low < __atomic_load_n(&callers[i].bytes, __ATOMIC_RELAXED)) return &callers[i];
  return nullptr;
}

[[gnu::noinline, gnu::cold]] RealFunction meet(Gomp function, std::uintptr_t address) {
  KeepErrno keep_errno;
  const Caller caller = ask(address);
  pthread_mutex_lock(&callers_lock);
  if (!find_caller(address) && caller_count < max_callers) {
    callers[caller_count] = caller;
    __atomic_store_n(&caller_count, caller_count + 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&callers_lock);
  return {caller.functions[function], caller.measured};
}

struct Loaded {
  std::uintptr_t lows[1024];
  std::uint32_t count;
};

int note_loaded(dl_phdr_info* info, std::size_t, void* noted) {
  auto& loaded = *static_cast<Loaded*>(noted);
  std::uintptr_t high = 0;
  if (loaded.count < 1024) loaded.lows[loaded.count++] = low_of(*info, high);
  return 0;
}

} // namespace

RealFunction real_function(Gomp function, std::uintptr_t address) {
  const Caller* caller = find_caller(address);
  if (__builtin_expect(!caller, 0)) return meet(function, address);
  return {caller->functions[function], caller->measured};
}

void forget_unloaded_runtimes() {
  if (__atomic_load_n(&caller_count, __ATOMIC_ACQUIRE) == 0) return;
  Loaded loaded;
  loaded.count = 0;
  dl_iterate_phdr(note_loaded, &loaded);
  const auto is_there = [&](std::uintptr_t low) {
    for (std::uint32_t i = 0; i < loaded.count; ++i)
      if (loaded.lows[i] == low) return true;
    return loaded.count == 1024;
  };
  pthread_mutex_lock(&callers_lock);
  for (std::uint32_t i = 0; i < caller_count; ++i)
    if (callers[i].bytes != 0 && (!is_there(callers[i].low) || !is_there(callers[i].runtime)))
      __atomic_store_n(&callers[i].bytes, 0, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&callers_lock);
}

} // namespace andes::monitor
