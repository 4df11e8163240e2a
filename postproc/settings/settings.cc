// Reading, checking and merging settings.
#include "postproc/settings/settings.h"

#include <algorithm>
#include <boost/property_tree/info_parser.hpp>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string_view>

#include "postproc/launch/message.h"
#include "postproc/launch/nearest.h"

namespace andes {
namespace {

constexpr const char* prefix = "ANDES_";
constexpr const char* internal[] = {"ANDES_PID", "ANDES_LIB"};

std::string to_lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<std::string> all_keys() {
  std::vector<std::string> keys;
  for (const Setting& setting : settings) keys.emplace_back(setting.key);
  return keys;
}

/// Refuses an unknown key. `source` is what the message begins with, `shown` the key as the user
/// wrote it and `as_written` turns a key of the list into the same spelling.
const Setting& known(const std::string& source, const std::string& shown, const std::string& key,
                     std::string (*as_written)(const std::string&)) {
  if (const Setting* setting = find_setting(key)) return *setting;
  const std::string near = nearest(key, all_keys());
  if (near.empty()) refuse("{}{}: unknown setting; configs/andes.info lists all", source, shown);
  refuse("{}{}: unknown setting; did you mean {}? (configs/andes.info lists all)", source, shown,
         as_written(near));
}

/// Whether `text` is a number from zero on and nothing else.
bool is_number(const std::string& text, bool whole) {
  const char* end = text.data() + text.size();
  long integer = 0;
  double real = 0;
  const auto [stopped, error] = whole ? std::from_chars(text.data(), end, integer)
                                      : std::from_chars(text.data(), end, real);
  return error == std::errc() && stopped == end && integer >= 0 && real >= 0 && std::isfinite(real);
}

/// The words of a list, between blanks or commas.
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  constexpr const char* between = ", \t";
  for (std::size_t at = list.find_first_not_of(between); at != std::string::npos;) {
    const std::size_t end = list.find_first_of(between, at);
    words.push_back(list.substr(at, end - at));
    at = list.find_first_not_of(between, end);
  }
  return words;
}

/// Refuses a value that the setting cannot have; `object` names key and source.
void check_value(const std::string& object, const Setting& setting, const std::string& value) {
  std::string_view allowed = setting.values;
  if (constexpr std::string_view list = "list of "; allowed.substr(0, list.size()) == list) {
    allowed.remove_prefix(list.size());
    const std::string one_of(allowed);
    for (const std::string& word : words_of(value)) check_value(object, {"", "", one_of.c_str(), ""}, word);
    return;
  }
  if (allowed == "text") return;
  if (allowed == "number" || allowed == "whole number") {
    if (!is_number(value, allowed == "whole number"))
      refuse("{}: \"{}\" is not a number; give a {} like {}", object, value, allowed,
             setting.fallback);
    return;
  }
  std::string choices;
  for (std::string_view rest = allowed; !rest.empty();) {
    const std::size_t bar = rest.find('|');
    const std::string_view word = rest.substr(0, bar);
    if (word == value) return;
    choices += (choices.empty() ? "" : " or ") + std::string(word);
    rest.remove_prefix(bar == std::string_view::npos ? rest.size() : bar + 1);
  }
  refuse("{}: \"{}\" is not allowed; give {}", object, value, choices);
}

std::string same(const std::string& key) { return key; }

} // namespace

const Setting* find_setting(const std::string& key) {
  for (const Setting& setting : settings)
    if (key == setting.key) return &setting;
  return nullptr;
}

std::string variable_of(const std::string& key) {
  std::string name = prefix;
  for (unsigned char c : key) name += static_cast<char>(std::toupper(c));
  return name;
}

Settings read_settings_file(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    refuse("{}: cannot be read: {}; --config takes a settings file", path, std::strerror(errno));
  boost::property_tree::ptree tree;
  try {
    boost::property_tree::read_info(file, tree);
  } catch (const boost::property_tree::info_parser_error& error) {
    refuse("{}:{}: {}; a line reads: KEY VALUE ; comment", path, error.line(), error.message());
  }
  Settings result;
  for (const auto& [key, node] : tree) {
    const Setting& setting = known(path + ": ", key, key, same);
    const std::string object = path + ": " + key;
    if (!node.empty()) refuse("{}: has entries of its own; give one value", object);
    check_value(object, setting, node.data());
    if (!result.emplace(key, node.data()).second)
      refuse("{}: given twice; keep one of the lines", object);
  }
  return result;
}

Settings read_settings_environment(const char* const* environment) {
  Settings result;
  for (; *environment; ++environment) {
    const std::string entry = *environment;
    const std::size_t equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    if (name.rfind(prefix, 0) != 0 || equals == std::string::npos) continue;
    if (std::find(std::begin(internal), std::end(internal), name) != std::end(internal)) continue;
    const Setting& setting =
        known("", name, to_lower(name.substr(std::strlen(prefix))), variable_of);
    const std::string value = entry.substr(equals + 1);
    check_value(name, setting, value);
    result[setting.key] = value;
  }
  return result;
}

Settings read_settings_words(const std::vector<std::string>& words) {
  Settings result;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) refuse("--set {}: no value; write --set KEY=VALUE", word);
    const std::string key = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    const Setting& setting = known("--set ", key, key, same);
    check_value("--set " + key, setting, value);
    if (!result.emplace(key, value).second) refuse("--set {}: given twice; keep one of them", key);
  }
  return result;
}

Settings gather_settings(const std::vector<std::string>& words, const char* const* environment,
                         const std::string& config) {
  Settings result = read_settings_words(words);
  result.merge(read_settings_environment(environment)); // merge keeps what is there already
  if (!config.empty()) result.merge(read_settings_file(config));
  return result;
}

std::string value_of(const Settings& said, const std::string& key) {
  if (const auto found = said.find(key); found != said.end()) return found->second;
  const Setting* setting = find_setting(key);
  return setting ? setting->fallback : "";
}

std::vector<std::string> settings_variables(const Settings& said) {
  std::vector<std::string> result;
  for (const auto& [key, value] : said)
    if (key != "out" && value != find_setting(key)->fallback)
      result.push_back(variable_of(key) + "=" + value);
  return result;
}

} // namespace andes
