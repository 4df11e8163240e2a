/* The tool information interface: control and performance variables, categories, events and sources, before
 * MPI_Init, between and after; what differs from run to run is called and not said. */
#include "observe.h"

enum { text = 512 };

static void variables(void) {
  int count = -1, i, error, index = -1, handles = 0;
  TRY(MPI_T_cvar_get_num, &count);
  say("control variables: %d", count > 0);
  for (i = 0; i < count && (i < 12 || handles == 0); i++) {
    char name[text] = "", about[text] = "";
    int length = text, more = text, verbosity, bind, scope;
    MPI_Datatype type;
    MPI_T_enum values;
    error = CALL(MPI_T_cvar_get_info, i, name, &length, &verbosity, &type, &values, about, &more, &bind, &scope);
    say("cvar %s: %s, verbosity %d bind %d scope %d", name, class_name(error), verbosity, bind, scope);
    CALL(MPI_T_cvar_get_index, name, &index);
    say("same index: %d", index == i);
    if (bind == MPI_T_BIND_NO_OBJECT && type == MPI_INT) {
      MPI_T_cvar_handle handle;
      int elements = -1, value[64] = {0};
      handles++;
      say("handle: %d", CALL(MPI_T_cvar_handle_alloc, i, NULL, &handle, &elements) == MPI_SUCCESS);
      error = CALL(MPI_T_cvar_read, handle, value);
      say("read: %d, %d", error == MPI_SUCCESS, value[0]);
      error = CALL(MPI_T_cvar_write, handle, value);
      say("write: %d", error == MPI_SUCCESS);
      CALL(MPI_T_cvar_handle_free, &handle);
    }
    if (values != MPI_T_ENUM_NULL) {
      int items = -1, value = -1;
      length = text;
      CALL(MPI_T_enum_get_info, values, &items, name, &length);
      say("enumeration %s of %d", name, items);
      length = text;
      if (items > 0) CALL(MPI_T_enum_get_item, values, 0, &value, name, &length);
    }
  }
  say("no such index: %d", CALL(MPI_T_cvar_get_index, "no such variable", &index) != MPI_SUCCESS);
}

static void performance(void) {
  int count = -1, i, index = -1, error;
  MPI_T_pvar_session session;
  TRY(MPI_T_pvar_get_num, &count);
  say("performance variables: %d", count);
  say("session: %d", CALL(MPI_T_pvar_session_create, &session) == MPI_SUCCESS);
  for (i = 0; i < count && i < 8; i++) {
    char name[text] = "", about[text] = "";
    int length = text, more = text, verbosity, class_, bind, readonly, continuous, atomic, elements = 0;
    MPI_Datatype type;
    MPI_T_enum values;
    MPI_T_pvar_handle handle;
    unsigned char value[1024];
    error = CALL(MPI_T_pvar_get_info, i, name, &length, &verbosity, &class_, &type, &values, about, &more, &bind, &readonly,
                 &continuous, &atomic);
    say("pvar %s: %s, class %d bind %d readonly %d continuous %d", name, class_name(error), class_, bind, readonly, continuous);
    CALL(MPI_T_pvar_get_index, name, class_, &index);
    say("same index: %d", index == i);
    if (bind != MPI_T_BIND_NO_OBJECT) continue;
    if (CALL(MPI_T_pvar_handle_alloc, session, i, NULL, &handle, &elements) != MPI_SUCCESS || elements > 64) continue;
    say("start: %d", CALL(MPI_T_pvar_start, session, handle) == MPI_SUCCESS);
    say("read: %d", CALL(MPI_T_pvar_read, session, handle, value) == MPI_SUCCESS);
    say("reset: %d", CALL(MPI_T_pvar_reset, session, handle) == MPI_SUCCESS);
    say("readreset: %d", CALL(MPI_T_pvar_readreset, session, handle, value) == MPI_SUCCESS);
    say("write: %d", CALL(MPI_T_pvar_write, session, handle, value) == MPI_SUCCESS);
    say("stop: %d", CALL(MPI_T_pvar_stop, session, handle) == MPI_SUCCESS);
    CALL(MPI_T_pvar_handle_free, session, &handle);
  }
  /* functions are called at least once, also where there is no variable */
  say("no index: %d", CALL(MPI_T_pvar_get_index, "no such variable", 0, &index) != MPI_SUCCESS);
  say("no handle: %d", CALL(MPI_T_pvar_start, session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
  say("no handle: %d", CALL(MPI_T_pvar_stop, session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
  say("no handle: %d", CALL(MPI_T_pvar_reset, session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
  say("free: %d", CALL(MPI_T_pvar_session_free, &session) == MPI_SUCCESS);
}

static void categories(void) {
  int count = -1, i, index = -1, stamp = -1, list[text];
  TRY(MPI_T_category_changed, &stamp);
  TRY(MPI_T_category_get_num, &count);
  say("categories: %d", count);
  for (i = 0; i < count && i < 5; i++) {
    char name[text] = "", about[text] = "";
    int length = text, more = text, controls = 0, performances = 0, below = 0;
    CALL(MPI_T_category_get_info, i, name, &length, about, &more, &controls, &performances, &below);
    say("category %s: %d %d %d", name, controls, performances, below);
    CALL(MPI_T_category_get_index, name, &index);
    say("same index: %d", index == i);
    CALL(MPI_T_category_get_cvars, i, controls < text ? controls : text, list);
    CALL(MPI_T_category_get_pvars, i, performances < text ? performances : text, list);
    CALL(MPI_T_category_get_categories, i, below < text ? below : text, list);
#if MPI_VERSION >= 4
    CALL(MPI_T_category_get_num_events, i, &index);
    say("events: %d", index);
    CALL(MPI_T_category_get_events, i, index < text ? index : text, list);
#endif
  }
}

#if MPI_VERSION >= 4
static void never(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety, void* state) {
  (void)instance, (void)registration, (void)safety, (void)state;
}
static void dropped(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety safety, void* state) {
  (void)count, (void)registration, (void)source, (void)safety, (void)state;
}
static void events(void) { /* MPICH 4.0 has none: every function answers so */
  int count = -1, index = -1, length = text, more = text, number = 4, verbosity = -1, bind = -1;
  char name[text] = "", about[text] = "";
  MPI_Datatype types[4];
  MPI_Aint places[4];
  MPI_T_enum values;
  MPI_Info info = MPI_INFO_NULL;
  MPI_T_event_registration registration = NULL;
  MPI_T_source_order order;
  MPI_Count ticks = 0, most = 0, stamp = 0;
  say("sources: %d %d", CALL(MPI_T_source_get_num, &count), count);
  say("source: %d", CALL(MPI_T_source_get_info, 99, name, &length, about, &more, &order, &ticks, &most, &info) == MPI_SUCCESS);
  say("time of source: %d", CALL(MPI_T_source_get_timestamp, 99, &stamp) == MPI_SUCCESS);
  say("events: %d %d", CALL(MPI_T_event_get_num, &count), count);
  say("index: %d", CALL(MPI_T_event_get_index, "none", &index) == MPI_SUCCESS);
  say("info: %d", CALL(MPI_T_event_get_info, 99, name, &length, &verbosity, types, places, &number, &values, &info, about, &more,
                       &bind) == MPI_SUCCESS);
  say("alloc: %d", CALL(MPI_T_event_handle_alloc, 99, NULL, MPI_INFO_NULL, &registration) == MPI_SUCCESS);
  if (registration) { /* MPICH 4.0 has no events, and crashes if it is asked about one that is not there */
    CALL(MPI_T_event_register_callback, registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, never);
    CALL(MPI_T_event_set_dropped_handler, registration, dropped);
    CALL(MPI_T_event_handle_free, registration, NULL, NULL);
  }
}
#endif

int main(int argc, char** argv) {
  int provided = -1, count = -1;
  open_notes(argc > 1 ? argv[1] : NULL, "");
  say("before: %d", CALL(MPI_T_init_thread, MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
  say("variables: %d", CALL(MPI_T_cvar_get_num, &count) == MPI_SUCCESS && count > 0);
  CALL(MPI_Init, &argc, &argv);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  say("again: %d", CALL(MPI_T_init_thread, MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
  variables();
  performance();
  categories();
#if MPI_VERSION >= 4
  events();
#endif
  say("end: %d", CALL(MPI_T_finalize) == MPI_SUCCESS); /* one is still open; Open MPI 4 crashes in a last one after MPI_Finalize */
#ifndef OPEN_MPI
  say("end: %d", CALL(MPI_T_finalize) == MPI_SUCCESS);
#endif
  CALL(MPI_Finalize);
  write_counts();
  return 0;
}
