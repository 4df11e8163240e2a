#include "postproc/doctor/wrapper_libraries.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "postproc/inspect/linked_libraries.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

/// The other libraries of the installation.
const std::set<std::string> no_wrappers = {"libandes.so", "libandes-finish.so", "libandes-symbols.so"};

bool is_wrapper(const std::string& name) {
  return name.starts_with("libandes-") && name.ends_with(".so") && !no_wrappers.count(name);
}

} // namespace

std::vector<WrapperLibrary> wrapper_libraries(const std::string& directory) {
  std::vector<WrapperLibrary> wrappers;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, none)) {
    if (!is_wrapper(entry.path().filename())) continue;
    const auto file = ElfFile::open(entry.path());
    if (!file) continue;
    WrapperLibrary wrapper;
    wrapper.path = entry.path();
    const LinkedLibraries libraries = linked_libraries(entry.path());
    for (const std::string& needed : file->needed()) {
      if (needed.find("mpi") == std::string::npos) continue;
      wrapper.soname = needed;
      const auto found = std::find_if(libraries.found.begin(), libraries.found.end(),
                                      [&](const LinkedLibrary& library) { return library.soname == needed; });
      if (found == libraries.found.end()) continue;
      wrapper.mpi_path = found->path;
      if (const auto mpi = ElfFile::open(found->path)) wrapper.family = family_in_symbols(*mpi);
    }
    wrappers.push_back(std::move(wrapper));
  }
  std::sort(wrappers.begin(), wrappers.end(),
            [](const WrapperLibrary& a, const WrapperLibrary& b) { return a.path < b.path; });
  return wrappers;
}

} // namespace andes::postproc
