// Settings: the user's settings of the monitor or of a build, from four places, merged into one.
//
// There are two lists of keys: monitor/interface/settings.h (for the monitor, passed on by `andes
// run`) and monitor/interface/build_settings.h (for the preprocessor). A value can come from the
// command line, from ANDES_<KEY> in the environment, from a file in INFO format (--config) or be the
// default, in this order of precedence. Every key and value is checked here, before anything is
// started; the monitor gets the values that differ from the defaults as variables in its environment
// and never reads a file. Both lists share the environment: each ignores the other's variables.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "monitor/interface/build_settings.h"
#include "monitor/interface/settings.h"

namespace andes {

/// A list of keys, with texts for messages about it.
struct SettingList {
  std::span<const Setting> settings;
  const char* explained; // the file that explains every key
  const char* belongs;   // where the settings are given, for those who gave one to the other list
  bool lenient;          // ANDES_ variables that resemble no key, and empty ones, are not errors
};

inline constexpr SettingList monitor_list{monitor_settings, "configs/andes.info", "andes run", false};
inline constexpr SettingList build_list{build_settings, "configs/build.info", "andes cc", true};

/// Explicit values by key. All keys are of the list.
using Settings = std::map<std::string, std::string>;

/// The list's entry for `key`, or null.
const Setting* find_setting(const std::string& key, const SettingList& list = monitor_list);

/// The key of the list that is most like `key`, or the only one that begins with it, as where the unit is left out;
/// empty: none.
std::string nearest_setting(const std::string& key, const SettingList& list = monitor_list);

/// Reads a settings file in INFO format. Throws Refusal: unreadable, unknown key, wrong value.
Settings read_settings_file(const std::string& path, const SettingList& list = monitor_list);

/// Takes ANDES_<KEY> from `environment` ("NAME=VALUE" strings). Throws Refusal likewise; variables
/// of the other list, and those that andes passes from process to process, are ignored.
Settings read_settings_environment(const char* const* environment, const SettingList& list = monitor_list);

/// Reads the words given to --set, each KEY=VALUE. Throws Refusal likewise.
Settings read_settings_words(const std::vector<std::string>& words);

/// Options `--KEY VALUE` or `--KEY=VALUE` of a build, the last of two equal keys counts; "config"
/// and "help" are keys here, too, and switches need no value.
struct LeadingOptions {
  Settings said;
  std::size_t words = 0; // number of words that they took
};

/// Reads the options of `command` (cc or build) before the words of somebody else's command. Throws Refusal likewise.
LeadingOptions read_leading_options(const std::vector<std::string>& words, const std::string& command = "cc");

/// Refuses an invalid value of the setting; `object` is the begin of the message.
void check_value(const std::string& object, const Setting& setting, const std::string& value);

/// All sources of the monitor's settings in their order of precedence; `config` may be empty.
Settings gather_settings(const std::vector<std::string>& words, const char* const* environment,
                         const std::string& config);

/// Value of `key`: the explicit one, or the default.
std::string value_of(const Settings& said, const std::string& key, const SettingList& list = monitor_list);

/// The words of a list, between blanks or commas.
std::vector<std::string> words_of(const std::string& list);

/// The variables to hand to the monitor, "ANDES_<KEY>=VALUE", for all values that are not the
/// default, except `out`, which the caller decides.
std::vector<std::string> settings_variables(const Settings& said);

/// "ANDES_<KEY>" of a key.
std::string variable_of(const std::string& key);

/// "--key" of a key of a build: with - for _.
std::string option_of(const std::string& key);

} // namespace andes
