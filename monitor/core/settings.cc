// The monitor's settings, from the flat environment that `andes run` hands over. No library: this
// runs in other people's processes. Keys and meanings: monitor/interface/settings.h.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/core/process.h"

namespace andes {
namespace {

enum : int { said_bad_setting = 100, said_bad_transfer = 101 };

bool is(const char* text, const char* word) { return text && strcmp(text, word) == 0; }

double number(const char* variable, double fallback, double low, double high) {
  const char* text = getenv(variable);
  if (!text || !*text) return fallback;
  char* end = nullptr;
  double value = strtod(text, &end);
  if (*end == 0 && value >= low && value <= high) return value;
  andes_say_once(said_bad_setting, "%s: '%s' is not a number from %g to %g; taking %g", variable,
                 text, low, high, fallback);
  return fallback;
}

/// Setting `events`: names of simple events; `andes run` has checked them. Those that are not here are in the log anyway.
std::uint8_t read_events() {
  constexpr struct {
    const char* name;
    RequestInit init;
  } events[] = {{"function_call_non_blocking_send_operation", init_send},
                {"function_call_non_blocking_receive_operation", init_receive},
                {"function_call_collective_operation", init_collective}};
  const char* text = getenv("ANDES_EVENTS");
  std::uint8_t wanted = 0;
  for (const auto& event : events)
    if (text && strstr(text, event.name)) wanted |= event.init; // no name is part of another
  return wanted;
}

/// Setting `transfer`: two numbers.
void read_transfer(MonitorSettings& settings) {
  const char* text = getenv("ANDES_TRANSFER");
  if (!text || !*text) return;
  char* end = nullptr;
  const double latency_ns = strtod(text, &end);
  const double bytes_per_s = strtod(end, &end);
  if (*end == 0 && latency_ns >= 0 && bytes_per_s > 0) {
    settings.transfer_latency_ns = latency_ns;
    settings.transfer_bytes_per_s = bytes_per_s;
    return;
  }
  andes_say_once(said_bad_transfer,
                 "ANDES_TRANSFER: '%s' is not a latency in ns and a bandwidth in bytes per second, "
                 "like \"1500 1.2e10\"; transfers are measured", text);
}

} // namespace

bool call_sites_wanted() { return is(getenv("ANDES_CALL_SITES"), "yes"); }

bool monitor_wanted() { return !is(getenv("ANDES_MONITOR"), "off"); }

MonitorSettings read_settings() {
  MonitorSettings settings;
  settings.from_start = is(getenv("ANDES_MEASURED_FROM"), "start");
  settings.full_recursion = is(getenv("ANDES_RECURSION"), "full");
  settings.tsc_allowed = !is(getenv("ANDES_CLOCK"), "monotonic");
  settings.windows = !is(getenv("ANDES_WINDOWS"), "off");
  settings.window_thread = !is(getenv("ANDES_WINDOW_THREAD"), "off");
  settings.call_sites = call_sites_wanted();
  settings.budget_percent = number("ANDES_BUDGET_PERCENT", settings.budget_percent, 0, 100);
  settings.tree_mb = number("ANDES_TREE_MB", settings.tree_mb, 1, 1e5);
  settings.columns_mb = number("ANDES_COLUMNS_MB", settings.columns_mb, 0, 1e6);
  settings.log_mb = number("ANDES_LOG_MB", settings.log_mb, 0, 1e5);
  settings.node_limit =
      static_cast<std::uint32_t>(number("ANDES_NODE_LIMIT", settings.node_limit, 16, 1 << 24));
  settings.depth_limit =
      static_cast<std::uint32_t>(number("ANDES_DEPTH_LIMIT", settings.depth_limit, 1, 1 << 20));
  settings.phase_limit = static_cast<std::uint32_t>(number("ANDES_PHASE_LIMIT", settings.phase_limit, 0, 10000));
  settings.table_values =
      static_cast<std::uint64_t>(number("ANDES_TABLE_VALUES", 20000, 0, 1e12));
  settings.gather_timeout_s = number("ANDES_GATHER_TIMEOUT_S", settings.gather_timeout_s, 0, 1e6);
  settings.request_inits = read_events();
  read_transfer(settings);
  const char* out = getenv("ANDES_OUT");
  settings.out = out ? out : "";
  const char* rules = getenv("ANDES_RULES");
  settings.rules = rules ? rules : "";
  const char* snapshot = getenv("ANDES_SNAPSHOT_SIGNAL");
  settings.snapshot_signal = is(snapshot, "USR1") ? SIGUSR1 : is(snapshot, "USR2") ? SIGUSR2 : 0;
  const char* arena = getenv("ANDES_ARENA");
  settings.arena = arena ? arena : "";
  const char* counters = getenv("ANDES_COUNTERS");
  settings.counters = counters ? counters : "";
  const char* papi_library = getenv("ANDES_PAPI_LIBRARY");
  settings.papi_library = papi_library ? papi_library : "";
  return settings;
}

} // namespace andes
