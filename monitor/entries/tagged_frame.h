// A frame that andes_leave may not leave by its fast path: its address with a bit set, which only andes_monitor::leave
// takes off.
#pragma once
#include <cstdint>

#include "monitor/interface/probe.h"

namespace andes {

inline constexpr std::uintptr_t slow_leave = 1;
inline andes_frame* tagged(andes_frame* frame) {
  return reinterpret_cast<andes_frame*>(reinterpret_cast<std::uintptr_t>(frame) | slow_leave);
}

} // namespace andes
