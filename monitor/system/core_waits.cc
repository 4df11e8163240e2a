#include "monitor/system/core_waits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

namespace andes::monitor {

CoreWaits core_waits(std::int32_t thread_id) {
  const int saved_errno = errno;
  char text[96];
  snprintf(text, sizeof text, "/proc/self/task/%d/schedstat", thread_id);
  const int file = open(text, O_RDONLY | O_CLOEXEC);
  const ssize_t bytes = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  errno = saved_errno;
  if (bytes <= 0) return {};
  text[bytes] = 0;
  char* next = text;
  CoreWaits waits;
  waits.ran_ns = strtod(next, &next);
  waits.ns = strtod(next, &next);
  waits.count = strtod(next, &next);
  errno = saved_errno;
  return waits;
}

} // namespace andes::monitor
