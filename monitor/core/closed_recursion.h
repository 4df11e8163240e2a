// Timed visits in windows (windows.h), and recursion into closed regions, which is seen in windows only: so its time is
// not moved. It is a visit of its own, and no part of those around it that are timed, out to the region's first one.
// What was called before it is theirs.
#pragma once
#include <cstdint>

#include "monitor/core/location.h"

namespace andes::monitor {

/// The bits of a visit of recursion into the closed region of `node`, which has the bits `own_bits`, if it is a visit
/// of its own in the region's estimate; else 0.
std::uint32_t bits_of_closed_recursion(const Location& location, const andes_node& node, std::uint32_t own_bits);

/// `frame`, a visit with ANDES_FRAME_RECURSION, has been put on top.
void begin_closed_recursion(Location& location, andes_frame* frame);
/// It ends after `ticks`.
void end_closed_recursion(Location& location, andes_frame& frame, std::uint64_t ticks);

/// A visit with ANDES_FRAME_SAMPLE ends after `ticks`. Returns how much of them exact visits in it took.
std::uint64_t end_timed_visit(Location& location, andes_frame& frame, std::uint64_t ticks);

/// Counts a visit as part of one that began before the window, which is not timed; unless it is part of a timed one.
void leave_to_hidden(const Location& location, SampleRecord& record);

/// Takes time of the monitor out of timed visits of closed regions, this one and those around it: what recursion into
/// such a region takes in a window on its slow paths.
void take_out_of_timed(Location& location, andes_frame* frame, double ticks);

} // namespace andes::monitor
