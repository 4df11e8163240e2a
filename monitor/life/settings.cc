// The monitor's settings, from the flat environment that `andes run` hands over. It uses no library,
// since it runs in other people's processes. Keys and meanings: monitor/interface/settings.h.
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/core/process.h"
#include "monitor/life/measuring.h"
#include "monitor/say/say.h"

namespace andes::monitor {
namespace {

bool is(const char* text, const char* word) { return text && strcmp(text, word) == 0; }

/// The environment variable that holds a setting.
struct Variable {
  char name[64] = "ANDES_";
  explicit Variable(std::size_t place) {
    std::size_t length = strlen(name);
    for (const char* c = monitor_settings[place].key; *c; ++c)
      name[length++] = static_cast<char>(*c == '_' ? '_' : *c - 'a' + 'A');
  }
  /// Empty if the variable is not set.
  const char* text() const {
    const char* value = getenv(name);
    return value ? value : "";
  }
};

/// Reads a number into `value`, which holds the default before.
template <class Number> void read_number(std::size_t place, Number& value) {
  const Setting& setting = monitor_settings[place];
  const Variable variable(place);
  const char* text = variable.text();
  if (!*text) return;
  char* end = nullptr;
  const double number = strtod(text, &end);
  if (*end == 0 && setting.range.holds(number)) value = static_cast<Number>(number);
  else
    andes_say_once(said_setting + static_cast<int>(place), "%s: '%s' is not a number from %.15g to %.15g; using %s",
                   variable.name, text, setting.range.low, setting.range.high, setting.fallback);
}

/// Whether a list holds this word.
bool lists(const char* list, const char* word) {
  constexpr const char* between = ", \t";
  for (const char* at = list + strspn(list, between); *at; at += strspn(at, between)) {
    const std::size_t length = strcspn(at, between);
    if (length == strlen(word) && strncmp(at, word, length) == 0) return true;
    at += length;
  }
  return false;
}

/// Setting `events`, which `andes run` has checked: the simple events that are logged where it names them, and the
/// operations that it leaves out.
void read_events(MonitorSettings& settings) {
  constexpr struct {
    const char* name;
    LoggedCall calls;
  } named[] = {{"function_call_non_blocking_send_operation", init_send},
               {"function_call_non_blocking_receive_operation", init_receive},
               {"function_call_collective_operation", init_collective},
               {"function_call_one_sided_operation", one_sided_calls},
               {"function_call_window_synchronisation", window_calls},
               {"function_call_communicator_management", communicator_calls},
               {"function_call", function_calls}};
  constexpr struct {
    const char* name;
    LeftOut operations;
  } left_out[] = {{"-point_to_point_operation_group", without_messages},
                  {"-collective_operation_group", without_collectives},
                  {"-access_epoch_group", without_access_epochs},
                  {"-lock_operation_group", without_locks}};
  const char* text = getenv("ANDES_EVENTS");
  if (!text) return;
  for (const auto& event : named)
    if (lists(text, event.name)) settings.logged_calls |= event.calls;
  for (const auto& event : left_out)
    if (lists(text, event.name)) settings.left_out |= event.operations;
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
                 "like \"1500 1.2e10\"; transfer times are measured instead",
                 text);
}

} // namespace

bool call_sites_wanted() { return is(getenv("ANDES_CALL_SITES"), "yes"); }

bool monitor_wanted() { return !is(getenv("ANDES_MONITOR"), "off"); }

MonitorSettings read_settings() {
  MonitorSettings settings;
#define ANDES_NUMBER(type, key, ...) read_number(setting_of(#key), settings.key);
#define ANDES_SWITCH(member, state, key, word, other, ...)                                                             \
  if (is(Variable(setting_of(#key)).text(), other)) settings.member = !settings.member;
#define ANDES_TEXT(key, ...) settings.key = Variable(setting_of(#key)).text();
#define ANDES_OTHER(...)
#include "monitor/interface/settings.def"
  read_events(settings);
  read_transfer(settings);
  const Variable signal(setting_of("snapshot_signal"));
  settings.snapshot_signal = is(signal.text(), "USR1") ? SIGUSR1 : is(signal.text(), "USR2") ? SIGUSR2 : 0;
  return settings;
}

} // namespace andes::monitor
