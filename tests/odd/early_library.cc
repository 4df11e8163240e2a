// early_library.cc: a shared library with probes that is at work before main and after it.
#include "odd.h"

namespace {
int counter;
FUNCTION void count() { counter++; }
struct Library {
  Library() { count(); }
  ~Library() { count(); }
} library;
} // namespace

extern "C" int library_counter();
extern "C" int library_counter() {
  count();
  return counter;
}
