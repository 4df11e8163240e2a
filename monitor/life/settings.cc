// The monitor's settings, from the flat environment that `andes run` hands over. No library: this
// runs in other people's processes. Keys and meanings: monitor/interface/settings.h.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/core/process.h"
#include "monitor/life/measuring.h"
#include "monitor/say/say.h"

namespace andes {
namespace {

bool is(const char* text, const char* word) { return text && strcmp(text, word) == 0; }

/// A number, into `value`, which is the default already.
template <class Number> void read_number(std::size_t place, Number& value) {
  const Setting& setting = monitor_settings[place];
  char variable[64] = "ANDES_";
  std::size_t length = strlen(variable);
  for (const char* c = setting.key; *c; ++c) variable[length++] = static_cast<char>(*c == '_' ? '_' : *c - 'a' + 'A');
  const char* text = getenv(variable);
  if (!text || !*text) return;
  char* end = nullptr;
  const double number = strtod(text, &end);
  if (*end == 0 && setting.range.holds(number)) value = static_cast<Number>(number);
  else
    andes_say_once(said_setting + static_cast<int>(place), "%s: '%s' is not a number from %.15g to %.15g; taking %s", variable, text,
                   setting.range.low, setting.range.high, setting.fallback);
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
  read_number(setting_of("budget_percent"), settings.budget_percent);
  read_number(setting_of("tree_mb"), settings.tree_mb);
  read_number(setting_of("columns_mb"), settings.columns_mb);
  read_number(setting_of("log_mb"), settings.log_mb);
  read_number(setting_of("node_limit"), settings.node_limit);
  read_number(setting_of("depth_limit"), settings.depth_limit);
  read_number(setting_of("phase_limit"), settings.phase_limit);
  read_number(setting_of("table_values"), settings.table_values);
  read_number(setting_of("gather_timeout_s"), settings.gather_timeout_s);
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
