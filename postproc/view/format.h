// Format: one output format of a command, declared once, in the list of the command's formats (formats.h) or in a file
// of export/. From the list follow `--format NAME`, the short form `--NAME`, help, man page and completions, and which
// function writes the results.
#pragma once
#include <string>
#include <vector>

#include "postproc/view/terminal.h"

namespace andes::postproc {

/// What the command line needs to know of a format.
struct FormatName {
  const char* name = "";
  const char* sentence = ""; // what the help says of it; of the first one, which is the default, nothing
  bool is_binary = false;    // bytes, which a terminal does not get
};

template <class Results> struct Format {
  FormatName name;
  /// The whole text, or the bytes.
  std::string (*write)(const Terminal& terminal, const Results& results) = nullptr;
};

/// The first is the default.
template <class Results> using Formats = std::vector<Format<Results>>;

template <class Results> std::vector<FormatName> names_of(const Formats<Results>& formats) {
  std::vector<FormatName> names;
  for (const Format<Results>& format : formats) names.push_back(format.name);
  return names;
}

/// Writes to standard output; bytes never to a terminal. Throws Refusal when that fails.
void print_as(const FormatName& format, const std::string& text);

/// Prints the results in the format of this name.
template <class Results>
void print_as(const std::string& name, const Formats<Results>& formats, const Results& results) {
  for (const Format<Results>& format : formats)
    if (format.name.name == name) print_as(format.name, format.write(standard_output(), results));
}

} // namespace andes::postproc
