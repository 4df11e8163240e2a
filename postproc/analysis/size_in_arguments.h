// Arguments of a program that hold its number of ranks or threads, as the user typed them for andes run: they may make
// the problem larger, or only name a file.
#pragma once
#include <string>
#include <vector>

namespace andes::postproc {

/// Whether {p} or {t}, the `place`, stands in the arguments where it may be the size of the problem: not in the name of
/// what the program writes. The name of an option may stand in the same argument, or before it.
bool may_be_size(const std::vector<std::string>& arguments, const std::string& place);

} // namespace andes::postproc
