// Shared code of the commands that read runs: from arguments to series.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/series.h"

namespace andes::postproc {

/// Says on standard error that a run is passed over.
void print_skipped(const Refusal& trouble);

/// The series of the files and directories given. Throws Refusal when there are none.
std::vector<Series> all_series_of(const std::vector<std::string>& arguments, const Mixing& mixing);

/// Runs of the files and directories given, as one series. Throws Refusal when there are none.
Series series_of(const std::vector<std::string>& arguments, bool force, unsigned stream = 0);

/// Documents name every call path from its root on: a tree that is deep all over would fill memory with names. Throws
/// Refusal for one.
void require_documents(const Profile& profile);

/// `word` itself if it is a file or a directory. Else the run files below the directory `runs` whose label is `word`,
/// or whose commit begins with it (seven digits or more). If there are none, `word`: reading it is refused then.
std::vector<std::string> runs_named(const std::string& word);

} // namespace andes::postproc
