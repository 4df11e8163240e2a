// Merging and converting; the words were checked when they were read.
#include "preprocessor/options.h"

#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/core.h>

namespace andes::preprocessor {
namespace {

std::string variable(const char* const* environment, const std::string& name) {
  for (; *environment; ++environment)
    if (std::strncmp(*environment, name.c_str(), name.size()) == 0 && (*environment)[name.size()] == '=')
      return *environment + name.size() + 1;
  return "";
}

/// A settings file of a build. The name of a selection file is relative to it, since compilers are
/// started in many directories.
Settings read_build_file(const std::string& path) {
  Settings result = read_settings_file(path, build_list);
  const auto select = result.find("select");
  if (select != result.end() && select->second != "all" && select->second != "default")
    select->second = (std::filesystem::path(path).parent_path() / select->second).string();
  return result;
}

} // namespace

Settings all_settings(const Settings& said, const char* const* environment) {
  Settings all = said;
  all.merge(read_settings_environment(environment, build_list)); // merge() keeps existing values
  const auto config = said.find("config");
  const std::string file = config != said.end() ? config->second : variable(environment, build_file_variable);
  if (!file.empty()) all.merge(read_build_file(file));
  return all;
}

Options read_options(const Settings& said, const char* const* environment) {
  const Settings all = all_settings(said, environment);
  const auto value = [&](const char* key) { return value_of(all, key, build_list); };
  using Headers = Options::Headers;
  using Loops = Options::Loops;
  Options options;
  options.select = value("select");
  options.headers = value("headers") == "none"  ? Headers::none
                    : value("headers") == "all" ? Headers::all
                                                : Headers::own;
  options.third_party = words_of(value("third_party"));
  options.hooks = value("hooks") == "on";
  options.loops = value("loops") == "none" ? Loops::none : value("loops") == "all" ? Loops::all : Loops::outer;
  options.openmp = value("openmp") == "on";
  options.reading_server = value("reading_server") == "on";
  return options;
}

std::string value_in_help(const Setting& setting) {
  const std::string_view key = setting.key, values = setting.values;
  if (key == "select") return "all|default|FILE";
  if (values == "off|on") return "";
  return values == "text" ? "NAMES" : setting.values;
}

std::string options_help() {
  std::string text = "Options:\n";
  const auto add = [&](const std::string& option, const std::string& meaning) {
    text += fmt::format("  {:<28}{}\n", option, meaning);
  };
  for (const Setting& setting : build_settings) {
    const std::string value = value_in_help(setting);
    add(option_of(setting.key) + (value.empty() ? "" : " " + value), setting.meaning);
  }
  add("--config FILE", "a settings file (configs/build.info explains all)");
  return text + "Each can also be set in the environment (ANDES_HEADERS=none, and so on; "
                "ANDES_BUILD=FILE for\n"
                "--config). The command line overrides the environment, the environment the file.\n";
}

} // namespace andes::preprocessor
