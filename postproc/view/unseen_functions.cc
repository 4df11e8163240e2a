#include "postproc/view/unseen_functions.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace andes::postproc {
namespace {

/// With a version behind it, as in `python3.11` or `octave-cli-8.4.0`.
bool is_called(const std::string& program, std::string_view name) {
  return program.starts_with(name) && program.find_first_not_of("-0123456789.", name.size()) == std::string::npos;
}

bool runs_scripts(const std::string& program) {
  constexpr std::string_view names[] = {"R",    "Rscript", "julia", "octave", "octave-cli", "octave-gui",
                                        "perl", "ruby",    "lua",   "tclsh",  "bash",       "dash"};
  return std::ranges::any_of(names, [&](std::string_view name) { return is_called(program, name); });
}

} // namespace

std::string remedy_for_unseen_functions(const Report& report) {
  const std::string program = std::filesystem::path(report.executable).filename().string();
  const bool has_functions =
      std::ranges::any_of(report.routines, [](const Routine& one) { return one.kind == "function"; });
  if (is_called(program, "python"))
    return has_functions ? "add the functions of installed packages (python3 -m andes --every)"
                         : "run its script by python3 -m andes";
  if (runs_scripts(program)) return fmt::format("build the libraries that {} loads with andes cc", program);
  return has_functions ? "build the rest of it with andes cc" : "build it with andes cc";
}

} // namespace andes::postproc
