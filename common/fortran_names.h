// Names of procedures as gfortran has them, and as the user wrote them. What gfortran has made (`main`,
// `master.0.solve`, `__copy_...`) is no call path: its time is its caller's. That is decided at the end, where names
// are found, since only addresses are known while the program runs.
#pragma once
#include <string>

namespace andes {

/// What the user calls it: `main` for a main program without a PROGRAM statement (MAIN__), `solve` for the code
/// of a procedure with ENTRY statements (master.0.solve); any other name as it is.
std::string written_name(const std::string& name);

/// Whether gfortran has made the procedure by itself: the code of one with ENTRY statements, which stands below
/// each entry, and what copies or finalises a type (__copy_..., __final_...). No name of Fortran looks like that.
bool is_made_by_gfortran(const std::string& name);

} // namespace andes
