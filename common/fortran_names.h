// Names of procedures in gfortran's form and in the user's source. Procedures that gfortran generates (`main`,
// `master.0.solve`, `__copy_...`) get no call path: their time counts for the caller. This is decided at the end,
// when names are found, since only addresses are known while the program runs.
#pragma once
#include <string>

namespace andes {

/// The name in the user's source: `main` for a main program without a PROGRAM statement (MAIN__), `solve` for
/// the code of a procedure with ENTRY statements (master.0.solve); any other name as it is.
std::string written_name(const std::string& name);

/// Whether gfortran has generated the procedure: the common code of a procedure with ENTRY statements, which each
/// entry calls, or code that copies or finalises a type (__copy_..., __final_...). Fortran names cannot look like
/// that.
bool is_made_by_gfortran(const std::string& name);

} // namespace andes
