// Naming: where run files go.
//
//   runs/<program>-<nnn>[-label]/p<P>.<repeat>.andes     without -o; nnn is the next free number
//   FILE                                                 with -o, or the setting `out`
//
// A directory of its own per series, made with mkdir, which is the reservation: two sweeps started
// at the same time get two numbers. Nothing is ever overwritten: what exists is refused before
// anything runs. In names, %x is the program, %p the number of ranks, %j the batch job and %u a
// unique text; the monitor puts them in, andes itself only what it has to know beforehand.
#pragma once
#include <optional>
#include <set>
#include <string>

namespace andes::postproc {

/// A reserved directory for a series of runs.
struct RunDirectory {
  std::string directory; // as shown to the user: runs/jacobi-001
  std::string name;      // jacobi-001
};

/// Makes runs/<program>-<nnn>[-label]. Throws Refusal if that cannot be written.
RunDirectory reserve_series(const std::string& program, const std::string& label);

/// Checks that `label` can be part of a directory's name. Throws Refusal.
void check_label(const std::string& label);

/// Checks that FILE can be written and does not exist. Throws Refusal.
void check_output(const std::string& file);

/// Puts in %x, %j and %u; %p stays, %% too. Throws Refusal for any other %.
std::string expand_output(const std::string& pattern, const std::string& program);

/// Absolute name for ANDES_OUT: in `directory` each % is doubled, `pattern` is left as it is.
std::string output_variable(const std::string& directory, const std::string& pattern);

/// Names in `directory` that match `pattern`, in which %p stands for a number and %% for %; and those of the worlds
/// that such runs have spawned, with run_file::spawned_mark and a number if there are several.
std::set<std::string> matches(const std::string& directory, const std::string& pattern);

/// The file at `path`, or, where somebody else has put one there, the newest of those that the monitor calls like it
/// then (x.2.andes); none: there is no such file of this user's. Of root, whose programs may become another user, all
/// are.
std::optional<std::string> own_file(const std::string& path);

/// The number that stands for %p in a name that matches.
std::optional<int> ranks_in_name(const std::string& name, const std::string& pattern);

} // namespace andes::postproc
