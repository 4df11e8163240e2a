// MonitorSettings: the settings of monitor/interface/settings.h as the monitor uses them.
#pragma once
#include <cstdint>

#include "monitor/interface/settings.h"

namespace andes {

struct MonitorSettings {
  bool from_start = false;
  bool full_recursion = false;
  bool tsc_allowed = true;
  bool windows = true, window_thread = true;
  bool call_sites = false;
  double budget_percent = default_of("budget_percent"); // 0: every visit is timed
  double tree_mb = default_of("tree_mb");               // of all locations together
  std::uint32_t node_limit = default_of("node_limit"), depth_limit = default_of("depth_limit");
  std::uint32_t phase_limit = default_of("phase_limit"); // steps of a phase, in one call path, that are told apart
  std::uint64_t table_values = default_of("table_values");
  double columns_mb = default_of("columns_mb");
  double log_mb = default_of("log_mb"); // of all locations together
  double transfer_latency_ns = 0, transfer_bytes_per_s = 0; // of messages; 0: to be measured
  double gather_timeout_s = default_of("gather_timeout_s");
  const char* out = "";
  std::uint8_t request_inits = 0; // of event_log.h: calls that setting `events` wants
  const char* rules = "";  // path of a further file of rules
  const char* arena = "";  // arena_place.h
  int snapshot_signal = 0; // 0: none
  const char* counters = ""; // names of events
  const char* papi_library = "";
};

} // namespace andes
