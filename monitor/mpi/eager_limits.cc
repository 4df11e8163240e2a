// MPICH's control variables are read by the interface for tools (MPI_T). Open MPI's MPI_T opens every component that
// is installed first, which takes up to 0.2 s and runs code of networks that the program does not use. So its variables
// are asked for where MPI_T gets them from (mca_base_var_...; these functions are the same from Open MPI 4.0 to 5.0):
// the variable of a transport is known exactly while that transport is in use.
#include "monitor/mpi/eager_limits.h"

#include <cstring>
#include <dlfcn.h>
#include <mpi.h>

namespace andes::monitor::mpi {
namespace {

[[maybe_unused]] std::uint64_t known(long long bytes) { return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0; }

#ifdef OPEN_MPI
using FindVariable = int(const char* project, const char* framework, const char* component, const char* name);
using VariableValue = int(int number, const void* value, int* source, const char** file);

/// Functions of the library that its headers do not declare; null where it has none.
template <class Function> Function* internal(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

std::uint64_t eager_limit_of(const char* transport) {
  auto* find = internal<FindVariable>("mca_base_var_find");
  auto* value_of = internal<VariableValue>("mca_base_var_get_value");
  if (!find || !value_of) return 0;
  const int number = find("opal", "btl", transport, "eager_limit");
  const std::size_t* value = nullptr;
  if (number < 0 || value_of(number, &value, nullptr, nullptr) != 0 || !value) return 0;
  return *value;
}

/// Whether messages go through the layer `ob1`, which has these limits: others have protocols of their own. The
/// structure of a component begins with its names.
bool uses_ob1() {
  constexpr std::size_t with_names = 160;
  const void* selected = ::dlsym(RTLD_DEFAULT, "mca_pml_base_selected_component");
  return selected && ::memmem(selected, with_names, "\0ob1", 5);
}

andes_eager_limits limits_of_library(const char* library) {
  const bool is_known =
      std::strncmp(library, "Open MPI v4.", 12) == 0 || std::strncmp(library, "Open MPI v5.", 12) == 0;
  if (!is_known || !uses_ob1()) return {};
  andes_eager_limits limits{eager_limit_of("vader"), eager_limit_of("tcp")};
  constexpr const char* other_networks[] = {"openib", "ofi", "ugni", "usnic", "uct", "portals4"};
  for (const char* other : other_networks)
    if (eager_limit_of(other) != 0) limits.between_nodes = 0; // which of the networks is used is not known
  if (limits.within_node == 0) limits.within_node = eager_limit_of("sm");
  if (limits.within_node == 0) limits.within_node = limits.between_nodes;
  return limits;
}

#else
/// An integer control variable; 0: there is none, or it is left to the library.
std::uint64_t control_variable(const char* name) {
  int number = 0, count = 0, value = 0, length = 0, verbosity = 0, binding = 0, scope = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  if (PMPI_T_cvar_get_index(name, &number) != MPI_SUCCESS ||
      PMPI_T_cvar_get_info(number, nullptr, &length, &verbosity, &type, nullptr, nullptr, &length, &binding, &scope) !=
          MPI_SUCCESS ||
      type != MPI_INT || PMPI_T_cvar_handle_alloc(number, nullptr, &handle, &count) != MPI_SUCCESS)
    return 0;
  if (count != 1 || PMPI_T_cvar_read(handle, &value) != MPI_SUCCESS) value = 0;
  PMPI_T_cvar_handle_free(&handle);
  return known(value);
}

andes_eager_limits limits_of_library(const char* library) {
  int provided = 0;
  if (PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return {};
  andes_eager_limits limits = {};
  // Variables exist for all devices; the device of the library says which ones it follows.
  if (std::strstr(library, "ch3:")) {
    limits.within_node = limits.between_nodes = control_variable("MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE");
    if (std::strstr(library, "ch3:nemesis"))
      limits.within_node = control_variable("MPIR_CVAR_NEMESIS_SHM_EAGER_MAX_SZ");
  } else if (std::strstr(library, "ch4:ofi")) {
    limits.between_nodes = control_variable("MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE");
  }
  PMPI_T_finalize();
  return limits;
}
#endif

} // namespace

andes_eager_limits eager_limits(const char* library) { return limits_of_library(library); }

} // namespace andes::monitor::mpi
