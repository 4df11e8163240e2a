// Baselines: series that a gate keeps under names, for comparisons without a second build (decision
// 265).
//
//   DIRECTORY/NAME/001/*.andes     run files as they were written; the newest number stands for the name
//
// Invariants:
//  - a series is there whole or not at all: it is made beside its place and renamed;
//  - of each name the newest `kept_of_a_name` stay; nothing but run files in numbered directories is ever removed.
#pragma once
#include <string>

namespace andes::postproc {

inline constexpr const char* baselines_place = ".andes/baselines";
inline constexpr std::size_t kept_of_a_name = 3;

/// NAME of "@NAME", as `option` takes it; empty: it is none. Throws Refusal for a name that cannot be a directory's.
std::string baseline_name(const std::string& option, const std::string& word);

/// The same check of a name alone.
void check_baseline_name(const std::string& option, const std::string& name);

/// The newest series of a name. Throws Refusal, with the names that are there, if there is none.
std::string find_baseline(const std::string& place, const std::string& name);

/// Copies the run files of a directory into a new series of the name, and removes those beyond the newest ones. Returns
/// its directory. Throws Refusal if it cannot be written.
std::string save_baseline(const std::string& place, const std::string& name, const std::string& runs);

} // namespace andes::postproc
