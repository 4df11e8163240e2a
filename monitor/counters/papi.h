// PAPI, opened at run time: the part of its interface that the monitor uses. It is declared here and not by
// papi.h, so that neither the build nor the program needs PAPI; PAPI is not opened without the setting `counters`.
//
// Invariants: the functions, numbers and the beginning of PapiComponent are the same in PAPI 5, 6 and 7; a
// library of another major version is refused.
#pragma once
#include <cstddef>

namespace andes::monitor {

enum : int {
  papi_ok = 0,
  papi_no_event = -7,
  papi_conflict = -8,
  papi_not_running = -9,
  papi_running = -10,
  papi_not_permitted = -15,
  papi_no_component = -17,
  papi_disabled = -25,
  papi_null = -1,       // no event set
  papi_lib_version = 21 // option of get_opt
};

/// The members of PAPI's component record that are needed.
struct PapiComponent {
  char name[128], short_name[64], description[128], version[64], support_version[64], kernel_version[64];
  char disabled_reason[128]; // longer in later versions
};

/// Unless noted otherwise, functions return 0 (papi_ok) or a negative number.
struct Papi {
  int (*library_init)(int version); // the version, or an error
  int (*get_opt)(int option, void* value);
  int (*thread_init)(unsigned long (*number_of_thread)());
  int (*register_thread)();
  int (*unregister_thread)();
  int (*event_name_to_code)(const char* name, int* code);
  int (*get_event_component)(int code); // the component's number, or an error
  const PapiComponent* (*get_component_info)(int component);
  const char* (*strerror)(int error);
  int (*create_eventset)(int* set);
  int (*cleanup_eventset)(int set);
  int (*destroy_eventset)(int* set);
  int (*add_event)(int set, int code);
  int (*start)(int set);
  int (*stop)(int set, long long* values);
  int (*read)(int set, long long* values);
};

/// Opens PAPI and initialises it for threads. `library` is a path, or a name that the system's loader finds;
/// empty: the library that the program has loaded, else an installed one. False: `trouble` gives reason and
/// remedy in one line.
bool load_papi(Papi& papi, const char* library, char* trouble, std::size_t trouble_bytes);

} // namespace andes::monitor
