// Reading, checking and merging settings.
#include "common/settings.h"

#include <algorithm>
#include <boost/property_tree/info_parser.hpp>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

#include "common/message.h"
#include "common/nearest.h"
#include "monitor/interface/build_session.h"

namespace andes {
namespace {

constexpr const char* prefix = "ANDES_";
/// Variables that are no settings: they are passed from process to process, locate an installation, or are of views.
constexpr const char* internal[] = {
    "ANDES_PAGER",          "ANDES_PID",           "ANDES_LIB",           "ANDES_JOB",
    build_file_variable,    "ANDES_ROOT",          "ANDES_DIR",           build_library_variable,
    build_program_variable, build_record_variable, build_reader_variable, build_compiler_variable};

std::string to_lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<std::string> keys_of(const SettingList& list) {
  std::vector<std::string> keys;
  for (const Setting& setting : list.settings) keys.emplace_back(setting.key);
  return keys;
}

const SettingList& other_than(const SettingList& list) { return &list == &monitor_list ? build_list : monitor_list; }

using Spelling = std::string (*)(const std::string&);

/// Refuses an unknown key. `source` is what the message begins with, `shown` the key as the user
/// wrote it and `as_written` turns a key of the list into the same spelling.
const Setting& known(const SettingList& list, const std::string& source, const std::string& shown,
                     const std::string& key, Spelling as_written) {
  if (const Setting* setting = find_setting(key, list)) return *setting;
  const SettingList& other = other_than(list);
  if (find_setting(key, other))
    refuse(fmt::format("{}{}", source, shown), fmt::format("a setting of {}", other.belongs),
           fmt::format("give it there ({} lists all)", other.explained));
  const std::string near = nearest_setting(key, list);
  if (near.empty())
    refuse(fmt::format("{}{}", source, shown), "unknown setting", fmt::format("{} lists all", list.explained));
  refuse(fmt::format("{}{}", source, shown), "unknown setting",
         fmt::format("did you mean {}? ({} lists all)", as_written(near), list.explained));
}

/// Whether `text` is a number of the range and nothing else.
bool is_number(const std::string& text, bool whole, const Range& range) {
  const char* end = text.data() + text.size();
  long long integer = 0;
  double real = 0;
  const auto [stopped, error] =
      whole ? std::from_chars(text.data(), end, integer) : std::from_chars(text.data(), end, real);
  if (whole) real = static_cast<double>(integer);
  return error == std::errc() && stopped == end && range.holds(real);
}

std::string same(const std::string& key) { return key; }

} // namespace

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

void check_value(const std::string& object, const Setting& setting, const std::string& value) {
  std::string_view allowed = setting.values;
  if (constexpr std::string_view list = "list of "; allowed.substr(0, list.size()) == list) {
    allowed.remove_prefix(list.size());
    const std::string one_of(allowed);
    for (const std::string& word : words_of(value)) check_value(object, {"", "", one_of.c_str(), "", {}}, word);
    return;
  }
  if (allowed == "text") return;
  if (allowed == "number" || allowed == "whole number") {
    if (!is_number(value, allowed == "whole number", setting.range))
      refuse(object,
             fmt::format("\"{}\" is not a {} from {} to {}", value, allowed, setting.range.low, setting.range.high),
             fmt::format("give one like {}", setting.fallback));
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
  refuse(object, fmt::format("\"{}\" is not allowed", value), fmt::format("give {}", choices));
}

const Setting* find_setting(const std::string& key, const SettingList& list) {
  for (const Setting& setting : list.settings)
    if (key == setting.key) return &setting;
  return nullptr;
}

std::string nearest_setting(const std::string& key, const SettingList& list) {
  const std::vector<std::string> keys = keys_of(list);
  if (const std::string near = nearest(key, keys); !near.empty()) return near;
  const auto lacks_unit = [&](const std::string& one) { return one.starts_with(key + "_"); };
  return std::ranges::count_if(keys, lacks_unit) == 1 ? *std::ranges::find_if(keys, lacks_unit) : "";
}

std::string variable_of(const std::string& key) {
  std::string name = prefix;
  for (unsigned char c : key) name += static_cast<char>(std::toupper(c));
  return name;
}

std::string option_of(const std::string& key) {
  std::string option = "--" + key;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

Settings read_settings_file(const std::string& path, const SettingList& list) {
  std::ifstream file(path);
  if (!file) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)), "--config takes a settings file");
  boost::property_tree::ptree tree;
  try {
    boost::property_tree::read_info(file, tree);
  } catch (const boost::property_tree::info_parser_error& error) {
    refuse(fmt::format("{}:{}", path, error.line()), error.message(), "a line reads: KEY VALUE ; comment");
  }
  Settings result;
  for (const auto& [key, node] : tree) {
    const Setting& setting = known(list, path + ": ", key, key, same);
    const std::string object = path + ": " + key;
    if (!node.empty()) refuse(object, "has nested entries", "give one value");
    check_value(object, setting, node.data());
    if (!result.emplace(key, node.data()).second) refuse(object, "given twice", "keep one of the lines");
  }
  return result;
}

Settings read_settings_environment(const char* const* environment, const SettingList& list) {
  Settings result;
  for (; *environment; ++environment) {
    const std::string entry = *environment;
    const std::size_t equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    if (name.rfind(prefix, 0) != 0 || equals == std::string::npos) continue;
    if (std::find(std::begin(internal), std::end(internal), name) != std::end(internal)) continue;
    const std::string key = to_lower(name.substr(std::strlen(prefix)));
    if (find_setting(key, other_than(list))) continue;
    const bool unlike_any = !find_setting(key, list) && nearest(key, keys_of(list)).empty();
    if (list.lenient && (unlike_any || equals + 1 == entry.size())) continue;
    const Setting& setting = known(list, "", name, key, variable_of);
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
    if (equals == std::string::npos) refuse(fmt::format("--set {}", word), "no value", "write --set KEY=VALUE");
    const std::string key = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    const Setting& setting = known(monitor_list, "--set ", key, key, same);
    check_value("--set " + key, setting, value);
    if (!result.emplace(key, value).second) refuse(fmt::format("--set {}", key), "given twice", "keep one of them");
  }
  return result;
}

LeadingOptions read_leading_options(const std::vector<std::string>& words, const std::string& command) {
  LeadingOptions options;
  while (options.words < words.size() && words[options.words].rfind('-', 0) == 0) {
    const std::string& word = words[options.words++];
    const std::size_t equals = word.find('=');
    const std::string name = word == "-h" ? "--help" : word.substr(0, equals);
    std::string key = name.substr(name.rfind("--", 0) == 0 ? 2 : 1);
    std::replace(key.begin(), key.end(), '-', '_');
    const Setting* setting = find_setting(key, build_list);
    if (!setting && key != "config" && key != "help") {
      std::vector<std::string> keys = keys_of(build_list);
      keys.emplace_back("config");
      const std::string near = nearest(key, keys);
      const char* usage = command == "cc" ? "COMPILER ARGS" : "-- COMMAND";
      refuse(name, fmt::format("not an option of {}", command),
             near.empty() ? fmt::format("write andes {0} [OPTIONS] {1} (andes {0} --help lists them)", command, usage)
                          : "did you mean " + option_of(near) + "?");
    }
    const bool is_switch = key == "help" || (setting && std::strcmp(setting->values, "off|on") == 0);
    if (equals != std::string::npos) options.said[key] = word.substr(equals + 1);
    else if (is_switch) options.said[key] = "on";
    else if (options.words < words.size()) options.said[key] = words[options.words++];
    else
      refuse(name, "no value",
             fmt::format("write {} VALUE before the {}", name, command == "cc" ? "compiler" : "command"));
    if (setting) check_value(name, *setting, options.said[key]);
  }
  return options;
}

Settings gather_settings(const std::vector<std::string>& words, const char* const* environment,
                         const std::string& config) {
  Settings result = read_settings_words(words);
  result.merge(read_settings_environment(environment)); // merge() keeps existing values
  if (!config.empty()) result.merge(read_settings_file(config));
  return result;
}

std::string value_of(const Settings& said, const std::string& key, const SettingList& list) {
  if (const auto found = said.find(key); found != said.end()) return found->second;
  const Setting* setting = find_setting(key, list);
  return setting ? setting->fallback : "";
}

std::vector<std::string> settings_variables(const Settings& said) {
  std::vector<std::string> result;
  for (const auto& [key, value] : said)
    if (key != "out" && value != find_setting(key)->fallback) result.push_back(variable_of(key) + "=" + value);
  return result;
}

} // namespace andes
