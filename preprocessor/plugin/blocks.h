// Parts of a procedure that may become regions: marked statements, DO loops, constructs of OpenMP. They are found in
// the trees that the front end has made, before these become a control flow graph, since there statements still stand
// one in another. Which of them get a probe is decided later (plugin.cc); meanwhile calls that stand for both halves of
// a probe keep the places (placeholders.h).
#pragma once
#include <vector>

#include "preprocessor/pipeline.h"
#include "preprocessor/plugin/gcc.h"
#include "preprocessor/plugin/work.h"

namespace andes::preprocessor::plugin {

struct FoundBlock {
  Block facts; // without `function`
  Work round; // of a loop with a known number of iterations: one of them
  unsigned id = 0; // of its placeholders; 0: it has none
};

/// The blocks in the current function, in the order of the text. Each that can have a probe gets placeholders, whose
/// numbers are `next_id` and up. `name`: the function's. Loops are left alone unless `loops`.
std::vector<FoundBlock> find_blocks(tree function, const std::string& name, bool loops, unsigned& next_id);

/// What is wrong with marks, by file, line and fact; to be asked when all functions have been looked at.
std::vector<std::string> complaints_about_marks();

} // namespace andes::preprocessor::plugin
