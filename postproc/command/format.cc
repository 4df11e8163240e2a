#include "postproc/command/format.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace andes::postproc {
void add_format(CLI::App& command, std::string& format, std::initializer_list<OtherFormat> others) {
  std::vector<std::string> known = {"text"};
  std::vector<CLI::Option*> options;
  for (const OtherFormat& other : others) {
    known.push_back(other.name);
    options.push_back(command.add_flag_callback(
        "--" + known.back(), [&format, name = other.name] { format = name; }, other.description));
  }
  const auto is_known = [known](const std::string& name) {
    const bool found = std::find(known.begin(), known.end(), name) != known.end();
    return found ? std::string() : fmt::format("{} is not an output format; give {}", name, fmt::join(known, " or "));
  };
  options.push_back(command
                        .add_option_function<std::string>(
                            "--format", [&format](const std::string& name) { format = name; },
                            "Output format; --NAME is short for it")
                        ->check(is_known)
                        ->type_name(fmt::format("{}", fmt::join(known, "|"))));
  for (auto one = options.begin(); one != options.end(); ++one)
    for (auto before = options.begin(); before != one; ++before) (*one)->excludes(*before);
}

} // namespace andes::postproc
