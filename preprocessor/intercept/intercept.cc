// libandes-build.so, preloaded into each process of a build: it stands before the C library's functions that start
// programs, and starts andes-preprocess in the place of a compiler. So it does not matter by which way a build finds
// its compilers, and no file, name or setting of the build changes (decision 244).
//
// A compiler that is only asked something runs as it is; one that links does so by andes-preprocess, too, for the stamp
// of the build (decision 267). With either kind the library leaves the environment: what a wrapper or a cache starts in
// its turn belongs to the same compilation, which is instrumented once, at its outermost command.
//
// Invariants: after the start all is read-only; nothing is allocated but on the stack, since these functions run in the
// child of a vfork, which shares its parent's memory, and behind a fork of a process with threads. errno is what the C
// library's function leaves. Whatever is wrong here, the program starts as without andes.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/build_record.h"
#include "common/compiler_words.h"
#include "monitor/interface/build_session.h"

extern char** environ;

namespace andes::preprocessor {
namespace {

constexpr const char* preload_variable = "LD_PRELOAD";
constexpr int most_variables = 64; // of andes, with settings

using Execve = int (*)(const char*, char* const*, char* const*);
using Spawn = int (*)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, char* const*,
                      char* const*);

/// What stands behind this library, and what `andes build` has said. Written by begin() alone.
struct Session {
  Execve execve = nullptr, execvpe = nullptr;
  Spawn spawn = nullptr, spawnp = nullptr;
  const char* library = nullptr; // null: no build, nothing is caught
  const char* program = nullptr;
  const char* record = nullptr;
  bool asks = false; // all compilers are only asked something
  char* variables[most_variables] = {}; // "ANDES_...=...", to be kept where a build clears the environment
  int count = 0;
} session;

template <typename Function> void find(Function& function, const char* name) {
  if (!function) function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void find_functions() {
  find(session.execve, "execve");
  find(session.execvpe, "execvpe");
  find(session.spawn, "posix_spawn");
  find(session.spawnp, "posix_spawnp");
}

/// Whether this process is andes-preprocess: the compilers that it starts are not to be caught.
bool is_program_itself(const char* program) {
  char self[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
  return size > 0 && size_t(size) == strlen(program) && memcmp(self, program, size_t(size)) == 0;
}

/// CMake that configures compiles nothing of the program: its tests, and those that projects make in directories of
/// their own, are questions. What it starts to build (cmake --build) is not.
void note_cmake(int count, char** words) {
  const char* slash = count > 0 ? strrchr(words[0], '/') : nullptr;
  if (count == 0 || strcmp(slash ? slash + 1 : words[0], "cmake") != 0) return;
  for (int i = 1; i < count; ++i) {
    for (const char* build : {"--build", "--workflow"})
      if (strcmp(words[i], build) == 0) {
        unsetenv(build_asking_variable);
        return;
      }
    for (const char* other : {"-E", "-P", "--install"})
      if (strcmp(words[i], other) == 0) return;
  }
  setenv(build_asking_variable, "1", 1);
}

__attribute__((constructor)) void begin(int count, char** words) {
  find_functions();
  const char* library = getenv(build_library_variable);
  const char* program = getenv(build_program_variable);
  const char* record = getenv(build_record_variable);
  if (!library || !program || !record || is_program_itself(program)) return;
  note_cmake(count, words);
  session.asks = getenv(build_asking_variable) != nullptr;
  for (char** variable = environ; *variable && session.count < most_variables; ++variable)
    if (strncmp(*variable, "ANDES_", 6) == 0)
      if (char* copy = strdup(*variable)) session.variables[session.count++] = copy;
  session.program = strdup(program);
  session.record = strdup(record);
  if (session.program && session.record) session.library = strdup(library);
}

/// The value of "NAME=VALUE" if it is of this name, else null.
const char* value_in(const char* variable, const char* name) {
  const size_t length = strlen(name);
  return strncmp(variable, name, length) == 0 && variable[length] == '=' ? variable + length + 1 : nullptr;
}

const char* value_of(char* const* environment, const char* name) {
  for (; *environment; ++environment)
    if (const char* value = value_in(*environment, name)) return value;
  return nullptr;
}

bool is_separator(char c) { return c == ':' || c == ' '; }

/// Where this library stands in a value of LD_PRELOAD; null: it does not.
const char* place_in(const char* preload) {
  const size_t length = strlen(session.library);
  for (const char* at = preload; (at = strstr(at, session.library)); at += length)
    if ((at == preload || is_separator(at[-1])) && (!at[length] || is_separator(at[length]))) return at;
  return nullptr;
}

size_t size_of(char* const* list) {
  size_t size = 0;
  while (list[size]) ++size;
  return size;
}

bool is_program(const char* path) {
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, X_OK) == 0;
}

/// The file that execvp would start, in `path`; false: none.
bool find_program(const char* name, char (&path)[PATH_MAX]) {
  const char* directories = getenv("PATH");
  if (!directories) directories = "/bin:/usr/bin";
  const size_t length = strlen(name);
  for (const char* begin = directories;; ++begin) {
    const char* end = strchrnul(begin, ':');
    const size_t size = size_t(end - begin);
    if (size + length + 2 <= sizeof path) {
      memcpy(path, begin, size);
      if (size > 0) path[size] = '/';
      memcpy(path + size + (size > 0), name, length + 1);
      if (is_program(path)) return true;
    }
    if (!*end) return false;
    begin = end;
  }
}

/// What is to be done with the start of a program.
struct Catch {
  enum class Kind { pass, plain_compiler, instrument } kind = Kind::pass;
  char path[PATH_MAX]; // of the compiler
};

bool is_andes(const char* path) {
  const char* slash = strrchr(path, '/');
  return strncmp(slash ? slash + 1 : path, "andes", 5) == 0;
}

void look_at(const char* file, char* const* words, bool searches, Catch& caught) {
  if (!session.library || !file || !words || !words[0]) return;
  // Not where andes itself stands behind: it instruments what the cache asks it to compile.
  const bool launches = is_compiler_launcher(file) && words[1] && words[1][0] != '-' && !is_andes(words[1]);
  if (!launches && !is_compiler(file)) return;
  const bool by_path = strchr(file, '/') || !searches;
  if (by_path && (strlen(file) >= sizeof caught.path || !is_program(file))) return; // one of several attempts
  if (by_path) strcpy(caught.path, file);
  else if (!find_program(file, caught.path)) return;
  char directory[PATH_MAX];
  if (!getcwd(directory, sizeof directory)) directory[0] = 0;
  const CompilerRequest request = request_of(words, {directory, strlen(directory)});
  const bool stamped = (request.links || request.links_library) && !is_configure_test({}, directory);
  const bool wanted = request.compiles || request.precompiles || stamped;
  caught.kind = !session.asks && wanted ? Catch::Kind::instrument : Catch::Kind::plain_compiler;
}

bool is_of_library(const char* variable) {
  return value_in(variable, build_library_variable) || value_in(variable, build_program_variable) ||
         value_in(variable, build_asking_variable);
}

/// Adds to the list from `begin` to `result` those of andes' variables that are not in it; with those of this library
/// if `all`. Returns the new end.
char** add_missing(char** begin, char** result, bool all) {
  char** const end = result;
  for (int i = 0; i < session.count; ++i) {
    char* variable = session.variables[i];
    const size_t name = size_t(strchr(variable, '=') - variable) + 1;
    bool is_there = !all && is_of_library(variable);
    for (char** one = begin; one != end; ++one) is_there = is_there || strncmp(*one, variable, name) == 0;
    if (!is_there) *result++ = variable;
  }
  return result;
}

/// Writes into `result` the environment without this library and its variables; where andes-preprocess is to be
/// started, with those for it, and with `compiler`. `preload` has room for what remains of LD_PRELOAD.
void leave(char* const* environment, const char* compiler, char* preload, char** result) {
  char** const begin = result;
  for (; *environment; ++environment) {
    char* variable = *environment;
    if (is_of_library(variable) || value_in(variable, build_compiler_variable)) continue;
    if (!compiler && (value_in(variable, build_record_variable) || value_in(variable, build_reader_variable))) continue;
    const char* value = value_in(variable, preload_variable);
    if (const char* place = value ? place_in(value) : nullptr) {
      const char* rest = place + strlen(session.library);
      if (*rest) ++rest; // the separator
      const size_t before = size_t(place - variable);
      memcpy(preload, variable, before);
      strcpy(preload + before, rest);
      const size_t length = strlen(preload);
      if (!*rest && place > value) preload[length - 1] = 0; // the separator before
      if (preload[strlen(preload_variable) + 1]) *result++ = preload;
      continue;
    }
    *result++ = variable;
  }
  if (compiler) {
    result = add_missing(begin, result, false);
    *result++ = const_cast<char*>(compiler);
  }
  *result = nullptr;
}

/// Writes into `result` the environment with this library and its variables, wherever they are missing.
void stay(char* const* environment, char* preload, char** result) {
  char** const begin = result;
  const char* value = nullptr;
  for (; *environment; ++environment) {
    if (const char* is = value_in(*environment, preload_variable)) value = is;
    else *result++ = *environment;
  }
  result = add_missing(begin, result, true);
  strcpy(stpcpy(preload, preload_variable), "=");
  if (value && *value) strcat(strcat(preload, value), ":");
  *result++ = strcat(preload, session.library);
  *result = nullptr;
}

/// Whether a build has taken this library out of the environment of what it starts, as SCons does.
bool is_missing(char* const* environment) {
  const char* preload = value_of(environment, preload_variable);
  return !preload || !place_in(preload) || !value_of(environment, build_record_variable);
}

/// Calls start(FILE, ENVIRONMENT), by which the C library starts the program, with those it is to have.
template <typename Start>
int start_program(const char* file, char* const* words, char* const* environment, bool searches, Start start) {
  const int error = errno;
  find_functions(); // for programs that are started before begin()
  char* nothing[] = {nullptr};
  char* const* variables = environment ? environment : nothing;
  Catch caught;
  look_at(file, words, searches, caught);
  if (caught.kind == Catch::Kind::pass && (!session.library || !is_missing(variables))) {
    errno = error;
    return start(file, environment);
  }
  const char* before = value_of(variables, preload_variable);
  char preload[(before ? strlen(before) : 0) + strlen(session.library) + 16];
  char* changed[size_of(variables) + most_variables + 2];
  if (caught.kind == Catch::Kind::pass) {
    stay(variables, preload, changed);
    errno = error;
    return start(file, changed);
  }
  const bool instruments = caught.kind == Catch::Kind::instrument;
  if (!instruments) begin_record(session.record, record_asked, caught.path);
  char compiler[PATH_MAX + 32];
  strcpy(stpcpy(stpcpy(compiler, build_compiler_variable), "="), caught.path);
  leave(variables, instruments ? compiler : nullptr, preload, changed);
  errno = error;
  return start(instruments ? session.program : file, changed);
}

/// Starts a program in the place of this one.
int replace(const char* file, char* const* words, char* const* environment, bool searches) {
  return start_program(file, words, environment, searches, [&](const char* program, char* const* variables) {
    const Execve execute = searches ? session.execvpe : session.execve;
    return execute(program, words, variables);
  });
}

/// The words of a call like execl(file, first, ..., NULL) on the stack; `environment` is behind them if wanted.
#define ANDES_WORDS_OF(first, environment)                                                                             \
  va_list list;                                                                                                        \
  va_start(list, first);                                                                                               \
  size_t count = 1;                                                                                                    \
  while (va_arg(list, char*)) ++count;                                                                                 \
  va_end(list);                                                                                                        \
  char* words[count + 1];                                                                                              \
  words[0] = const_cast<char*>(first);                                                                                 \
  va_start(list, first);                                                                                               \
  for (size_t i = 1; i <= count; ++i) words[i] = va_arg(list, char*);                                                  \
  environment;                                                                                                         \
  va_end(list)

} // namespace
} // namespace andes::preprocessor

using namespace andes::preprocessor;

#define ANDES_EXPORT extern "C" __attribute__((visibility("default")))

ANDES_EXPORT int execve(const char* file, char* const words[], char* const environment[]) noexcept {
  return replace(file, words, environment, false);
}

ANDES_EXPORT int execv(const char* file, char* const words[]) noexcept { return replace(file, words, environ, false); }

ANDES_EXPORT int execvp(const char* file, char* const words[]) noexcept { return replace(file, words, environ, true); }

ANDES_EXPORT int execvpe(const char* file, char* const words[], char* const environment[]) noexcept {
  return replace(file, words, environment, true);
}

ANDES_EXPORT int execl(const char* file, const char* first, ...) noexcept {
  ANDES_WORDS_OF(first, );
  return replace(file, words, environ, false);
}

ANDES_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  ANDES_WORDS_OF(first, );
  return replace(file, words, environ, true);
}

ANDES_EXPORT int execle(const char* file, const char* first, ...) noexcept {
  ANDES_WORDS_OF(first, char* const* environment = va_arg(list, char* const*));
  return replace(file, words, environment, false);
}

ANDES_EXPORT int posix_spawn(pid_t* process, const char* file, const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  return start_program(file, words, environment, false, [&](const char* program, char* const* variables) {
    return session.spawn(process, program, actions, attributes, words, variables);
  });
}

ANDES_EXPORT int posix_spawnp(pid_t* process, const char* file, const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  return start_program(file, words, environment, true, [&](const char* program, char* const* variables) {
    return session.spawnp(process, program, actions, attributes, words, variables);
  });
}
