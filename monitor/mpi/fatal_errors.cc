// See fatal_errors.h. To end the job the handlers call the function behind the library's own MPI_ERRORS_ARE_FATAL,
// where it is exported, since that names the call that failed. Else they restore MPI_ERRORS_ARE_FATAL and raise the
// error again by MPI_Comm_call_errhandler, which the library's message names then.
//
// With MPI_THREAD_MULTIPLE MPICH calls handlers under its own lock and breaks off where these set or ask for a handler,
// or call MPI_Abort: what it would have said of the error is lost then. Raising an error takes no lock, so there it is
// raised on a communicator that has had MPI_ERRORS_ARE_FATAL from the start.
#include "monitor/mpi/fatal_errors.h"

#include <stdarg.h>
#include <stdio.h>

#include <cstring>

extern "C" {
#ifdef OPEN_MPI
[[gnu::weak]] void ompi_mpi_errors_are_fatal_comm_handler(MPI_Comm* comm, int* code, ...);
[[gnu::weak]] void ompi_mpi_errors_are_fatal_win_handler(MPI_Win* win, int* code, ...);
#else // MPICH; without a communicator it uses the handler of the predefined ones
[[gnu::weak]] int MPIR_Err_return_comm(void* comm, const char* caller, int code);
#endif
}

namespace andes::monitor::mpi {

MPI_Errhandler OnComm::ours = MPI_ERRHANDLER_NULL, OnComm::ours_set = MPI_ERRHANDLER_NULL;
MPI_Errhandler OnWindow::ours = MPI_ERRHANDLER_NULL, OnWindow::ours_set = MPI_ERRHANDLER_NULL;

namespace {

thread_local bool is_raised_by_program = false; // the error that our handler sees next, which ends the program
bool is_set_on_world = false; // a handler of the program's; threads may meet

template <class On> bool is_ours(MPI_Errhandler handler) {
  return handler != MPI_ERRHANDLER_NULL && (handler == On::ours || handler == On::ours_set);
}

struct ErrorClass {
  int number;
  const char* name;
};
#define ANDES_CLASS(name) {name, #name}
constexpr ErrorClass classes[] = {
    ANDES_CLASS(MPI_ERR_BUFFER),     ANDES_CLASS(MPI_ERR_COUNT),     ANDES_CLASS(MPI_ERR_TYPE),
    ANDES_CLASS(MPI_ERR_TAG),        ANDES_CLASS(MPI_ERR_COMM),      ANDES_CLASS(MPI_ERR_RANK),
    ANDES_CLASS(MPI_ERR_ROOT),       ANDES_CLASS(MPI_ERR_GROUP),     ANDES_CLASS(MPI_ERR_OP),
    ANDES_CLASS(MPI_ERR_TOPOLOGY),   ANDES_CLASS(MPI_ERR_DIMS),      ANDES_CLASS(MPI_ERR_ARG),
    ANDES_CLASS(MPI_ERR_UNKNOWN),    ANDES_CLASS(MPI_ERR_TRUNCATE),  ANDES_CLASS(MPI_ERR_OTHER),
    ANDES_CLASS(MPI_ERR_INTERN),     ANDES_CLASS(MPI_ERR_IN_STATUS), ANDES_CLASS(MPI_ERR_PENDING),
    ANDES_CLASS(MPI_ERR_REQUEST),    ANDES_CLASS(MPI_ERR_KEYVAL),    ANDES_CLASS(MPI_ERR_NO_MEM),
    ANDES_CLASS(MPI_ERR_INFO),       ANDES_CLASS(MPI_ERR_PORT),      ANDES_CLASS(MPI_ERR_SERVICE),
    ANDES_CLASS(MPI_ERR_NAME),       ANDES_CLASS(MPI_ERR_SPAWN),     ANDES_CLASS(MPI_ERR_WIN),
    ANDES_CLASS(MPI_ERR_BASE),       ANDES_CLASS(MPI_ERR_SIZE),      ANDES_CLASS(MPI_ERR_DISP),
    ANDES_CLASS(MPI_ERR_LOCKTYPE),   ANDES_CLASS(MPI_ERR_ASSERT),    ANDES_CLASS(MPI_ERR_RMA_CONFLICT),
    ANDES_CLASS(MPI_ERR_RMA_SYNC),   ANDES_CLASS(MPI_ERR_RMA_RANGE), ANDES_CLASS(MPI_ERR_RMA_ATTACH),
    ANDES_CLASS(MPI_ERR_RMA_SHARED), ANDES_CLASS(MPI_ERR_RMA_FLAVOR)};
#undef ANDES_CLASS

const char* name_of(int error_class) {
  for (const ErrorClass& known : classes)
    if (known.number == error_class) return known.name;
  return "MPI_ERR_UNKNOWN";
}

/// The text of an error in its parts, which point into `text`.
struct ErrorText {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  const char* what = text; // what is wrong
  char call[64] = ""; // the MPI function that failed; empty: the text does not name it
  char inner[64] = ""; // the library's own name for it; empty: the same
};

void copy_until(char (&to)[64], const char* from, const char* stops) {
  snprintf(to, sizeof to, "%.*s", static_cast<int>(strcspn(from, stops)), from);
}

// MPICH's texts end with a stack, a line each: "internal_Send(120): MPI_Send(buf=...) failed", ..., what is wrong.
void read_error(ErrorText& error, int code) {
  int length = 0;
  if (PMPI_Error_string(code, error.text, &length) != MPI_SUCCESS) error.text[0] = 0;
  const char* stack = strstr(error.text, "error stack:\n");
  if (!stack) return;
  const char* first = strchr(stack, '\n') + 1;
  copy_until(error.inner, first, "(");
  if (const char* call = strstr(first, ": MPI_")) copy_until(error.call, call + 2, "(");
  for (char* end = error.text + strlen(error.text); end > first && end[-1] == '\n';) *--end = 0;
  const char* last = strrchr(first, '\n') ? strrchr(first, '\n') + 1 : first;
  const char* colon = strstr(last, ": ");
  error.what = colon ? colon + 2 : last;
}

/// Records the error for the reader of the arena: "MPI_Send: MPI_ERR_RANK: invalid rank".
void record(const ErrorText& error, int code, const char* call) {
  int error_class = MPI_ERR_UNKNOWN;
  PMPI_Error_class(code, &error_class);
  const char* name = name_of(error_class);
  const bool named = strncmp(error.what, name, strlen(name)) == 0; // Open MPI's texts begin with the name
  char text[512];
  snprintf(text, sizeof text, "%s%s%s%s%s", call, *call ? ": " : "", named ? "" : name, named ? "" : ": ", error.what);
  andes_mpi_error(error_class, text);
}

#ifdef OPEN_MPI
bool is_left_to_world(int) { return false; }
void prepare_for_threads() {}
void forget_threads() {}
/// The argument behind the code is the name of the call.
const char* call_of(const ErrorText&, va_list more) {
  const char* given = va_arg(more, const char*);
  return given ? given : "";
}
void end_by_library(MPI_Comm* comm, int* code, const char* call, const ErrorText&) {
  if (ompi_mpi_errors_are_fatal_comm_handler)
    ompi_mpi_errors_are_fatal_comm_handler(comm, code, *call ? call : nullptr, nullptr);
}
void end_by_library(MPI_Win* win, int* code, const char* call, const ErrorText&) {
  if (ompi_mpi_errors_are_fatal_win_handler)
    ompi_mpi_errors_are_fatal_win_handler(win, code, *call ? call : nullptr, nullptr);
}
#else
const char* call_of(const ErrorText& error, va_list) { return error.call; }
MPI_Comm fatal_comm = MPI_COMM_NULL; // with MPI_THREAD_MULTIPLE: errors that are raised on it end the job

void prepare_for_threads() {
  if (!threads || PMPI_Comm_dup(MPI_COMM_SELF, &fatal_comm) != MPI_SUCCESS) return;
  PMPI_Comm_set_errhandler(fatal_comm, MPI_ERRORS_ARE_FATAL);
}
void forget_threads() {
  if (fatal_comm != MPI_COMM_NULL) PMPI_Comm_free(&fatal_comm);
}

/// Whether the program has set another handler for MPI_COMM_WORLD.
bool has_world_own_handler() {
  if (fatal_comm != MPI_COMM_NULL) return __atomic_load_n(&is_set_on_world, __ATOMIC_RELAXED);
  MPI_Errhandler now = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &now) != MPI_SUCCESS) return false;
  const bool set = !is_ours<OnComm>(now) && now != MPI_ERRORS_ARE_FATAL;
  if (now != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&now);
  return set;
}
/// Whether the handler of MPI_COMM_WORLD, which the program has set, has seen the error in the place of ours.
bool is_left_to_world(int code) {
  if (is_raised_by_program || !has_world_own_handler()) return false;
  PMPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
  return true;
}
template <class Handle> void end_by_library(Handle*, int* code, const char*, const ErrorText& error) {
  if (fatal_comm != MPI_COMM_NULL) PMPI_Comm_call_errhandler(fatal_comm, *code);
  if (!MPIR_Err_return_comm || !*error.inner) return;
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPIR_Err_return_comm(nullptr, error.inner, *code);
}
#endif

template <class On, bool is_default> void on_error(typename On::Handle* of, int* code, ...) {
  if (is_default && is_left_to_world(*code)) return;
  ErrorText error;
  read_error(error, *code);
  va_list more;
  va_start(more, code);
  const char* call = call_of(error, more);
  va_end(more);
  record(error, *code, call);
  end_by_library(of, code, call, error);
  On::set(*of, MPI_ERRORS_ARE_FATAL); // where the library has not ended the job
  On::call(*of, *code);
}

/// Puts our handler in the place of the library's.
template <class On> void watch(typename On::Handle of) {
  MPI_Errhandler now = MPI_ERRHANDLER_NULL;
  if (On::ours == MPI_ERRHANDLER_NULL || On::get(of, &now) != MPI_SUCCESS) return;
  if (now == MPI_ERRORS_ARE_FATAL) On::set(of, On::ours);
  if (now != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&now);
}

template <class On> void handler_set(typename On::Handle of, MPI_Errhandler handler) {
  if (handler == MPI_ERRORS_ARE_FATAL && On::ours_set != MPI_ERRHANDLER_NULL) On::set(of, On::ours_set);
}

} // namespace

template <class On> void show_default(typename On::Handle of, MPI_Errhandler* handler) {
  if (!is_ours<On>(*handler)) return;
  // The program frees the handle that it gets: it must hold a reference to the library's handler.
  MPI_Errhandler held = *handler;
  On::set(of, MPI_ERRORS_ARE_FATAL);
  On::get(of, handler);
  On::set(of, held);
  PMPI_Errhandler_free(&held);
}
template void show_default<OnComm>(MPI_Comm comm, MPI_Errhandler* handler);
template void show_default<OnWindow>(MPI_Win win, MPI_Errhandler* handler);

template <class On> void raised_by_program(typename On::Handle of) {
  MPI_Errhandler now = MPI_ERRHANDLER_NULL;
  if (On::ours == MPI_ERRHANDLER_NULL || On::get(of, &now) != MPI_SUCCESS) return;
  if (is_ours<On>(now)) is_raised_by_program = true;
  if (now != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&now);
}
template void raised_by_program<OnComm>(MPI_Comm comm);
template void raised_by_program<OnWindow>(MPI_Win win);

void comm_handler_set(MPI_Comm comm, MPI_Errhandler handler) {
  if (comm == MPI_COMM_WORLD) __atomic_store_n(&is_set_on_world, handler != MPI_ERRORS_ARE_FATAL, __ATOMIC_RELAXED);
  handler_set<OnComm>(comm, handler);
}
void window_handler_set(MPI_Win win, MPI_Errhandler handler) { handler_set<OnWindow>(win, handler); }

void watch_errors() {
  prepare_for_threads();
  const auto made = [](int result, MPI_Errhandler& handler) {
    if (result != MPI_SUCCESS) handler = MPI_ERRHANDLER_NULL;
  };
  made(PMPI_Comm_create_errhandler(on_error<OnComm, true>, &OnComm::ours), OnComm::ours);
  made(PMPI_Comm_create_errhandler(on_error<OnComm, false>, &OnComm::ours_set), OnComm::ours_set);
  made(PMPI_Win_create_errhandler(on_error<OnWindow, true>, &OnWindow::ours), OnWindow::ours);
  made(PMPI_Win_create_errhandler(on_error<OnWindow, false>, &OnWindow::ours_set), OnWindow::ours_set);
  watch<OnComm>(MPI_COMM_WORLD);
  watch<OnComm>(MPI_COMM_SELF);
}

void watch_errors_of_window(MPI_Win win) { watch<OnWindow>(win); }

void forget_errors() {
  MPI_Errhandler now = MPI_ERRHANDLER_NULL;
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    if (OnComm::ours == MPI_ERRHANDLER_NULL || PMPI_Comm_get_errhandler(comm, &now) != MPI_SUCCESS) continue;
    if (is_ours<OnComm>(now)) PMPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    PMPI_Errhandler_free(&now);
  }
  forget_threads();
  for (MPI_Errhandler* ours : {&OnComm::ours, &OnComm::ours_set, &OnWindow::ours, &OnWindow::ours_set})
    if (*ours != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(ours);
}

} // namespace andes::monitor::mpi
