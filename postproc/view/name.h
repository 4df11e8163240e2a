// Names of functions and call paths as people read them. JSON and CSV have them as the run file does.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace andes::postproc {

/// A name of C++ without what the standard library adds to what its user wrote: default arguments of templates
/// (allocators, character traits, comparisons, hashes, deleters), inner namespaces (`std::__cxx11::`), tags of the ABI;
/// with `std::string` and the like by their short names. Other names come back as they are.
std::string readable_name(std::string_view name);

/// Readable names of a call path, joined: main > solve > MPI_Recv.
std::string joined_path(const std::vector<std::string>& path);

/// A name of at most `width` characters: arguments of templates are left out first, then the qualifiers in front, then
/// types of parameters, at last the front of the name itself.
std::string cut_name(std::string_view name, int width, bool utf8);

/// Shortens names joined by " > " at the front: as many of the last as fit stay whole. One name is cut as by cut_name.
std::string cut_path(std::string_view path, int width, bool utf8);

} // namespace andes::postproc
