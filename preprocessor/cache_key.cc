// ccache 4 marks its children by CCACHE_DISABLE, so that they do not ask it in their turn. It takes names in line
// markers for headers. If a name is not a file, ccache does not use its list of headers (direct mode) but hashes the
// whole text, including the name: in this mode nothing is overlooked.
#include "preprocessor/cache_key.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>

#include <unistd.h>

#include <fmt/core.h>

#include "common/message.h"
#include "common/write_all.h"
#include "preprocessor/collect/collect.h"
#include "preprocessor/commands.h"
#include "preprocessor/compiler.h"
#include "preprocessor/own_libraries.h"

namespace andes::preprocessor {
namespace {

std::string key_of(const CompilerCommand& command, const Settings& said, const Selection& selection) {
  std::string all = identity_of("/proc/self/exe") + identity_of(own_library(reader_library));
  for (std::size_t i = 0; i < command.compiler_words; ++i) all += '\n' + identity_of(command.words[i]);
  for (const auto& [key, value] : said) all += fmt::format("\n{}={}", key, value);
  for (const SelectionRule& rule : selection.rules)
    all += fmt::format("\n{:d}{:d}{:d} {}", rule.include, rule.of_file, rule.mangled, rule.pattern);
  return fmt::format("{:016x}", std::hash<std::string>{}(all));
}

} // namespace

bool asks_for_cache_key(const CompilerCommand& command) {
  return std::getenv("CCACHE_DISABLE") && std::ranges::find(command.words, "-E") != command.words.end();
}

int answer_with_key(const std::vector<std::string>& as_written, const CompilerCommand& command, const Settings& said,
                    const Selection& selection) {
  const Ended ended = run(as_written);
  if (!ended.good()) return leave_as(ended);
  const std::string line = fmt::format("# 1 \"andes/{}\"\n", key_of(command, said, selection));
  if (command.output.empty() || command.output == "-") {
    write_all(STDOUT_FILENO, line);
  } else if (!(std::ofstream(command.output, std::ios::binary | std::ios::app) << line).flush()) {
    // Without the line the cache could return objects of another selection.
    say("{}: cannot be written ({}); make room, or set CCACHE_DISABLE", command.output, std::strerror(errno));
    return 1;
  }
  return leave_as(ended);
}

} // namespace andes::preprocessor
