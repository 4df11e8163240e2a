// The output formats of each command that prints results, and what it hands to them.
//
// A format of a command is an entry in its list in formats.cc, or, with nothing to add to any other file, a source
// export/COMMAND_NAME.cc (export/export.h).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/gate.h"
#include "postproc/analysis/live.h"
#include "postproc/analysis/overview.h"
#include "postproc/view/diff_view.h"
#include "postproc/view/doctor_view.h"
#include "postproc/view/format.h"
#include "postproc/view/history_view.h"
#include "postproc/view/views.h"

namespace andes::postproc {

/// A run as `andes show` presents it.
struct ShownRun {
  Profile profile;
  Tree tree;
  std::vector<int> ranks; // chosen, in order; empty: all
  std::optional<FlatProfile> flat;
  ShownParts parts;
};

/// What `andes report` says: a report for each series.
struct Reports {
  std::vector<Series> series;
  std::vector<Report> reports; // of each
  Overview overview;           // of several
  bool full = false;           // with all tables
};

/// What `andes diagnose` says.
struct Diagnoses {
  std::vector<DiagnosedRun> runs;
  double threshold_percent = 1;
};

const Formats<ShownRun>& show_formats();
const Formats<Reports>& report_formats();
/// Of `andes report --history`: some of the names of report_formats().
const Formats<Histories>& history_formats();
const Formats<Diagnoses>& diagnose_formats();
const Formats<Diff>& diff_formats();
const Formats<Examined>& doctor_formats();
const Formats<LiveView>& top_formats();
const Formats<Gate>& gate_formats();

} // namespace andes::postproc
