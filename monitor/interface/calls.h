// How visits of calls that wrappers stand in front of, as those of MPI, are entered and left by the slow path.
#pragma once
#include <cstdint>

#include "monitor/interface/probe.h"

extern "C" {
/// The slow path of a visit, as `enter` and `leave` of andes_monitor, for wrappers: who calls them, as any function,
/// does not expect that vector registers are kept.
andes_frame* andes_enter_call(andes_site* site, std::uintptr_t stack, std::uintptr_t caller, andes_view* view);
void andes_leave_call(andes_frame* frame);
}
