#include "postproc/doctor/wrapper_libraries.h"

#include <algorithm>
#include <filesystem>

#include "postproc/inspect/linked_libraries.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

bool is_of_andes(const std::string& name) { return name.starts_with("libandes-") && name.ends_with(".so"); }

} // namespace

std::vector<WrapperLibrary> wrapper_libraries(const std::string& directory) {
  std::vector<WrapperLibrary> wrappers;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, none)) {
    if (!is_of_andes(entry.path().filename())) continue;
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
    if (!wrapper.soname.empty()) wrappers.push_back(std::move(wrapper)); // the others have nothing to do with MPI
  }
  std::sort(wrappers.begin(), wrappers.end(),
            [](const WrapperLibrary& a, const WrapperLibrary& b) { return a.path < b.path; });
  return wrappers;
}

} // namespace andes::postproc
