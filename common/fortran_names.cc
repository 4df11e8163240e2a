#include "common/fortran_names.h"

namespace andes {
namespace {

/// Length of `master.0.`; 0 if the name does not begin so.
std::size_t entry_mark(const std::string& name) {
  constexpr std::size_t word = 7; // master.
  if (!name.starts_with("master.")) return 0;
  const std::size_t end = name.find_first_not_of("0123456789", word);
  return end == std::string::npos || end == word || name[end] != '.' ? 0 : end + 1;
}

} // namespace

std::string written_name(const std::string& name) { return name == "MAIN__" ? "main" : name.substr(entry_mark(name)); }

bool is_made_by_gfortran(const std::string& name) { return name.starts_with("__") || entry_mark(name) != 0; }

} // namespace andes
