// Functions without a probe, with their part of the time of those that call them: the notes that `andes cc` left in the
// program's modules (monitor/interface/left_out.h), resolved for the regions of a run.
#pragma once
#include <string>
#include <vector>

#include "monitor/core/process.h"
#include "monitor/finish/run.h"

namespace andes::monitor {

/// The executable of this process, as a file.
inline constexpr const char* own_program = "/proc/self/exe";

/// Paths of the modules that hold the probe sites which this process has met: the executable, shared objects.
std::vector<std::string> modules_with_sites(const Process& process);

/// The notes in these files; none of a file that cannot be read or is no ELF file of this machine.
std::vector<LeftOutNote> notes_in(const std::vector<std::string>& modules);

/// Whether an executable is that of a run, by the mark of its build: `hash` is the run's fact `executable_hash`.
bool is_of_build(const std::string& executable, const std::string& hash);

/// The notes in an executable that is that of a run: `hash` is its fact `executable_hash`. None if it was built anew
/// since, or has no mark of its build.
std::vector<LeftOutNote> notes_of_build(const std::string& executable, const std::string& hash);

/// Of a region's own time: functions without a probe that are expected to take less are not told.
inline constexpr double least_share = 0.005;

/// A region as the table of sites has it.
NotedFunction function_of(const RegionRow& region);

/// By region, the largest share first.
void sort_rows(std::vector<LeftOutRow>& rows);

/// The functions without a probe, each once.
std::vector<NotedFunction> without_probe(const std::vector<LeftOutNote>& notes);

/// For each region, the functions without a probe that are expected to take at least `least_share` of its own time;
/// by region, the largest first. A call of a function of another source counts if that has a note, too.
std::vector<LeftOutRow> resolved(const std::vector<LeftOutNote>& notes, const std::vector<RegionRow>& regions);

} // namespace andes::monitor
