// What the plug-in uses of GCC, in the order that its headers need. The C++ library's headers come first, since GCC's
// take names away that these use.
#pragma once
#pragma GCC system_header
#include <algorithm>
#include <climits>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

// clang-format off
#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <ggc.h>
#include <tree-pass.h>
#include <function.h>
#include <basic-block.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <gimple-expr.h>
#include <gimplify.h>
#include <tree-iterator.h>
#include <fold-const.h>
#include <omp-general.h>
#include <cgraph.h>
#include <alloc-pool.h>
#include <symbol-summary.h>
#include <tree-nested.h>
#include <cfgloop.h>
#include <context.h>
#include <diagnostic.h>
#include <input.h>
#include <langhooks.h>
#include <options.h>
#include <opts.h>
#include <toplev.h>
#include <stringpool.h>
#include <attribs.h>
#include <tree-cfg.h>
#include <tm.h>
#include <tm_p.h>
#include <stor-layout.h>
#include <varasm.h>
// clang-format on
