// Bounds of numbers. This part of the monitor uses the C library alone, so not std::max and std::min.
#pragma once

namespace andes::monitor {

inline double at_least(double value, double low) { return value > low ? value : low; }
inline double at_most(double value, double high) { return value < high ? value : high; }

} // namespace andes::monitor
