// Links of programs with MPI from archives (libmpich.a, -static), whose calls the monitor would not see.
//
// In such a program the linker binds each call to the function in the program itself, whatever is preloaded. So it
// is linked once more: `--wrap` leads each call through a jump in the program, which the monitor sets (the table of
// monitor/interface/archived_mpi.h), and the program exports the PMPI functions that the monitor's wrappers call.
// Without a monitor the jumps lead to MPI. A program that is linked statically gets the shared C library: no library
// can be loaded without it.
//
// Which archive a library's name stands for, and what of it is needed, the linker alone can tell: so a program is
// looked at when it is linked (decision 320).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "preprocessor/command.h"

namespace andes::preprocessor {

/// The words of the second link of `program`, which `words` have linked, with its files in the directory `place`.
/// Nothing: the program has no MPI in it, or none that a wrapper library was built for, which is said of Open MPI and
/// MPICH.
std::optional<std::vector<std::string>> link_for_archived_mpi(const std::vector<std::string>& words,
                                                              std::size_t compiler_words, const std::string& program,
                                                              const std::string& place);

/// Whether a link is to give a static program, which its second link does not.
bool links_statically(const std::vector<std::string>& words);

} // namespace andes::preprocessor
