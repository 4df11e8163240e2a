// The work in a procedure, counted in the trees that the front end has made of it: the same operations as
// collect/work.h counts in C.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/pipeline.h"
#include "preprocessor/plugin/gcc.h"
#include "preprocessor/plugin/type_tables.h"

namespace andes::preprocessor::plugin {

struct Work {
  struct Call {
    std::string linked; // the procedure's name for the linker; empty: the table of a type has it
    double times = 0; // expected in a visit
    unsigned counted = 0; // times in a visit by loops of known length alone
    TableCall by_table;
  };
  Effort effort; // without `calls` and `places`
  Expected expected; // without calls
  std::vector<Call> calls; // one for each place in the text
};

/// The work in a visit of `body`.
Work work_of(tree body);

/// The iterations of a loop with constant bounds that is the statement `last` of the list; 0: not known.
unsigned rounds_of(tree list, tree last);

} // namespace andes::preprocessor::plugin
