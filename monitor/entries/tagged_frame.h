// Tagged frame: the address of a frame that andes_leave must not leave by its fast path, with a bit set; only
// andes_monitor::leave removes the bit.
#pragma once
#include <cstdint>

#include "monitor/interface/probe.h"

namespace andes::monitor {

inline constexpr std::uintptr_t slow_leave = 1;
inline andes_frame* tagged(andes_frame* frame) {
  return reinterpret_cast<andes_frame*>(reinterpret_cast<std::uintptr_t>(frame) | slow_leave);
}

} // namespace andes::monitor
