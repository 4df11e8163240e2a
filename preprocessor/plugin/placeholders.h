// Calls that stand for both halves of a block's probe while it is not decided whether there will be one: from the front
// end's trees to the control flow graph, past the lowering of OpenMP, which makes functions of some blocks.
#pragma once
#include "preprocessor/plugin/gcc.h"

namespace andes::preprocessor::plugin {

/// The half that enters, or the one that leaves.
enum class Half { enter, leave };

tree placeholder(Half half, unsigned id);

struct FoundHalf {
  Half half = Half::enter;
  unsigned id = 0;
};

/// Which placeholder a statement is; nothing: none.
std::optional<FoundHalf> is_placeholder(const gimple* statement);

} // namespace andes::preprocessor::plugin
