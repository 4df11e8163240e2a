// The calls of MPI that a rank made, one after the other, and those of them that came late.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "common/index.h"
#include "monitor/exchange/rank_log.h"
#include "monitor/finish/profile.h"

namespace andes::monitor {

/// A call for which another rank waited.
struct LateCall {
  std::uint64_t path;
  std::int64_t enter_ns;
  double wait_ns;
  bool operator==(const LateCall& other) const { return path == other.path && enter_ns == other.enter_ns; }
};

/// Whether a call that has this record only starts an operation. Of sends that are complete at once only the name of
/// the function tells it.
inline bool only_starts(const EventRecord& record, std::string_view function) {
  if ((record.flags & event_pending) != 0 || function.starts_with("MPI_Start")) return true;
  return function.starts_with("MPI_I") && function != "MPI_Iprobe" && function != "MPI_Improbe";
}

/// Calls of a thread, with the site of the call before (-1: none), the time between the two, and whether the call only
/// starts an operation. Records are nearly in the order of time; those written later are of calls that have been passed
/// already, and change nothing.
template <class Visit>
void for_each_call(const RankLog& log, const Profile& profile, std::size_t thread, Visit visit) {
  const LocationLog& location = log.locations[thread];
  const auto function_of = [&profile](std::int32_t site) -> std::string_view {
    if (at(site) >= profile.paths.size()) return {};
    return profile.regions[at(profile.paths[at(site)].region)].name;
  };
  std::int64_t exit_ns = log.begin_ns; // of the last call
  std::int32_t last = -1;
  std::int64_t enter_ns = INT64_MIN;
  for (std::uint32_t i = 0; location.log && i < location.log->count; ++i) {
    const EventRecord& record = location.log->records[i];
    const Call call = call_of(log, thread, record);
    if (call.site < 0 || call.enter_ns <= enter_ns) continue; // the same call, or one before
    std::int64_t gap_ns = 0; // of an arena that was damaged it may be too long for a number
    if (exit_ns != INT64_MAX && !__builtin_sub_overflow(call.enter_ns, exit_ns, &gap_ns))
      visit(call, last, static_cast<double>(std::max<std::int64_t>(gap_ns, 0)),
            only_starts(record, function_of(call.site)));
    enter_ns = call.enter_ns;
    exit_ns = call.exit_ns;
    last = call.site;
  }
}

} // namespace andes::monitor
