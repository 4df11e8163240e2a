// The output formats of a command: `--format NAME`, and for each but text the short form `--NAME`. A format is declared
// by the command that has it, by its name.
#pragma once
#include <initializer_list>
#include <string>

namespace CLI {
class App;
}

namespace andes::postproc {

/// A format that a command has besides text, and what its help says of it.
struct OtherFormat {
  std::string name;
  const char* description;
};

/// Adds the options; `format`, which is "text" before, gets the name of the chosen one. It must live as long as the
/// command.
void add_format(CLI::App& command, std::string& format, std::initializer_list<OtherFormat> others);

} // namespace andes::postproc
