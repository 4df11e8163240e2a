// Settings that the monitor reads, one ANDES_<KEY> variable each, flat: `andes run` checks them,
// merges command line, environment and --config file, and hands them over. One list for the
// monitor, for `andes run` and for the test that loads configs/andes.info.
#pragma once
#include <cstddef>

namespace andes {

/// What a number may be, ends included.
struct Range {
  double low = 0, high = 0;
  constexpr bool holds(double number) const { return number >= low && number <= high; }
};

struct Setting {
  const char* key;     // as in the settings file; the variable is ANDES_<KEY in capitals>
  const char* fallback;
  const char* values;  // "number", "whole number", "text", or the words allowed, separated by |; several of them
                       // where this begins with "list of "
  const char* meaning;
  Range range = {};    // of a number
};

inline constexpr Setting monitor_settings[] = {
    {"monitor", "on", "on|off", "off: the program runs as if andes were not there"},
    {"out", "", "text", "name of the run file: %x program, %p ranks, %j batch job, %u unique"},
    {"measured_from", "init", "init|start", "where the measured interval begins: return of MPI_Init, or process start"},
    {"recursion", "folded", "folded|full", "folded: a recursive call counts in its first occurrence; full: every depth has its call path"},
    {"clock", "auto", "auto|monotonic", "auto: the processor's time stamp counter where that is safe; monotonic: the kernel's clock"},
    {"budget_percent", "1", "number", "cost of probes allowed, in per cent of the wall time; 0: every visit is timed", {0, 100}},
    {"windows", "on", "on|off", "on: functions too hot even to count are seen in short windows at random moments; off: all visits are counted, whatever it costs"},
    {"window_thread", "on", "on|off", "on: a thread of the monitor's own opens windows, once there are any; off: probes and MPI calls do, where they come often enough"},
    {"call_sites", "no", "no|yes", "yes: MPI calls are told apart by the function and line that call them"},
    {"tree_mb", "8", "number", "memory for the call trees of a rank, in MB; what does not fit is summed in one node", {1, 1e5}},
    {"node_limit", "65536", "whole number", "call paths of a thread, and of the run; more are summed in nodes named so", {16, 1 << 24}},
    {"depth_limit", "1024", "whole number", "depth of the call tree; what is deeper is summed in the same node", {1, 1 << 20}},
    {"phase_limit", "100", "whole number", "steps of a phase, in one call path, that are call paths of their own; more are summed in one (docs/interface.md)", {0, 10000}},
    {"table_values", "20000", "whole number", "per-location values kept as a plain table; more become compressed columns", {0, 1e12}},
    {"columns_mb", "64", "number", "per-location values kept in the run file, in MB before compression; beyond it statistics and the most telling ranks", {0, 1e6}},
    {"log_mb", "32", "number", "memory for the log of a rank's messages and collectives, in MB; beyond it a sample is kept; 0: no log, no wait states", {0, 1e5}},
    {"rules", "", "text", "a file of rules of your own, applied after those that come with andes (docs/rules.md)"},
    {"events", "", "list of function_call_blocking_send_operation|function_call_non_blocking_send_operation|function_call_blocking_receive_operation|function_call_non_blocking_receive_operation|function_call_request_handling|function_call_collective_operation", "simple events that rules want to see with all their calls, MPI_..._init too, in a list (docs/rules.md)"},
    {"transfer", "", "text", "expected transfer of messages, LATENCY_NS BYTES_PER_S, for the bounds of overlap; empty: measured at the end"},
    {"counters", "", "text", "events to count by PAPI for each call path and thread, in a list, such as PAPI_TOT_INS,PAPI_TOT_CYC; empty: none"},
    {"papi_library", "", "text", "PAPI's library, if it is none of those that are found by themselves"},
    {"arena", "", "text", "directory for the files that keep what was measured if a program is killed; empty: /dev/shm, else $TMPDIR or /tmp; none: no files"},
    {"snapshot_signal", "none", "none|USR1|USR2", "signal by which a rank stamps a snapshot of itself, as MPI_Pcontrol(2) does"},
    {"gather_timeout_s", "600", "number", "longest wait for other ranks at the end, in seconds", {0, 1e6}},
    {"snapshot_s", "0", "number", "andes run makes a run file of the running program every so many seconds; 0: none (docs/live.md)", {0, 1e6}},
};

/// Place of a key of the list, at compile time: a key that is none does not compile.
consteval std::size_t setting_of(const char* key) {
  for (std::size_t i = 0;; ++i) { // beyond the list it is no constant expression
    const char *own = monitor_settings[i].key, *asked = key;
    while (*own && *own == *asked) ++own, ++asked;
    if (*own == *asked) return i;
  }
}

/// The default of a setting that is a number in decimal digits, perhaps with a point.
consteval double default_of(const char* key) {
  double value = 0, digit_value = 1;
  bool behind_point = false;
  for (const char* c = monitor_settings[setting_of(key)].fallback; *c; ++c) {
    if (*c == '.') {
      behind_point = true;
      continue;
    }
    if (behind_point) digit_value /= 10;
    value = behind_point ? value + (*c - '0') * digit_value : 10 * value + (*c - '0');
  }
  return value;
}

/// Variables that andes itself hands from process to process; not settings, never to be edited:
/// ANDES_PID (the process to measure even without MPI), ANDES_LIB (directory of the libraries), ANDES_JOB (name of
/// the job, which its arenas lie under).
} // namespace andes
