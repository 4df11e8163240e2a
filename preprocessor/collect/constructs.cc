// Braces go around a directive together with its statement, so that waits at the entry and at the end
// are inside the region. They go behind the directive if other threads do not take part in the
// statement (master), or do not run it at that time (task), or if nothing may stand before the
// directive (section). Nothing is inserted into a directive, or between it and its loop.
#include "preprocessor/collect/constructs.h"

#include <fmt/core.h>

#include "preprocessor/directive_words.h"

namespace andes::preprocessor {

using namespace clang;

Construct construct_of(const OMPExecutableDirective& directive, const Pragma* pragma) {
  Construct construct;
  construct.name = llvm::omp::getOpenMPDirectiveName(directive.getDirectiveKind()).str();
  const DirectiveWord* const word = meaning_of(construct.name);
  if (!word) {
    construct.obstacle = "divides no work";
    return construct;
  }
  if (word->obstacle) {
    construct.obstacle = word->obstacle;
    return construct;
  }
  construct.kind = word->kind;
  construct.name = without_simd(construct.name);
  if (const auto* critical = dyn_cast<OMPCriticalDirective>(&directive))
    if (const std::string name = critical->getDirectiveName().getAsString(); !name.empty())
      construct.name += fmt::format(" ({})", name);
  construct.inside = is_inside(construct.name);
  if (directive.getBeginLoc().isMacroID()) construct.obstacle = "comes from a macro";
  else if (!pragma || !pragma->is_directive) construct.obstacle = "not a line of its own";
  else if (isa<OMPTaskDirective>(directive) && directive.hasClausesOfKind<OMPUntiedClause>())
    construct.obstacle = "untied: it may end on another thread";
  return construct;
}

} // namespace andes::preprocessor
