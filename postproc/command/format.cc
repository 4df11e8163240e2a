#include "postproc/command/format.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <vector>

namespace andes::postproc {
namespace {

constexpr const char* names[] = {"text", "json", "csv"}; // by number

std::string name_of(Format format) { return names[static_cast<std::size_t>(format)]; }

Format format_of(const std::string& name) {
  return static_cast<Format>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

} // namespace

void add_format(CLI::App& command, Format& format, std::initializer_list<OtherFormat> others) {
  std::vector<std::string> known = {name_of(Format::text)};
  std::vector<CLI::Option*> options;
  for (const OtherFormat& other : others) {
    known.push_back(name_of(other.format));
    options.push_back(command.add_flag_callback(
        "--" + known.back(), [&format, is = other.format] { format = is; }, other.description));
  }
  const auto is_known = [known](const std::string& name) {
    const bool found = std::find(known.begin(), known.end(), name) != known.end();
    return found ? std::string() : fmt::format("{} is not an output format; give {}", name, fmt::join(known, " or "));
  };
  options.push_back(command
                        .add_option_function<std::string>(
                            "--format", [&format](const std::string& name) { format = format_of(name); },
                            "Output format; --NAME is short for it")
                        ->check(is_known)
                        ->type_name(fmt::format("{}", fmt::join(known, "|"))));
  for (auto one = options.begin(); one != options.end(); ++one)
    for (auto before = options.begin(); before != one; ++before) (*one)->excludes(*before);
}

} // namespace andes::postproc
