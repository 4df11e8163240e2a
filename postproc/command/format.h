// Format: the forms in which a command prints its results. `--format NAME`, and for each but text a short form
// `--NAME`.
#pragma once
#include <initializer_list>

namespace CLI {
class App;
}

namespace andes::postproc {

enum class Format { text, json, csv };

/// A form that a command has besides text, and what the command says of it.
struct OtherFormat {
  Format format;
  const char* description;
};

/// Adds the options; `format`, which stays text without them, must live as long as the command.
void add_format(CLI::App& command, Format& format, std::initializer_list<OtherFormat> others);

} // namespace andes::postproc
