#include "monitor/mpi/archived_calls.h"

#include <dlfcn.h>
#include <string.h>

#include "monitor/entries/wrappers.h"
#include "monitor/mpi/loaded_mpi.h"
#include "monitor/mpi/own_entries.h"

namespace andes::monitor {
namespace {

const andes_archived_mpi* table;

/// Before anything of the program runs: later a thread might be on its way through a slot.
__attribute__((constructor)) void take_archived_calls() {
  auto* found = static_cast<const andes_archived_mpi*>(andes_real_dlsym(RTLD_DEFAULT, archived_mpi_symbol));
  if (!found) return;
  if (found->version != archived_mpi_version) {
    andes_say_once(said_unloadable_mpi, "the MPI in this program was linked by another version of andes, MPI is not "
                                        "measured; link it again with this andes cc");
    return;
  }
  table = found;
  const OwnEntries own;
  for (std::uint32_t i = 0; i < found->count; i++)
    if (void* entry = own.find(found->calls[i].name)) *found->calls[i].slot = entry;
}

} // namespace

const andes_archived_mpi* archived_mpi() { return table; }

void* archived_function(const char* name) {
  if (!table) return nullptr;
  std::uint32_t first = 0, end = table->count;
  while (first < end) {
    const std::uint32_t middle = (first + end) / 2;
    const int order = strcmp(table->calls[middle].name, name);
    if (order == 0) return table->calls[middle].real;
    if (order < 0) first = middle + 1;
    else end = middle;
  }
  return nullptr;
}

} // namespace andes::monitor
