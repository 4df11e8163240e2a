// Input and output of the program by the C library: functions that open, read, write and close files stand here under
// their own names, before those of the C library, and count as visits of kind io with the bytes that they have moved.
//
// Invariants:
//  - only what the program calls is counted: not what the monitor calls, not what an MPI library calls inside an MPI
//    call, not what the C library calls itself (its own calls do not come by here), and nothing in threads that are not
//    measured;
//  - the library is passive: before something is measured, and in processes without the monitor, each function is its
//    original. Nothing is kept here, so forks and signal handlers need no care beyond that of the monitor's own visits;
//  - errno is the original's.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "monitor/entries/original.h"
#include "monitor/entries/wrappers.h"

namespace andes::monitor {
namespace {

/// Adds bytes to the call path of an open visit.
void count_bytes(andes_frame* frame, long long read, long long written) {
  if (read <= 0 && written <= 0) return;
  // The lowest bit of the pointer is set if the slow path must leave.
  const auto* opened =
      reinterpret_cast<const andes_frame*>(reinterpret_cast<std::uintptr_t>(frame) & ~std::uintptr_t{1});
  andes_location_data* location = andes_location_here();
  if (!location) return;
  const auto in = static_cast<std::uint64_t>(read > 0 ? read : 0),
             out = static_cast<std::uint64_t>(written > 0 ? written : 0);
  andes_add_moved(*andes_traffic_of(location, ANDES_NODE_AT(location->hot, opened->place)), out, in);
}

bool is_counted(std::uintptr_t stack) { return andes_is_program_call && andes_is_program_call(stack); }

} // namespace
} // namespace andes::monitor

using namespace andes::monitor;

// All originals are one array: compilers leave gaps between larger ones.
static_assert(sizeof(Original) == 2 * sizeof(void*));
#define ANDES_ORIGINAL(NAME)                                                                                           \
  [[gnu::section("andes_originals"), gnu::used]] static Original original_##NAME = {#NAME, nullptr};
extern "C" __attribute__((visibility("hidden"))) Original __start_andes_originals[], __stop_andes_originals[];

// A function NAME with its PARAMETERS and ARGUMENTS; READ and WRITTEN say, by its `result`, how many bytes it has
// moved.
#define ANDES_FILE_CALL(RESULT, NAME, PARAMETERS, ARGUMENTS, READ, WRITTEN)                                            \
  ANDES_ORIGINAL(NAME)                                                                                                 \
  extern "C" __attribute__((visibility("default"))) RESULT NAME PARAMETERS {                                           \
    static andes_site site = ANDES_SITE(#NAME, "", 0, ANDES_KIND_IO);                                                  \
    auto* const call = reinterpret_cast<RESULT(*) PARAMETERS>(look_up(original_##NAME));                               \
    andes_frame* const frame = is_counted(ANDES_STACK()) ? andes_enter(&site) : nullptr;                               \
    RESULT const result = call ARGUMENTS;                                                                              \
    if (frame) {                                                                                                       \
      const int error = errno;                                                                                         \
      count_bytes(frame, READ, WRITTEN);                                                                               \
      andes_leave(frame);                                                                                              \
      errno = error;                                                                                                   \
    }                                                                                                                  \
    return result;                                                                                                     \
  }

// Bytes of functions whose result is a number of bytes, or of elements.
#define ANDES_READS(NAME, PARAMETERS, ARGUMENTS) ANDES_FILE_CALL(ssize_t, NAME, PARAMETERS, ARGUMENTS, result, 0)
#define ANDES_WRITES(NAME, PARAMETERS, ARGUMENTS) ANDES_FILE_CALL(ssize_t, NAME, PARAMETERS, ARGUMENTS, 0, result)

ANDES_READS(read, (int file, void* to, size_t bytes), (file, to, bytes))
ANDES_READS(pread, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at))
ANDES_READS(pread64, (int file, void* to, size_t bytes, off64_t at), (file, to, bytes, at))
ANDES_READS(readv, (int file, const iovec* parts, int count), (file, parts, count))
ANDES_READS(preadv, (int file, const iovec* parts, int count, off_t at), (file, parts, count, at))
ANDES_WRITES(write, (int file, const void* from, size_t bytes), (file, from, bytes))
ANDES_WRITES(pwrite, (int file, const void* from, size_t bytes, off_t at), (file, from, bytes, at))
ANDES_WRITES(pwrite64, (int file, const void* from, size_t bytes, off64_t at), (file, from, bytes, at))
ANDES_WRITES(writev, (int file, const iovec* parts, int count), (file, parts, count))
ANDES_WRITES(pwritev, (int file, const iovec* parts, int count, off_t at), (file, parts, count, at))
ANDES_FILE_CALL(int, fsync, (int file), (file), 0, 0)
ANDES_FILE_CALL(int, fdatasync, (int file), (file), 0, 0)
ANDES_FILE_CALL(int, close, (int file), (file), 0, 0)
ANDES_FILE_CALL(int, creat, (const char* path, mode_t mode), (path, mode), 0, 0)

ANDES_FILE_CALL(FILE*, fopen, (const char* path, const char* mode), (path, mode), 0, 0)
ANDES_FILE_CALL(FILE*, fopen64, (const char* path, const char* mode), (path, mode), 0, 0)
ANDES_FILE_CALL(size_t, fread, (void* to, size_t bytes, size_t count, FILE* file), (to, bytes, count, file),
                static_cast<long long>(bytes* result), 0)
ANDES_FILE_CALL(size_t, fwrite, (const void* from, size_t bytes, size_t count, FILE* file), (from, bytes, count, file),
                0, static_cast<long long>(bytes* result))
ANDES_FILE_CALL(char*, fgets, (char* to, int bytes, FILE* file), (to, bytes, file),
                result ? static_cast<long long>(strlen(result)) : 0, 0)
ANDES_FILE_CALL(int, fputs, (const char* text, FILE* file), (text, file), 0,
                result >= 0 ? static_cast<long long>(strlen(text)) : 0)
ANDES_FILE_CALL(int, fflush, (FILE * file), (file), 0, 0)
ANDES_FILE_CALL(int, fclose, (FILE * file), (file), 0, 0)

// What compilers call instead where they know the size of the buffer (_FORTIFY_SOURCE).
ANDES_READS(__read_chk, (int file, void* to, size_t bytes, size_t room), (file, to, bytes, room))
ANDES_READS(__pread_chk, (int file, void* to, size_t bytes, off_t at, size_t room), (file, to, bytes, at, room))
ANDES_READS(__pread64_chk, (int file, void* to, size_t bytes, off64_t at, size_t room), (file, to, bytes, at, room))
ANDES_FILE_CALL(size_t, __fread_chk, (void* to, size_t room, size_t bytes, size_t count, FILE* file),
                (to, room, bytes, count, file), static_cast<long long>(bytes* result), 0)
ANDES_FILE_CALL(char*, __fgets_chk, (char* to, size_t room, int bytes, FILE* file), (to, room, bytes, file),
                result ? static_cast<long long>(strlen(result)) : 0, 0)

// The mode is given only where a file may be made.
#define ANDES_OPENS(NAME, PARAMETERS, ...)                                                                             \
  ANDES_ORIGINAL(NAME)                                                                                                 \
  extern "C" __attribute__((visibility("default"))) int NAME PARAMETERS {                                              \
    static andes_site site = ANDES_SITE(#NAME, "", 0, ANDES_KIND_IO);                                                  \
    mode_t mode = 0;                                                                                                   \
    if (flags & (O_CREAT | __O_TMPFILE)) {                                                                             \
      va_list rest;                                                                                                    \
      va_start(rest, flags);                                                                                           \
      mode = va_arg(rest, mode_t);                                                                                     \
      va_end(rest);                                                                                                    \
    }                                                                                                                  \
    auto* const call = reinterpret_cast<int(*) PARAMETERS>(look_up(original_##NAME));                                  \
    andes_frame* const frame = is_counted(ANDES_STACK()) ? andes_enter(&site) : nullptr;                               \
    const int result = call(__VA_ARGS__, mode);                                                                        \
    const int error = errno;                                                                                           \
    if (frame) andes_leave(frame);                                                                                     \
    errno = error;                                                                                                     \
    return result;                                                                                                     \
  }
ANDES_OPENS(open, (const char* path, int flags, ...), path, flags)
ANDES_OPENS(open64, (const char* path, int flags, ...), path, flags)
ANDES_OPENS(openat, (int folder, const char* path, int flags, ...), folder, path, flags)
ANDES_OPENS(openat64, (int folder, const char* path, int flags, ...), folder, path, flags)

// Before the program's main: later a signal handler may be the first to call a function.
__attribute__((constructor)) static void look_up_originals() {
  for (Original* original = __start_andes_originals; original != __stop_andes_originals; ++original) look_up(*original);
}
