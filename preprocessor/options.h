// Options of the preprocessor: the user's wishes about probes, from the command line, the
// environment (which a build system can set), a settings file and the defaults, in this order of
// precedence. monitor/interface/build_settings.h is the list of keys; reading and checking them is
// the same as for the monitor's settings (common/settings.h).
#pragma once
#include <string>
#include <vector>

#include "common/settings.h"

namespace andes::preprocessor {

struct Options {
  std::string select = "default"; // default, all or a file: see load_selection
  enum class Headers { none, own, all } headers = Headers::own;
  std::vector<std::string> third_party; // directories of these names hold headers of libraries
  bool hooks = false;                   // use compiler hooks for sources that Clang cannot read
  enum class Loops { none, outer, all } loops = Loops::none;
  bool openmp = true; // OpenMP constructs become regions
  bool reading_server = true; // of andes build (reading_server.h)
};

/// The options that result from what the command line says (`said`, of build_list; "config" names
/// a settings file and comes before ANDES_BUILD) and from `environment` ("NAME=VALUE" strings).
/// Throws Refusal: an unknown key, a wrong value, an unreadable file.
Options read_options(const Settings& said, const char* const* environment);

/// All explicit settings, by the same rules as read_options.
Settings all_settings(const Settings& said, const char* const* environment);

/// What --help names as the value of a setting's option: "none|own|all", "NAMES"; empty for a switch.
std::string value_in_help(const Setting& setting);

/// A line for each option, and notes about all of them, for --help.
std::string options_help();

} // namespace andes::preprocessor
