// The preprocessor from one end to the other. Every stage is a free function over plain structs and
// can be tested alone; only main.cc, instrument.cc, and compile.cc with the attempts it makes touch files and
// processes.
//
//   arguments                                              command.h    read_command
//      |  what is compiled, with which flags
//      v
//   the real compiler is asked for its directories         compiler.h   ask_compiler (cached)
//      |  arguments for Clang
//      v
//   Clang reads the source -> its files, their functions   collect.h    collect
//      |  Function: name, line, where its body opens, what stands against a probe; Block
//      v
//   a decision for each, with its reason                   decide_blocks.h decide_all  <- selection.h
//      |  Decision
//      v
//   each file's text -> text, lines and columns unchanged  edit.h       probes, edit
//      |
//      v
//   a file (andes instrument), or copies of the source and the headers on the way to a probe
//      |                                                   copies.h     copies_of
//      v
//   a compilation of the copies (andes cc); if that fails  attempts.h   compile_by_attempts
//   others, down to the command as written
//      |
//      v
//   messages, dependency files and debug information       copy_traces.h, copy_command.h
//   with the user's names
//
// Invariants: only preprocessor/collect uses Clang; whatever fails on the way, the program is built
// as without andes.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace andes::preprocessor {

/// Why a function cannot have a probe, whatever the user selects. Determined by collect.
enum class Obstacle {
  none,
  constant, // constexpr or consteval
  constant_lambda, // a lambda that a constant expression may call
  coroutine,
  macro, // its body opens inside a macro expansion
  naked,
  no_instrument,
  vfork,
  ifunc_resolver,
  musttail,
  target, // compiled for another instruction set, or in several versions
  device, // OpenMP target or CUDA code
  declare_simd,
  interrupt,
  allocator, // malloc and similar functions: the monitor may call them while it enters a region
  defaulted,
  deleted,
  no_status, // main that may end without a value: a probe would change the exit status
  pure, // Fortran: PURE or ELEMENTAL
};

/// An operand of a directive: bytes [begin, end) of its file, quotes or brackets included.
struct Operand {
  std::size_t begin = 0, end = 0;
  std::string path; // the file it leads to; empty: none
  bool system = false; // the file is a system header
  std::size_t next = 0; // where the word ends if it is include_next or __has_include_next;
      // 0: it is another
};

/// A directive that includes a file.
struct Inclusion {
  Operand operand;
  unsigned target = 0; // the file entered, or, if a guard skips it, its first entry
  bool beside = false; // found in the directory of the file with the directive, by "..."
};

/// One entry into a file: a header included twice gives two of these, since macros may have changed
/// meanwhile.
struct File {
  std::string path; // as Clang opened it
  std::string name; // as the user's compiler names it
  unsigned first = 0; // index of the first entry into the same file on disk
  int includer = -1; // -1: the source itself, or forced by an option
  bool own = false; // its functions are candidates for probes
  bool system = false; // the compiler treats it as a system header
  bool again = false; // not entered: found under another path, and guarded, when `first` was read
  std::vector<Inclusion> inclusions;
  std::vector<Operand> tests; // other operands that lead beside the file: of __has_include, #embed
      // and of inclusions under conditions that do not hold for Clang
  std::size_t guard_end = 0; // of a file with an include guard: where the line of its #ifndef ends
};

/// A call, or an end of a branch, in the order of the text: which calls a visit may do without.
struct Step {
  enum class Kind {
    call,
    unknown_call, // of code whose work is not known
    branch, // one of two ways begins
    otherwise, // it ends, and the other one begins
    end // of both
  } kind = Kind::call;
  unsigned function = 0; // called, of this source, by index
};

/// The work in a call of a function, estimated from its text: collect/work.h defines the counts.
struct Effort {
  unsigned operations = 0; // of its own body
  bool loops = false; // has loops with an unknown number of iterations
  bool unseen = true; // calls functions without a body in this source, or is not known itself
  std::vector<unsigned> calls; // functions of this source by index, once for each call of a visit
  bool marked_inline = false; // by the keyword, always_inline, or its place in a class
  bool mpi = false; // calls MPI itself
  bool constructs = false; // has constructs of OpenMP
  bool counted = false; // has loops with a known number of iterations: `operations` includes all of them
  bool always_inline = false; // by the attribute
  bool is_template = false; // itself, or a member of one
  bool local = false; // only this source can call it, by its name
  bool is_virtual = false; // may be called through a virtual table
  bool scans = false; // has short search loops; `operations` includes some iterations of them
  unsigned size = 0; // operations in its text, each counted once
  bool expression = false; // a template or lambda that only returns the value of an expression
  bool statement = false; // a template or lambda with one statement, an expression
  std::vector<unsigned> places{}; // as `calls`, once for each call in the text
  bool long_loops = false; // has loops of unknown length that nothing inside ends: see collect/loops.h
  double likely = 0; // as Expected::operations, with calls of short members of the library's containers
  bool obscure = true; // calls other code whose work is not known
  bool guessed = false; // all such calls are through pointers, most likely of functions of its file (Expected::calls)
  std::vector<Step> steps{};
};

/// The name by which a function is known in other sources: its signature, in C its name. (In Fortran:
/// Function::symbol.)
inline const std::string& linked_name(const std::string& name, const std::string& signature) {
  return signature.empty() ? name : signature;
}

/// What a call of a function is expected to do, to divide measured time: operations as in `Effort`, but those of a loop
/// count for each iteration, or 8 times where the number of iterations is not known.
struct Expected {
  struct Call {
    unsigned function = 0; // of this source, by index
    double times = 0;
    unsigned among = 1; // functions of this file that a call through a pointer may mean: `times` is a part of its calls
  };
  struct FarCall {
    std::string function; // of the program, but without a body in this source: its linked_name, or symbol
    double times = 0;
  };
  double operations = 0; // of its own body
  std::vector<Call> calls; // one for each place in the text
  std::vector<FarCall> far_calls;
  bool unknown = true; // it also calls code whose work is not known: of libraries, through pointers
};

/// A function definition, as plain data.
struct Function {
  std::string name; // as in a call tree for users: Grid::step, main::{lambda:12}
  std::string signature; // the same with its parameters, whether overloaded or not; empty in C
  std::vector<std::string> mangled; // names the linker may see; only if a selection needs them
  std::string file; // as diagnostics name it (#line counts)
  unsigned line = 0; // of its name, as diagnostics give it; a lambda's: of its introducer
  unsigned column = 0;
  unsigned in = 0; // index in Source::files of the file with its text
  std::size_t body = 0; // offset in that file of the byte after the opening brace
  unsigned body_line = 0; // line of the opening brace, as diagnostics give it
  Obstacle obstacle = Obstacle::none;
  bool maybe_constant = false; // a lambda that C++ makes constexpr by itself
  std::vector<unsigned> calls; // functions of this source that it calls, by index
  std::vector<unsigned> tail_calls; // of these, functions that it calls last, where the compiler may jump
  bool dispatches = false; // its last call is through a pointer that may lead back to it
  bool in_construct = false; // a lambda, or of a local class, in a construct of OpenMP: see Block
  Effort effort;
  Expected expected;
  bool is_external = false; // other sources may call it by its name, but have no body of it
  bool is_main = false; // where the program begins; in Fortran whatever its name
  std::string symbol; // Fortran: by which other sources know it
};

/// A part of a function that may become a region: a loop, a statement marked by a pragma, or an OpenMP
/// construct.
struct Block {
  enum class Kind {
    loop,
    region, // marked
    phase, // marked as a step
    parallel,
    workshare,
    task,
    critical,
    wait, // a barrier or taskwait
    left, // an OpenMP directive that is not changed
  } kind = Kind::loop;
  std::string name; // solve::{loop:14}, the text of the mark, or the words of the directive
  std::string file; // as diagnostics name it
  unsigned line = 0; // of the loop, of the mark, or of the directive
  unsigned column = 0;
  unsigned function = 0; // index of the function that contains it
  unsigned around = 0; // line of the enclosing loop in the function; 0: none
  std::optional<std::size_t> same; // a loop's OpenMP construct, by index: both are the same statement
  std::string obstacle; // why it cannot have a probe, whatever the user selects; empty: it can
  bool calls_last = false; // it may contain the function's last call
  unsigned rounds = 0; // iterations of a loop; 0: not known
  Effort effort; // of one iteration
  unsigned in = 0; // its file, by index in Source::files
  std::size_t open = 0, close = 0; // offsets in that file: its begin, and the byte after it
  unsigned open_line = 0, close_line = 0; // as diagnostics give them
  bool opens_below = false, closes_below = false; // these are ends of directives: the brace goes to
      // a line of its own, the next one
  bool in_construct = false; // of OpenMP, whose clauses may demand that variables are listed
};

/// Whether it is an OpenMP construct.
constexpr bool is_construct(Block::Kind kind) { return kind >= Block::Kind::parallel; }

/// A mark `#pragma andes ...`; copies do not contain it.
struct Mark {
  unsigned in = 0; // its file, by index in Source::files
  std::size_t begin = 0, end = 0; // offsets of its # and of the end of its line
  unsigned continued = 0; // newlines between: lines that end in a backslash
};

/// The parts of a source that may become regions.
struct Regions {
  std::vector<Function> functions; // by file, and within a file in the order of its text
  std::vector<Block> blocks; // in these functions, outer ones before those inside
  std::vector<Mark> marks;
  std::vector<std::string> complaints; // "FILE:LINE: fact; remedy" for each invalid mark
};

/// The decision about a function or a block.
struct Decision {
  bool probe = false;
  std::string reason; // why it gets no probe; empty with a probe, and for loops without a request
  std::optional<unsigned> operations{}; // of a small function whose work is known, including all its callees
};

struct Decisions {
  std::vector<Decision> functions, blocks; // one each, in the same order
};

} // namespace andes::preprocessor
