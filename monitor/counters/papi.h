// PAPI, opened at run time: the functions of it that the monitor calls, with the types of its own header. Neither andes
// nor the program is linked with it, and it is not opened without the setting `counters`.
//
// Invariants: what is used here is the same in PAPI 5, 6 and 7, whichever of them the header is of: these functions,
// their error numbers, and the place of `disabled_reason` in PAPI_component_info_t. A library of another major version
// is refused.
#pragma once
#include <papi.h>

#include <cstddef>

namespace andes::monitor {

/// The functions as papi.h declares them.
struct Papi {
  decltype(&PAPI_library_init) library_init;
  decltype(&PAPI_get_opt) get_opt;
  decltype(&PAPI_thread_init) thread_init;
  decltype(&PAPI_register_thread) register_thread;
  decltype(&PAPI_unregister_thread) unregister_thread;
  decltype(&PAPI_event_name_to_code) event_name_to_code;
  decltype(&PAPI_get_event_component) get_event_component;
  decltype(&PAPI_get_component_info) get_component_info;
  decltype(&PAPI_strerror) strerror;
  decltype(&PAPI_create_eventset) create_eventset;
  decltype(&PAPI_cleanup_eventset) cleanup_eventset;
  decltype(&PAPI_destroy_eventset) destroy_eventset;
  decltype(&PAPI_add_event) add_event;
  decltype(&PAPI_start) start;
  decltype(&PAPI_stop) stop;
  decltype(&PAPI_read) read;
};

/// Opens PAPI and initialises it for threads. `library` is a path, or a name that the system's loader finds;
/// empty: the library that the program has loaded, else an installed one. False: `trouble` gives reason and
/// remedy in one line.
bool load_papi(Papi& papi, const char* library, char* trouble, std::size_t trouble_bytes);

} // namespace andes::monitor
