// MonitorSettings: the settings of monitor/interface/settings.def as the monitor uses them, a member for each number,
// switch and text, and members for the settings that are parsed by hand.
#pragma once
#include <cstdint>

#include "monitor/interface/settings.h"

namespace andes::monitor {

struct MonitorSettings {
#define ANDES_NUMBER(type, key, fallback, ...) type key = fallback;
#define ANDES_SWITCH(member, state, ...) bool member = state;
#define ANDES_TEXT(key, ...) const char* key = "";
#define ANDES_OTHER(...)
#include "monitor/interface/settings.def"
  double transfer_latency_ns = 0, transfer_bytes_per_s = 0; // of messages; 0: to be measured
  std::uint8_t logged_calls = 0, left_out = 0;              // LoggedCall and LeftOut bits (event_log.h), of setting
                                                            // `events`
  int snapshot_signal = 0;                                  // 0: none
};

} // namespace andes::monitor
