// Memory of what is known about calls (hidden_frames.h), and calls of real functions below closed ones, in whose frames
// return addresses of calls lie that have returned. What windows make of it, their tests show.
#include "monitor/core/hidden_frames.h"

#include <initializer_list>
#include <memory>
#include <vector>

#include "monitor/core/process.h"
#include "monitor/system/functions.h"
#include "tests/monitor/thread.h"

using namespace andes::monitor;
using namespace andes::test;

TEST_CASE("calls take their memory from the budget as they become known, and none of it where it has ended") {
  constexpr std::int64_t step_bytes = 4096;
  const auto process = std::make_unique<Process>();
  Thread thread({}, 1 << 20);
  thread.location.governor.budget = 0.01;
  thread.location.governor.may_close = true;
  const auto learn = [&](std::uintptr_t from, std::uintptr_t to) {
    for (std::uintptr_t call = from; call < to; ++call)
      learn_call_site(*process, thread.location, {region_f, ANDES_KIND_FUNCTION, 0x1000, 0x400000 + 16 * call});
  };
  // 16 bytes each; those of two steps are part of the least memory of a tree.
  learn(0, 512);
  CHECK(thread.memory.left_bytes == 1 << 20);
  learn(0, 512); // known already
  CHECK(thread.memory.left_bytes == 1 << 20);
  learn(512, 513);
  CHECK(thread.memory.left_bytes == (1 << 20) - step_bytes);
  learn(513, 768);
  CHECK(thread.memory.left_bytes == (1 << 20) - step_bytes);
  thread.memory.left_bytes = step_bytes + 1;
  learn(768, 1024);
  CHECK(thread.memory.left_bytes == 1);
  learn(1024, 4096);
  CHECK(thread.memory.left_bytes == 1);
}

#ifdef __x86_64__
namespace {

enum : std::uint32_t { region_run = 10, region_middle, region_short, region_callee, region_recursive, region_count };

/// A program whose functions are real, and its visits: those of closed regions are not seen.
struct Program {
  std::unique_ptr<Process> process = std::make_unique<Process>();
  Region regions[region_count] = {};
  Thread thread;
  Location& location = thread.location;
  Tree& tree = location.tree;
  std::vector<std::uint32_t> caller; // regions from the root's child to what callee() is told to be called by
  std::vector<std::vector<std::uint32_t>> callers; // of all its visits

  Program() {
    process->registry.regions = regions;
    process->costs.sample = 100;
    thread.govern_by(0.01, {.pair = 7.5, .ticks_per_ms = 1000});
  }
  ~Program() { process->registry.regions = nullptr; }

  /// These, and no others.
  void close(std::initializer_list<std::uint32_t> closed) {
    for (Region& region : regions) region.closed = false;
    for (const std::uint32_t region : closed) {
      regions[region].closed = true;
      regions[region].closings++;
    }
    process->windows.closed_count = static_cast<std::uint32_t>(closed.size());
    update_forced_slow_paths(*process, location);
  }
};

Program* program;

/// What a probe does, by the slow path.
class Visit {
public:
  [[gnu::noinline]] explicit Visit(const Entered& entered) {
    if (program->regions[entered.region].closed) return;
    Location& location = program->location;
    std::uint32_t parent = innermost(location);
    bool is_callers = true;
    if (program->process->windows.closed_count != 0) {
      const Caller found = find_caller(*program->process, location, entered);
      parent = found.node;
      is_callers = !found.doubtful;
    }
    if (parent == innermost(location)) learn_call_site(*program->process, location, entered, is_callers);
    const std::uint32_t inner = innermost(location);
    bool far = parent != inner;
    Child child;
    if (!find_child(location.tree, parent, entered.region, entered.kind, child))
      child = make_child(location.tree, parent, entered.region, entered.kind);
    if (far && !child.folded && is_above(location.tree, child.node, inner)) {
      child = {child.node, true, child.node == inner};
      far = false;
    }
    frame_ = push_frame(location, child, entered.stack, entered.caller, far);
    if (entered.region != region_callee) return;
    program->caller.clear();
    for (std::uint32_t node = parent; node != node_root; node = location.tree.node(node).parent)
      program->caller.insert(program->caller.begin(), location.tree.node(node).region);
    program->callers.push_back(program->caller);
  }
  ~Visit() {
    if (frame_) pop_frames(program->location, frame_, 0);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

private:
  andes_frame* frame_ = nullptr;
};

#define VISIT(region)                                                                                                  \
  const Visit visit({region, ANDES_KIND_FUNCTION, reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()),             \
                     reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))})
#define FUNCTION [[gnu::noinline]] void

using Path = std::vector<std::uint32_t>;
using Function = void (*)();

constexpr int frame_words = 16;
std::uintptr_t short_returned; // where the last call of short_one() has returned to
int old_words; // of the frames below: so many hold that address, as if nobody had written to them since

FUNCTION callee() { VISIT(region_callee); }
FUNCTION short_one() {
  VISIT(region_short);
  short_returned = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

[[gnu::always_inline]] inline void fill(volatile std::uintptr_t* words) {
  for (int i = 0; i < frame_words; ++i) words[i] = i < old_words ? short_returned : 0;
}

// Functions without probes.
FUNCTION plain(Function next) {
  next();
  __asm__ volatile("");
}
FUNCTION large(Function next) {
  volatile char room[64 * 1024];
  room[0] = 1;
  next();
  __asm__ volatile("" : : "m"(room));
}
FUNCTION calls_callee() {
  callee();
  __asm__ volatile("");
}
FUNCTION calls_callee_below_large() { large(callee); }

// One whose frame the tables describe by an expression.
extern "C" void andes_test_odd_frame(Function next);
__asm__(".text\n.type andes_test_odd_frame, @function\n"
        "andes_test_odd_frame:\n.cfi_startproc\n"
        "sub $8, %rsp\n.cfi_escape 0x0f, 2, 0x77, 16\n" // DW_CFA_def_cfa_expression: DW_OP_breg7 16
        "call *%rdi\nadd $8, %rsp\nret\n"
        ".cfi_endproc\n.size andes_test_odd_frame, .-andes_test_odd_frame\n");
FUNCTION calls_callee_below_odd() {
  andes_test_odd_frame(callee);
  __asm__ volatile("");
}

// One that jumps to the first function, or calls the second if there is one.
extern "C" void andes_test_jump_or_call(Function first, Function second);
__asm__(".text\n.type andes_test_jump_or_call, @function\n"
        "andes_test_jump_or_call:\n.cfi_startproc\n"
        "test %rsi, %rsi\njne 1f\njmp *%rdi\n"
        "1: sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
        "call *%rsi\nadd $8, %rsp\n.cfi_adjust_cfa_offset -8\nret\n"
        ".cfi_endproc\n.size andes_test_jump_or_call, .-andes_test_jump_or_call\n");
void nothing() {}
FUNCTION jump_to_short_or_call(Function next) {
  andes_test_jump_or_call(short_one, next == nothing ? nullptr : next);
  __asm__ volatile("");
}

// Of closed regions, but for run().
FUNCTION middle(Function next) {
  VISIT(region_middle);
  volatile std::uintptr_t words[frame_words];
  short_one();
  fill(words);
  next();
  __asm__ volatile("" : : "m"(words));
}
FUNCTION middle_with_base(Function next) {
  VISIT(region_middle);
  auto* words =
      static_cast<volatile std::uintptr_t*>(__builtin_alloca(sizeof(std::uintptr_t[frame_words]) + old_words));
  short_one();
  fill(words);
  next();
  __asm__ volatile("" : : "m"(*words));
}
FUNCTION middle_that_ends_before(Function next) {
  {
    VISIT(region_middle);
    short_one();
  }
  next();
  __asm__ volatile("");
}
FUNCTION run(void (*caller)(Function), Function next) {
  VISIT(region_run);
  volatile std::uintptr_t words[frame_words];
  fill(words);
  caller(next);
  __asm__ volatile("" : : "m"(words));
}

bool has_tables() {
  if (function_at(reinterpret_cast<std::uintptr_t>(callee)) != 0) return true;
  WARN("the C library does not tell where functions begin");
  return false;
}

/// A program of which all but `callee` was seen before those regions were closed.
struct Closed : Program {
  explicit Closed(void (*first)(Function) = middle) {
    program = this;
    old_words = 0;
    run(first, nothing);
    close({region_middle, region_short});
    old_words = frame_words;
  }
};

} // namespace

TEST_CASE("a closed function that has returned is not told to call what its caller calls") {
  if (!has_tables()) return;
  SECTION("in the frame of a closed function") {
    Closed real;
    run(middle, callee);
    CHECK(real.caller == Path{region_run, region_middle});
  }
  SECTION("also where the frame is found by the base pointer, which nobody has saved") {
    Closed real(middle_with_base);
    run(middle_with_base, callee);
    CHECK(real.caller == Path{region_run, region_middle});
  }
  SECTION("in the frame of the open function") {
    Closed real;
    run(plain, callee);
    CHECK(real.caller == Path{region_run});
  }
  SECTION("not even if functions without probes are between") {
    Closed real;
    run(middle, calls_callee);
    CHECK(real.caller == Path{region_run, region_middle});
  }
}

TEST_CASE("a closed function is found above a large frame") {
  if (!has_tables()) return;
  Closed real;
  run(middle, calls_callee_below_large);
  CHECK(real.caller == Path{region_run, region_middle});
}

TEST_CASE("a call by a pointer leads to the closed function only while that is called") {
  if (!has_tables()) return;
  Closed real;
  run(middle, callee);
  CHECK(real.caller == Path{region_run, region_middle});
  run(plain, callee);
  CHECK(real.caller == Path{region_run});
}

TEST_CASE("a closed function that was jumped to does not call what the function calls that has jumped") {
  if (!has_tables()) return;
  Closed real(jump_to_short_or_call);
  run(jump_to_short_or_call, callee);
  CHECK(real.caller == Path{region_run});
}

TEST_CASE("a call that a function makes after its visit is not told below it") {
  if (!has_tables()) return;
  Closed real;
  real.close({});
  run(middle, callee); // so that there is a call path by way of the closed function, too
  run(middle_that_ends_before, callee);
  REQUIRE(real.caller == Path{region_run});
  real.close({region_middle, region_short});
  run(middle_that_ends_before, callee);
  CHECK(real.caller == Path{region_run});
  run(middle, callee);
  CHECK(real.caller == Path{region_run, region_middle});
}

// Calls the callee itself, and by the function that has called it.
FUNCTION nested() {
  VISIT(region_short);
  callee();
  middle(callee);
  __asm__ volatile("");
}
TEST_CASE("a closed function that stands between as recursion is found as well") {
  if (!has_tables()) return;
  Program real;
  program = &real;
  old_words = 0;
  run(middle, nested);
  REQUIRE(real.caller == Path{region_run, region_middle}); // recursion belongs to the first visit
  real.close({region_middle});
  run(middle, nested);
  CHECK(real.caller == Path{region_run, region_middle});
}

int levels;
FUNCTION deeper() {
  VISIT(region_short);
  if (levels-- > 0) deeper();
  else callee();
  __asm__ volatile("");
}
TEST_CASE("what calls a closed function is found below many visits of its own, too") {
  if (!has_tables()) return;
  Program real;
  program = &real;
  old_words = 0;
  levels = 20;
  run(middle, deeper);
  REQUIRE(real.caller == Path{region_run, region_middle, region_short});
  real.close({region_middle, region_short});
  levels = 20;
  run(middle, deeper);
  CHECK(real.caller == Path{region_run, region_middle, region_short});
}

// Calls the function that has called it, which calls it again: the probe counts that visit, without a frame.
FUNCTION recursive() {
  VISIT(region_recursive);
  if (levels-- > 0) middle(recursive);
  callee();
  __asm__ volatile("");
}
TEST_CASE("recursion of the innermost visit by way of a closed function calls what it calls") {
  if (!has_tables()) return;
  Program real;
  program = &real;
  old_words = 0;
  run(middle, callee); // so that what is called in the recursion may be called by the closed function, too
  real.callers.clear();
  levels = 2;
  run(middle, recursive);
  REQUIRE(real.callers == std::vector<Path>(3, {region_run, region_middle, region_recursive}));
  real.callers.clear();
  real.close({region_middle});
  levels = 2;
  run(middle, recursive);
  CHECK(real.callers == std::vector<Path>(3, {region_run, region_middle, region_recursive}));
}

FUNCTION opens_middle_and_calls() {
  program->close({region_short});
  callee();
  __asm__ volatile("");
}
TEST_CASE("a function that began while it was closed is found after it was opened for good") {
  if (!has_tables()) return;
  Closed real;
  run(middle, opens_middle_and_calls);
  CHECK(real.caller == Path{region_run, region_middle});
  run(middle, callee);
  CHECK(real.caller == Path{region_run, region_middle});
}

FUNCTION run_from_new_place() {
  VISIT(region_run);
  middle(callee);
  __asm__ volatile("");
}
TEST_CASE("a closed function that is called from a new place is known by its code") {
  if (!has_tables()) return;
  Closed real;
  run_from_new_place();
  CHECK(real.caller == Path{region_run, region_middle});
}

TEST_CASE("where the unwind tables do not lead on, nothing that is not proved is taken for a closed caller") {
  if (!has_tables()) return;
  Closed real;
  run(middle, calls_callee_below_odd);
  CHECK(real.caller == Path{region_run});

  real.close({});
  run(middle, calls_callee_below_odd);
  CHECK(real.caller == Path{region_run, region_middle});
  real.close({region_middle, region_short});
  run(middle, calls_callee_below_odd);
  CHECK(real.caller == Path{region_run, region_middle}); // the call was seen there
}

// Functions that the compiler has inlined: all of their probes stand in the code of one function.
#define INLINED [[gnu::always_inline]] inline void
bool calls_directly; // of middle_with_inlined(): the callee from itself, not by short_inlined()
Function called = nothing; // by short_inlined()
INLINED callee_inlined() {
  VISIT(region_callee);
  __asm__ volatile("");
}
INLINED short_inlined(Function next) {
  VISIT(region_short);
  if (next == callee) callee_inlined();
  called();
  __asm__ volatile("");
}
FUNCTION middle_with_inlined(Function next) {
  VISIT(region_middle);
  if (calls_directly) {
    callee_inlined();
    __asm__ volatile("");
  } else {
    short_inlined(next);
  }
  __asm__ volatile("");
}

TEST_CASE("a closed function is found around one that was inlined into it") {
  if (!has_tables()) return;
  Program real;
  program = &real;
  old_words = 0;
  calls_directly = false;
  called = nothing;
  SECTION("and was not seen there before") {
    run(middle_with_inlined, nothing);
    real.close({region_middle});
    calls_directly = true;
    run(middle_with_inlined, callee);
    CHECK(real.caller == Path{region_run, region_middle});
  }
  SECTION("by way of another one") {
    run(middle_with_inlined, callee);
    real.close({region_middle, region_short});
    run(middle_with_inlined, callee);
    CHECK(real.caller == Path{region_run, region_middle, region_short});
  }
  SECTION("inside an open one") {
    run(middle_with_inlined, callee);
    real.close({region_short});
    run(middle_with_inlined, callee);
    CHECK(real.caller == Path{region_run, region_middle, region_short});
  }
  SECTION("by what it calls") {
    called = callee;
    run(middle_with_inlined, nothing);
    real.close({region_middle, region_short});
    run(middle_with_inlined, nothing);
    CHECK(real.caller == Path{region_run, region_middle, region_short});
  }
  SECTION("but not around another one of the same name") {
    run(middle_with_inlined, callee);
    calls_directly = true;
    run(middle_with_inlined, callee);
    REQUIRE(real.caller == Path{region_run, region_middle});
    real.close({region_short});
    run(middle_with_inlined, callee);
    CHECK(real.caller == Path{region_run, region_middle});
    calls_directly = false;
    run(middle_with_inlined, callee);
    CHECK(real.caller == Path{region_run, region_middle, region_short});
  }
  SECTION("although visits were told below its caller before that was known") {
    real.close({region_middle});
    calls_directly = true;
    run(middle_with_inlined, callee);
    REQUIRE(real.caller == Path{region_run}); // nothing is known of its code
    real.close({});
    run(middle_with_inlined, callee);
    REQUIRE(real.caller == Path{region_run, region_middle});
    real.close({region_middle});
    run(middle_with_inlined, callee);
    CHECK(real.caller == Path{region_run, region_middle});
    const std::uint32_t before = own_child(real.tree, own_child(real.tree, node_root, region_run), region_callee);
    CHECK(takes_slow_path(real.tree.accounts[before]));
  }
}
#endif
