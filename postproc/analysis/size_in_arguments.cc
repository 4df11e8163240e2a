#include "postproc/analysis/size_in_arguments.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "postproc/analysis/file_identity.h"

namespace andes::postproc {
namespace {

/// Whether it looks like a file's name, beside `place`.
bool is_like_file(std::string text, const std::string& place) {
  for (std::size_t at; (at = text.find(place)) != std::string::npos;) text.erase(at, place.size());
  return text.find_first_of("./") != std::string::npos;
}

/// Whether a text has a word that output is called by: "out-{p}.txt", "--log", "-o".
bool has_word_of_output(const std::string& text) {
  constexpr const char* words[] = {"o",      "out",     "output", "outfile", "log",  "logfile",
                                   "result", "results", "report", "trace",   "dump", "checkpoint"};
  std::string word;
  for (const char c : text + ' ') {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (std::find(std::begin(words), std::end(words), word) != std::end(words)) return true;
    word.clear();
  }
  return false;
}

} // namespace

bool may_be_size(const std::vector<std::string>& arguments, const std::string& place) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.find(place) == std::string::npos) continue;
    const auto equals = argument.find('='); // "--log=run-8.txt"; "results/mesh-8.dat" is no output for where it lies
    if (has_word_of_output(equals == argument.npos ? base_name(argument) : argument.substr(0, equals))) continue;
    const bool is_value = i > 0 && arguments[i - 1].starts_with('-') && arguments[i - 1].find('=') == std::string::npos;
    // A flag may stand before a size: "--log 8".
    if (!is_value || !has_word_of_output(arguments[i - 1]) || !is_like_file(argument, place)) return true;
  }
  return false;
}

} // namespace andes::postproc
