// Views: the results of the analyses written down, as text for people, JSON and CSV for programs.
// Each returns the whole text. The JSON documents are described in docs/json.md.
#pragma once
#include <string>

#include "postproc/analysis/comparison.h"
#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/exclusions.h"
#include "postproc/analysis/flat.h"
#include "postproc/analysis/report.h"
#include "postproc/analysis/tree.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// A first screen with the answers, the four steps below; `full`: these with all tables and definitions.
std::string report_text(const Terminal& terminal, const Report& report, bool full);
std::string report_json(const Report& report);
/// Tables with an empty line between them: points, routines; with threads ranks, with counters their points and call
/// paths.
std::string report_csv(const Report& report);

/// A run with what was found in it.
struct DiagnosedRun {
  Profile profile;
  Diagnosis diagnosis;
};

/// Findings below `threshold_percent` of p x T are summed in one line.
std::string diagnosis_text(const Terminal& terminal, const Profile& profile, const Diagnosis& diagnosis,
                           double threshold_percent);
/// Of one run its document, of several a list of these.
std::string diagnosis_json(const std::vector<DiagnosedRun>& runs, double threshold_percent);

std::string comparison_text(const Terminal& terminal, const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

/// What of a run is shown to people.
struct ShownParts {
  double cut_percent = 1; // call paths below this part of Tree::time_s are left out
  bool each_thread = false; // a line for every thread; else for every rank
};
/// `ranks` are those that were chosen, or empty for all.
std::string show_text(const Terminal& terminal, const Profile& profile, const Tree& tree, const std::vector<int>& ranks,
                      const ShownParts& parts);
/// The tables of ranks and threads that end it.
std::string ranks_text(const Terminal& terminal, const Profile& profile, const Tree& tree,
                       const std::vector<int>& ranks, bool each_thread);
/// `flat` stands in the document, if it is not null.
std::string show_json(const Profile& profile, const Tree& tree, const std::vector<int>& ranks,
                      const FlatProfile* flat = nullptr);
std::string show_csv(const Profile& profile, const Tree& tree);
/// Functions, files and groups, or callers and callees; rows below `cut_percent` of Tree::time_s are left out.
std::string flat_text(const Terminal& terminal, const Profile& profile, const Tree& tree, const std::vector<int>& ranks,
                      const FlatProfile& flat, double cut_percent);
/// The tables of functions, files and groups, or of callers and callees.
std::string flat_csv(const Profile& profile, const Tree& tree, const FlatProfile& flat);
std::string threads_csv(const Profile& profile, const std::vector<int>& ranks);

/// A selection file, as `andes cc --select` reads it; `file` is its name, empty if it has none yet.
std::string selection_text(const std::vector<Profile>& runs, const Exclusions& exclusions, double cost_percent,
                           const std::string& file);

} // namespace andes::postproc
