// Settings: what the user says about the monitor, from four places, merged into one.
//
// monitor/interface/settings.h is the one list of keys. A value can come from --set KEY=VALUE, from
// ANDES_<KEY> in the environment, from a file in INFO format (--config) or be the default, in this
// order of precedence. Every key and value is checked here, before anything is started; the
// monitor gets what differs from the defaults flat in its environment and never reads a file.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "monitor/interface/settings.h"

namespace andes {

/// Values by key; only what somebody has said. Keys are those of the list.
using Settings = std::map<std::string, std::string>;

/// The list's entry for `key`, or null.
const Setting* find_setting(const std::string& key);

/// Reads a settings file in INFO format. Throws Refusal: unreadable, unknown key, wrong value.
Settings read_settings_file(const std::string& path);

/// Takes ANDES_<KEY> from `environment` ("NAME=VALUE" strings). Throws Refusal likewise; variables
/// that andes hands from process to process are passed over.
Settings read_settings_environment(const char* const* environment);

/// Reads the words given to --set, each KEY=VALUE. Throws Refusal likewise.
Settings read_settings_words(const std::vector<std::string>& words);

/// All sources in their order of precedence; `config` may be empty.
Settings gather_settings(const std::vector<std::string>& words, const char* const* environment,
                         const std::string& config);

/// Value of `key`: as said, or the default.
std::string value_of(const Settings& said, const std::string& key);

/// The variables to hand to the monitor, "ANDES_<KEY>=VALUE", for all values that are not the
/// default; `out` excepted, which the caller decides.
std::vector<std::string> settings_variables(const Settings& said);

/// "ANDES_<KEY>" of a key.
std::string variable_of(const std::string& key);

} // namespace andes
