// The front end's trees as statements: where one is in the source, what stands in it, and where it leads.
#pragma once
#include "preprocessor/plugin/gcc.h"

namespace andes::preprocessor::plugin {

/// A line of a source.
struct Place {
  std::string file;
  unsigned line = 0;
  explicit operator bool() const { return line > 0; }
  friend auto operator<=>(const Place&, const Place&) = default;
};

bool is_loop_of_openmp(tree node);
bool is_construct_of_openmp(tree node);
bool is_for_devices(tree construct);
bool is_atomic(tree node);

/// A call that is a directive: barrier, taskwait and their kin.
bool is_directive_call(tree node);

/// The places in `node` where statements stand.
std::vector<tree*> slots_of(tree node);

/// The statements that stand in such a place.
std::vector<tree> statements_in(tree slot);

/// Where a statement itself is.
Place own_place(tree node);

/// The first place in a statement and those in it.
Place first_place(tree node);

/// Whether statements of a tree are inside and outside of some lines.
struct Sides {
  bool inside = false, outside = false;
};

/// The lines between `begin` and `end`, without these.
struct Lines {
  std::string file;
  unsigned begin = 0, end = 0;
};

/// Where the statements of a function are: behind its declaration, up to a last line (0: unknown).
struct Extent {
  location_t declaration = UNKNOWN_LOCATION;
  unsigned last_line = 0;
};

Extent extent_of(tree function);

/// The sides of some lines. The compiler gives parts of SELECT TYPE and of assignments to strings the place of the
/// function's declaration, or of the end of its module: those count only where a statement has no other.
Sides sides_of(tree node, const Lines& lines, const Extent& extent);

/// The jumps of some statements, and the labels in them.
struct Jumps {
  std::map<tree, unsigned> to; // how often to each label
  std::set<tree> labels;
  bool computed = false;
};

void add_jumps(tree node, Jumps& jumps);

} // namespace andes::preprocessor::plugin
