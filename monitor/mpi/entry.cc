// At the first MPI call: which MPI library is in this process, and which wrapper library was built
// for it? Then, function by function as they are called: the wrapper where there is one, else the
// real function (decision 20).
//
// Invariants: libc only; the program's call is always carried out, by the real function if by
// nothing else; any obstacle to measuring is reported in one line; no MPI library is ever loaded
// from here (a wrapper library needs exactly the library that was found).
#include "monitor/mpi/entry.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "monitor/core/layout.h"
#include "monitor/entries/wrappers.h"
#include "monitor/mpi/archived_calls.h"
#include "monitor/mpi/loaded_mpi.h"
#include "monitor/mpi/lookups.h"
#include "monitor/mpi/wrappers.h"
#include "monitor/system/own_library.h"

namespace andes::monitor {
namespace {

#include "names.inc"

// Slots, in ranges of function_count: C; Fortran in the spellings of four compilers, and with
// type(C_PTR) of three; mpi_f08. The order is that of generate.py.
enum Range : std::uint32_t { range_c = 0, range_fortran = 1, range_f08 = 8, ranges = 9 };
struct Spelling {
  const char* ending;
  bool upper;
};
constexpr Spelling spellings[] = {
    {"_", false},      {"", false},      {"__", false},      {"", true},
    {"_cptr_", false}, {"_cptr", false}, {"_cptr__", false}, {"_f08_", false}}; // of the ranges from range_fortran on

struct WrapperLibrary {
  const char* soname; // of the MPI library
  const char* file;
};
constexpr WrapperLibrary wrapper_libraries[] = {
#include "libraries.inc"
    {nullptr, nullptr}};

constexpr int patience = 10000; // turns of 0.1 ms
enum State : int { fresh, working, wrapping, passing };
int state = fresh; // released by the thread that leaves `working`
pthread_t worker;  // valid while `working`
const andes_mpi_wrappers* wrappers;

extern "C" [[gnu::visibility("hidden")]] void* andes_mpi_slots[ranges * function_count];
/// The targets of slots that record their caller, and the stubs that record it, 16 bytes each.
extern "C" [[gnu::visibility("hidden")]] void* andes_mpi_behind[ranges * function_count];
extern "C" [[gnu::visibility("hidden")]] char andes_mpi_remember[];

// --- names -------------------------------------------------------------------------------------

/// The program's own, of an MPI from archives; else the next definition after ours, also in objects outside the global
/// scope (RTLD_LOCAL).
void* find(const char* name) {
  void* address = archived_function(name);
  if (!address) address = andes_real_dlsym(RTLD_NEXT, name);
  if (address && !is_ours(address)) return address;
  address = nullptr;
  for_each_object([&](void* handle) {
    address = andes_real_dlsym(handle, name);
    if (address && is_ours(address)) address = nullptr;
    return address != nullptr;
  });
  return address;
}

/// The function's name in the spelling of `range`, with `prefix` before it.
void spell(char* text, std::size_t room, const char* prefix, const char* name, std::uint32_t range) {
  if (range == range_c) {
    snprintf(text, room, "%s", name);
    return;
  }
  const Spelling& spelling = spellings[range - range_fortran];
  const std::size_t length = strlen(name);
  if (range == range_f08 && strcmp(name + length - 2, "_c") == 0)
    snprintf(text, room, "%s%.*s_f08_large_", prefix, static_cast<int>(length - 2),
             name); // counts of kind MPI_COUNT_KIND
  else snprintf(text, room, "%s%s%s", prefix, name, spelling.ending);
  for (char* c = text; *c; c++) {
    if (spelling.upper && *c >= 'a' && *c <= 'z') *c = static_cast<char>(*c - 32);
    if (!spelling.upper && *c >= 'A' && *c <= 'Z') *c = static_cast<char>(*c + 32);
  }
}

void* find_real(std::uint32_t slot) {
  char text[96];
  spell(text, sizeof text, "", names[slot % function_count], slot / function_count);
  return find(text);
}

/// Whether `real` belongs to the MPI library: a program may have its own function mpi_init in a
/// shared object, and ours was found in its place.
bool is_of_mpi(void* real, std::uint32_t slot) {
  const std::uint32_t range = slot / function_count;
  if (range == range_c || range == range_f08) return true;
  char text[96];
  spell(text, sizeof text, "", names[slot % function_count], range);
  if (archived_function(text)) return true;
  spell(text, sizeof text, "p", names[slot % function_count], range);
  Dl_info mine, theirs;
  void* profiling = find(text);
  return profiling && dladdr(real, &mine) && dladdr(profiling, &theirs) && mine.dli_fbase == theirs.dli_fbase;
}

// --- recognition --------------------------------------------------------------------------------

/// The file of the wrapper library for an MPI library; null: none was built.
const char* wrappers_for(const LoadedMpi& mpi) {
  for (const WrapperLibrary& library : wrapper_libraries)
    if (library.soname && strcmp(library.soname, mpi.soname) == 0) return library.file;
  andes_say_once(said_unknown_mpi,
                 "%s: no wrapper library was built for this MPI library, MPI is not measured; "
                 "build andes with --mpi MPICC",
                 mpi.soname);
  return nullptr;
}

const andes_mpi_wrappers* open_wrappers(const char* file) {
  const char* own = own_library_path();
  const char* slash = strrchr(own, '/');
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%.*s/%s", slash ? static_cast<int>(slash - own) : 1, slash ? own : ".", file);
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const char* error = handle ? nullptr : dlerror();
  auto* found = handle ? static_cast<const andes_mpi_wrappers*>(dlsym(handle, "andes_mpi_wrappers_table")) : nullptr;
  if (found && found->digest == table_digest && found->layout == monitor_layout() && found->count == 3 * function_count)
    return found;
  andes_say_once(said_unloadable_mpi, "%s: %s, MPI is not measured; rebuild or reinstall andes", path,
                 error ? error : "belongs to another build");
  return nullptr;
}

/// `fresh` again if there is no MPI library: it may be loaded later.
State recognise() {
  LoadedMpi libraries[2];
  int count = find_mpi(libraries, 2);
  if (count == 0 && !archived_mpi()) return fresh;
  if (!andes_wanted()) return passing;
  if (archived_mpi()) {
    wrappers = open_wrappers(archived_mpi()->wrappers);
    return wrappers ? wrapping : passing;
  }
  if (count > 1) {
    andes_say_once(said_mixed_mpi, "%s and %s: two MPI libraries in one process, MPI is not measured; link only one",
                   libraries[0].soname, libraries[1].soname);
    return passing;
  }
  const char* file = wrappers_for(libraries[0]);
  wrappers = file ? open_wrappers(file) : nullptr;
  return wrappers ? wrapping : passing;
}

// --- calls without an MPI library ---------------------------------------------------------------

// A library may refer to MPI weakly and test whether it is there.
int absent() {
  andes_say_once(said_absent_mpi, "MPI: a function was called, but no MPI library is loaded; "
                                  "link or load one first");
  return 1;
}
int absent_flag(int* flag) {
  if (flag) *flag = 0;
  return 0;
}

void* absent_function(std::uint32_t slot) {
  const char* name = names[slot % function_count];
  bool asks = strcmp(name, "MPI_Initialized") == 0 || strcmp(name, "MPI_Finalized") == 0;
  return asks ? reinterpret_cast<void*>(absent_flag) : reinterpret_cast<void*>(absent);
}

/// The wrapper of a slot; null: the real function is to be called.
void* wrapping_target(std::uint32_t slot) {
  if (__atomic_load_n(&state, __ATOMIC_RELAXED) != wrapping) return nullptr;
  const std::uint32_t range = slot / function_count;
  const std::uint32_t kind = range == range_c ? 0 : range == range_f08 ? 2 : 1;
  const std::uint32_t index = kind * function_count + slot % function_count;
  if (!wrappers->functions[index] || !wrappers->needs[index]) return nullptr;
  if (kind != 0) {
    void* real = find_real(slot);
    if (!real || !is_of_mpi(real, slot)) return nullptr;
    __atomic_store_n(&wrappers->real[index], real, __ATOMIC_RELEASE);
  }
  return wrappers->functions[index];
}

void* resolve(std::uint32_t slot) {
  for (int turn = 0;; turn++) {
    int seen = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
    if (seen == wrapping || seen == passing) break;
    // A constructor of a library that we load calls MPI, or another thread has worked for a second,
    // waiting for the loader's lock that this thread holds: call the real function this time.
    if (seen == working && (turn == patience || pthread_equal(worker, pthread_self()))) {
      void* real = find_real(slot);
      return real ? real : absent_function(slot);
    }
    if (seen == fresh &&
        __atomic_compare_exchange_n(&state, &seen, working, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      worker = pthread_self();
      State next = recognise();
      __atomic_store_n(&state, next, __ATOMIC_RELEASE);
      if (next == fresh) return absent_function(slot);
      break;
    }
    const timespec pause = {0, 100000};
    nanosleep(&pause, nullptr);
  }
  void* target = wrapping_target(slot);
  const bool wrapped = target != nullptr;
  if (!target) target = find_real(slot);
  if (!target) return absent_function(slot);
  if (!wrapped && slot / function_count != range_c && andes_call_sites_wanted()) {
    __atomic_store_n(&andes_mpi_behind[slot], target, __ATOMIC_RELEASE);
    target = andes_mpi_remember + 16 * slot;
  }
  __atomic_store_n(&andes_mpi_slots[slot], target, __ATOMIC_RELEASE);
  return target;
}

} // namespace
} // namespace andes::monitor

void* andes_mpi_resolve(std::uint32_t slot) {
  const int saved_errno = errno;
  void* target = andes::monitor::resolve(slot);
  errno = saved_errno;
  return target;
}
