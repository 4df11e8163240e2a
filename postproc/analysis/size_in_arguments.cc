#include "postproc/analysis/size_in_arguments.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace andes::postproc {
namespace {

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
    if (arguments[i].find(place) == std::string::npos || has_word_of_output(arguments[i])) continue;
    const bool is_value = i > 0 && arguments[i - 1].starts_with('-') && arguments[i - 1].find('=') == std::string::npos;
    if (!is_value || !has_word_of_output(arguments[i - 1])) return true;
  }
  return false;
}

} // namespace andes::postproc
