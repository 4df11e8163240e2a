// Puts probes into the control flow graph of a function: its own, with the entry behind the function's and the exit
// before each return, and those of blocks in the place of their placeholders. Both halves are the assembler statements
// of probe.h; the exit stands behind a test whether the visit is measured.
//
// Invariants: the function has its graph, but is not yet in SSA form; no variable of the program is touched; nothing of
// andes is in the debug information.
#pragma once
#include "preprocessor/plugin/gcc.h"

namespace andes::preprocessor::plugin {

/// A region to be: what its site says.
struct SiteFacts {
  std::string name, file;
  unsigned line = 0;
  unsigned kind = 0; // enum andes_kind
};

/// Whether code of this compilation can have probes (x86-64, with assembler of AT&T's form).
bool can_insert();

/// Puts a probe into the current function, `cfun`.
void insert_probe(const SiteFacts& facts);

/// Replaces the placeholders in the current function: by the probes of these sites, by number, or by nothing. Returns
/// whether there were any.
bool replace_placeholders(const std::map<unsigned, SiteFacts>& sites);

/// Makes the half that is out of line part of this object; once, if any function has a probe.
void add_support();

} // namespace andes::preprocessor::plugin
