// Match: what something of one build of a program was in an older one, and how sure that is (identity.h).
#pragma once
#include <string>

namespace andes::postproc {

/// By what something was matched. All but `same` are guesses.
enum class Likeness {
  same,
  file, // of equal name, in another file
  arguments, // of equal name but for template arguments or parameters
  scope, // of equal name in another scope
  renamed, // of another name
  order, // of several that names do not tell apart: by their order and content
  split, // a call path: in a function that is new, or that vanished
  moved, // a call path: called by another function
  below // a call path: of a caller that is a guess
};
/// As in JSON: `renamed`.
const char* name_of(Likeness likeness);

struct Match {
  int older = -1; // number in the older build; -1: it is new
  Likeness by = Likeness::same;
  std::string reason; // why it is taken for the same; empty: by name, file and place

  bool is_guess() const { return by != Likeness::same; }
};

} // namespace andes::postproc
