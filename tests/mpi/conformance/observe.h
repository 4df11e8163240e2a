/* What the conformance programs share: they call MPI by CALL(MPI_Send, buffer, ...), which counts the call by
 * its name, and say what they observe, line by line, in a file of each rank. The same program says the same
 * with and without the monitor; the counts stand in the run file (test_conformance.py compares both).
 *
 *   PROGRAM NOTES     writes NOTES.<rank> (what it observes) and NOTES.<rank>.counts (MPI function, calls)
 *
 * What is not compared is not said: handles, addresses, times, texts with addresses in them. The helpers call
 * PMPI_, which the monitor does not see. BIG(MPI_Send, ...) is MPI_Send, and MPI_Send_c with -DLARGE;
 * Count and Place are the types of its counts and displacements. */
#pragma once
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LARGE
#define BIG(name, ...) (called(#name "_c"), name##_c(__VA_ARGS__))
typedef MPI_Count Count;
typedef MPI_Aint Place;
#else
#define BIG(name, ...) CALL(name, __VA_ARGS__)
typedef int Count;
typedef int Place;
#endif
#define CALL(name, ...) (called(#name), (name)(__VA_ARGS__)) /* the function, where there is a macro too */
/* Says the class of what the call returns as well; the code is the value. */
#define TRY(name, ...) outcome(#name, CALL(name, __VA_ARGS__))
#define TRY_BIG(name, ...) outcome(#name, BIG(name, __VA_ARGS__))

enum { most_functions = 1024, untouched = 12345 };
static struct {
  const char* name;
  long calls;
} functions[most_functions];
static pthread_mutex_t functions_lock = PTHREAD_MUTEX_INITIALIZER;
static FILE* notes;
static char notes_name[4096];
static int rank = -1, size = -1;

__attribute__((unused)) static void called(const char* name) {
  int i = 0;
  pthread_mutex_lock(&functions_lock);
  while (i < most_functions - 1 && functions[i].name && strcmp(functions[i].name, name) != 0) i++;
  functions[i].name = name;
  functions[i].calls++;
  pthread_mutex_unlock(&functions_lock);
}

__attribute__((format(printf, 1, 2), unused)) static void say(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(notes ? notes : stdout, format, arguments);
  va_end(arguments);
  fputc('\n', notes ? notes : stdout);
  fflush(notes ? notes : stdout);
}

__attribute__((unused)) static void say_numbers(const char* what, const int* numbers, int count) {
  char text[4096];
  int used = snprintf(text, sizeof text, "%s:", what), i;
  for (i = 0; i < count && used < (int)sizeof text - 16; i++)
    used += snprintf(text + used, sizeof text - (size_t)used, " %d", numbers[i]);
  say("%s", text);
}

static const char* class_name(int code) {
  static __thread char other[32];
  int class_ = -1;
#define CLASS(name) if (class_ == name) return #name
  if (code == MPI_SUCCESS) return "success";
  PMPI_Error_class(code, &class_);
  CLASS(MPI_ERR_ACCESS); CLASS(MPI_ERR_AMODE); CLASS(MPI_ERR_ARG); CLASS(MPI_ERR_ASSERT); CLASS(MPI_ERR_BAD_FILE);
  CLASS(MPI_ERR_BASE); CLASS(MPI_ERR_BUFFER); CLASS(MPI_ERR_COMM); CLASS(MPI_ERR_COUNT); CLASS(MPI_ERR_DIMS);
  CLASS(MPI_ERR_DISP); CLASS(MPI_ERR_FILE); CLASS(MPI_ERR_FILE_EXISTS); CLASS(MPI_ERR_GROUP); CLASS(MPI_ERR_INFO);
  CLASS(MPI_ERR_INFO_KEY); CLASS(MPI_ERR_INFO_NOKEY); CLASS(MPI_ERR_INFO_VALUE); CLASS(MPI_ERR_INTERN);
  CLASS(MPI_ERR_IN_STATUS); CLASS(MPI_ERR_IO); CLASS(MPI_ERR_KEYVAL); CLASS(MPI_ERR_LOCKTYPE); CLASS(MPI_ERR_NAME);
  CLASS(MPI_ERR_NO_SUCH_FILE); CLASS(MPI_ERR_OP); CLASS(MPI_ERR_OTHER); CLASS(MPI_ERR_PENDING); CLASS(MPI_ERR_PORT);
  CLASS(MPI_ERR_RANK); CLASS(MPI_ERR_READ_ONLY); CLASS(MPI_ERR_REQUEST); CLASS(MPI_ERR_RMA_ATTACH);
  CLASS(MPI_ERR_RMA_CONFLICT); CLASS(MPI_ERR_RMA_RANGE); CLASS(MPI_ERR_RMA_SHARED); CLASS(MPI_ERR_RMA_SYNC);
  CLASS(MPI_ERR_ROOT); CLASS(MPI_ERR_SERVICE); CLASS(MPI_ERR_SIZE); CLASS(MPI_ERR_SPAWN); CLASS(MPI_ERR_TAG);
  CLASS(MPI_ERR_TOPOLOGY); CLASS(MPI_ERR_TRUNCATE); CLASS(MPI_ERR_TYPE); CLASS(MPI_ERR_UNKNOWN);
  CLASS(MPI_ERR_UNSUPPORTED_DATAREP); CLASS(MPI_ERR_UNSUPPORTED_OPERATION); CLASS(MPI_ERR_WIN);
#undef CLASS
  snprintf(other, sizeof other, class_ > MPI_ERR_LASTCODE ? "a class of the program" : "class %d", class_);
  return other;
}

__attribute__((unused)) static int outcome(const char* name, int code) {
  say("%s: %s", name, class_name(code));
  return code;
}

/* A status before a call, so that fields that MPI leaves alone are seen. */
__attribute__((unused)) static MPI_Status fresh_status(void) {
  MPI_Status status;
  memset(&status, 0x5a, sizeof status);
  status.MPI_ERROR = untouched;
  return status;
}

__attribute__((unused)) static void say_status(const char* what, const MPI_Status* status, MPI_Datatype type) {
  int count = -1, elements = -1, cancelled = -1;
  PMPI_Get_count(status, type, &count);
  PMPI_Get_elements(status, type, &elements);
  PMPI_Test_cancelled(status, &cancelled);
  say("%s: source %d tag %d count %d elements %d cancelled %d error %s", what, status->MPI_SOURCE, status->MPI_TAG,
      count == MPI_UNDEFINED ? -1 : count, elements == MPI_UNDEFINED ? -1 : elements, cancelled,
      status->MPI_ERROR == untouched ? "untouched" : class_name(status->MPI_ERROR));
}

/* Opens the notes; `suffix` tells processes of other worlds apart. */
__attribute__((unused)) static void open_notes(const char* name, const char* suffix) {
  const char* place = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
  if (!name) return;
  snprintf(notes_name, sizeof notes_name, "%s%s.%s", name, suffix, place ? place : "0");
  notes = fopen(notes_name, "w");
}

__attribute__((unused)) static void write_counts(void) {
  int i;
  FILE* counts;
  strncat(notes_name, ".counts", sizeof notes_name - strlen(notes_name) - 1);
  counts = notes ? fopen(notes_name, "w") : stdout;
  for (i = 0; counts && functions[i].name; i++) fprintf(counts, "%s %ld\n", functions[i].name, functions[i].calls);
  if (notes && counts) fclose(counts);
}

__attribute__((unused)) static void begin(int argc, char** argv) {
  open_notes(argc > 1 ? argv[1] : NULL, "");
  CALL(MPI_Init, &argc, &argv);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

__attribute__((unused)) static int finish(void) {
  CALL(MPI_Finalize);
  write_counts();
  return 0;
}
