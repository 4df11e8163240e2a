// Needs libc alone, as does what links it: see preprocessor/intercept.
#include "common/build_record.h"

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

namespace andes {
namespace {

struct Line {
  char text[2 * PATH_MAX + 512];
  std::size_t size = 0;
  bool whole = true;

  void add(std::string_view part) {
    if (part.size() > sizeof text - size) {
      whole = false;
      return;
    }
    for (const char c : part) text[size++] = c == '\t' || c == '\n' ? ' ' : c;
  }
  void add_separator(char c) {
    add(" ");
    if (whole) text[size - 1] = c;
  }
};

} // namespace

void append_record(const char* record, std::string_view kind, std::string_view path, std::string_view detail) {
  const int error = errno;
  Line line;
  line.add(kind);
  line.add_separator('\t');
  char directory[PATH_MAX];
  if (!path.empty() && path.front() != '/' && getcwd(directory, sizeof directory)) {
    line.add({directory, std::strlen(directory)});
    line.add("/");
  }
  line.add(path);
  line.add_separator('\t');
  line.add(detail);
  line.add_separator('\n');
  const int file = line.whole ? open(record, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (file >= 0) {
    while (write(file, line.text, line.size) < 0 && errno == EINTR) {}
    close(file);
  }
  errno = error;
}

void begin_record(const char* record, std::string_view kind, std::string_view path) {
  const int error = errno;
  struct stat facts;
  const bool is_empty = stat(record, &facts) == 0 && facts.st_size == 0;
  errno = error;
  if (is_empty) append_record(record, kind, path);
}

} // namespace andes
