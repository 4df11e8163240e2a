// Hybrid efficiency for people: of a run in a few lines, of several sizes in two tables.
#pragma once
#include <string>
#include <vector>

#include "postproc/view/columns/hybrid.h"

namespace andes::postproc {

/// Of one run; nothing without teams of threads.
std::string hybrid_text(const Terminal& terminal, const HybridResult& result, const Profile& profile);

/// Tables of the part of MPI and of that of the threads; nothing without teams.
std::string hybrid_tables(const Terminal& terminal, const std::vector<columns::HybridSize>& sizes);

/// What is to be known of the threads that the figures are of; `why_not` as of HybridResult.
std::string hybrid_notes(const Terminal& terminal, const std::vector<columns::HybridSize>& sizes,
                         const std::string& why_not);

} // namespace andes::postproc
