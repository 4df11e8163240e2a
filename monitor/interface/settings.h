// The list of settings that the monitor reads (settings.def), one ANDES_<KEY> variable each, flat: `andes run` checks
// them, merges command line, environment and --config file, and hands them over.
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes {

/// The range of a number, ends included.
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
#define ANDES_NUMBER(type, key, fallback, least, most, meaning, ...)                                                   \
  {#key, #fallback, type(0.5) == 0 ? "whole number" : "number", meaning, {least, most}},
#define ANDES_SWITCH(member, state, key, word, other, meaning, ...) {#key, word, word "|" other, meaning},
#define ANDES_TEXT(key, meaning, ...) {#key, "", "text", meaning},
#define ANDES_OTHER(key, fallback, values, least, most, meaning, ...) {#key, fallback, values, meaning, {least, most}},
#include "monitor/interface/settings.def"
};

/// Index of a key in the list, at compile time: an unknown key does not compile.
consteval std::size_t setting_of(const char* key) {
  for (std::size_t i = 0;; ++i) { // beyond the end of the list this is not a constant expression
    const char *own = monitor_settings[i].key, *asked = key;
    while (*own && *own == *asked) ++own, ++asked;
    if (*own == *asked) return i;
  }
}

/// Variables that andes itself hands from process to process; not settings, not to be set by users: ANDES_PID (the
/// process to measure even without MPI), ANDES_LIB (directory of the libraries), ANDES_JOB (name of the job, and
/// of the directory of its arenas).
} // namespace andes
