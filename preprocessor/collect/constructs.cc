// Braces go around a directive together with its statement, so that waits at the entry and at the end
// are inside the region. They go behind the directive if other threads do not take part in the
// statement (master), or do not run it at that time (task), or if nothing may stand before the
// directive (section). Nothing is inserted into a directive, or between it and its loop.
#include "preprocessor/collect/constructs.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace andes::preprocessor {

using namespace clang;

namespace {

using Kind = Block::Kind;

/// A word of directives and what it means. The first one in a directive decides.
struct Word {
  StringRef word;
  Kind kind;
  const char* obstacle; // of those left alone
};

constexpr const char* few_instructions = "a few instructions";
constexpr const char* jump = "a jump";
constexpr const char* within_a_loop = "part of each iteration of its loop";
constexpr const char* shape = "changes the shape of its loop";

constexpr std::array words{
    Word{"target", Kind::left, "device code"},
    Word{"teams", Kind::left, "made for devices"},
    Word{"distribute", Kind::left, "made for devices"},
    Word{"parallel", Kind::parallel, nullptr},
    Word{"cancellation", Kind::left, jump},
    Word{"cancel", Kind::left, jump},
    Word{"for", Kind::workshare, nullptr},
    Word{"loop", Kind::workshare, nullptr},
    Word{"sections", Kind::workshare, nullptr},
    Word{"section", Kind::workshare, nullptr},
    Word{"single", Kind::workshare, nullptr},
    Word{"scope", Kind::workshare, nullptr},
    Word{"master", Kind::workshare, nullptr},
    Word{"masked", Kind::workshare, nullptr},
    Word{"taskloop", Kind::workshare, nullptr},
    Word{"taskgroup", Kind::workshare, nullptr},
    Word{"task", Kind::task, nullptr},
    Word{"critical", Kind::critical, nullptr},
    Word{"barrier", Kind::wait, nullptr},
    Word{"taskwait", Kind::wait, nullptr},
    Word{"simd", Kind::left, "vector instructions of one thread"},
    Word{"atomic", Kind::left, few_instructions},
    Word{"flush", Kind::left, few_instructions},
    Word{"taskyield", Kind::left, few_instructions},
    Word{"ordered", Kind::left, within_a_loop},
    Word{"scan", Kind::left, within_a_loop},
    Word{"tile", Kind::left, shape},
    Word{"unroll", Kind::left, shape},
    Word{"interchange", Kind::left, shape},
    Word{"reverse", Kind::left, shape},
};

bool has_word(StringRef text, StringRef word) {
  return (" " + text + " ").str().find((" " + word + " ").str()) != std::string::npos;
}

} // namespace

Construct construct_of(const OMPExecutableDirective& directive, const Pragma* pragma) {
  Construct construct;
  construct.name = llvm::omp::getOpenMPDirectiveName(directive.getDirectiveKind()).str();
  const auto word = std::ranges::find_if(words, [&](const Word& one) { return has_word(construct.name, one.word); });
  if (word == words.end()) {
    construct.obstacle = "divides no work";
    return construct;
  }
  if (word->obstacle) {
    construct.obstacle = word->obstacle;
    return construct;
  }
  construct.kind = word->kind;
  if (const auto simd = construct.name.rfind(" simd"); simd != std::string::npos)
    construct.name.erase(simd); // says how a thread does its share
  if (const auto* critical = dyn_cast<OMPCriticalDirective>(&directive))
    if (const std::string name = critical->getDirectiveName().getAsString(); !name.empty())
      construct.name += fmt::format(" ({})", name);
  construct.inside = construct.name == "task" || construct.name == "section" || construct.name == "master" ||
                     construct.name == "masked";
  if (directive.getBeginLoc().isMacroID()) construct.obstacle = "comes from a macro";
  else if (!pragma || !pragma->is_directive) construct.obstacle = "not a line of its own";
  else if (isa<OMPTaskDirective>(directive) && directive.hasClausesOfKind<OMPUntiedClause>())
    construct.obstacle = "untied: it may end on another thread";
  return construct;
}

} // namespace andes::preprocessor
