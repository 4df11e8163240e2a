// Hybrid efficiency for people: of a run in a few lines, of several sizes in two tables.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/efficiency.h"
#include "postproc/analysis/hybrid.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Of one run; nothing without teams of threads.
std::string hybrid_text(const Terminal& terminal, const HybridResult& result, const Profile& profile);

/// A size of a report. One with one thread in each process has no hybrid: there its efficiency is that of MPI.
struct HybridRow {
  int ranks = 0, threads = 1;
  double time_s = 0;
  std::optional<Hybrid> hybrid;
  std::optional<Efficiency> efficiency;
};

/// Tables of the part of MPI and of that of the threads; nothing without any hybrid.
std::string hybrid_tables(const Terminal& terminal, const std::vector<HybridRow>& rows);

/// What is to be known of the threads that the figures are of; `why_not` as of HybridResult.
std::string hybrid_notes(const Terminal& terminal, const std::vector<HybridRow>& rows, const std::string& why_not);

} // namespace andes::postproc
