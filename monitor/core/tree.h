// Tree: the call paths of a location, as nodes. Finding and making them, the way back to an ancestor
// (recursion), and how each of them is timed: exactly or by samples. Visits are in location.h.
//
// Invariants:
//  - nodes are never removed or moved; parents come before children; `node_count` is written when a node is
//    complete, and memory is backed (arena.h) before it is touched: a reader of the arena never sees half a node;
//  - the nodes on the stack are closed upwards: with a node its ancestors are open. So a child of the innermost
//    open node is open itself only if recursion led from it back to an ancestor: the nodes on that way count such
//    folded frames (`folds`), and their entries say so meanwhile ("the way is closed"). A folded frame whose way
//    is closed already is not counted: the frame that closed the way is below it and stays open longer;
//  - an entry (andes_location::entries) names a node by its parent and region, with the bits it has now;
//  - exclusive time = inclusive - sum of the children's inclusive + moved, and the moved times of a
//    tree sum to zero: so the exclusive times sum to the root's inclusive time;
//  - MPI calls are exact; so are barriers and parallel regions of OpenMP and all call paths above these,
//    whatever their rate.
#pragma once
#include <cstdint>

#include "monitor/arena/arena.h"
#include "monitor/core/budget.h"
#include "monitor/core/sample.h"
#include "monitor/core/window_sums.h"
#include "monitor/core/wrapper_data.h"
#include "monitor/sites/registry.h"
#include "monitor/system/relaxed.h"

namespace andes::monitor {

/// Nodes that every tree has.
enum : std::uint32_t { node_root = 0, node_tool = 1, node_more = 2, node_more_mpi = 3, first_free_node = 4 };

/// Limits of a location's tree, from the settings.
struct TreeLimits {
  std::uint32_t nodes = 65536;
  std::uint32_t depth = 1024;
  bool fold_recursion = true;
  std::uint32_t events = 0; // counters (counters.h) per node
  bool backed = true; // by the arena; false for calibration, whose memory is given back
};

/// Settings for which call paths have no node of their own; bits of Tree::limits_met.
enum : std::uint32_t { met_tree_mb = 1, met_node_limit = 2, met_depth_limit = 4 };

/// Memory of the pages that even an empty tree touches: header, first nodes, accounts, table, frames, traffic,
/// hidden frames and, for the first tree, the registry's. The code that starts a tree takes it from the budget.
inline constexpr std::int64_t least_tree_bytes = 35 * 4096;

/// Memory that the monitor touches beside its trees: the data of its library, and what it knows of the process. The
/// code that starts the main thread's tree takes it from the budget as well. As bench_memory finds it.
inline constexpr std::int64_t own_bytes = 44 * 4096;

/// Countdown of a node that the slow path need not see again, and of a node that the governor shall see first
/// after so many visits.
inline constexpr std::int64_t never = std::int64_t{1} << 62, first_review = 512;

/// Why a call path always stays exact.
enum Pin : std::uint8_t { pin_team = 1, pin_recursion = 2 };

/// Which visits of a call path take the slow path.
enum class SlowPath : std::uint8_t {
  as_usual,
  always, // a closed region may stand between the node and its parent
  not_in_window // nevertheless: none does until the present window ends
};

/// The part of a node that the fast path does not need; it has the same number as its andes_node.
struct NodeAccount {
  std::int64_t visits_base;  // visits = visits_base - countdown; negative: visits_apart
  std::int64_t visits_before; // visits when the measured interval began
  std::int64_t moved_ticks;  // time that passed elsewhere in the tree but belongs here; negative: the reverse
  std::uint64_t tool_ticks;  // the monitor's own measured work while this node was innermost
  std::uint64_t swept_visits, swept_inclusive; // at the governor's last sweep
  std::uint64_t search_ticks; // cost of searches for closed callers since then, outside windows
  std::uintptr_t function;   // that the code of its probe lies in (function_samples.h)
  std::uintptr_t code;       // an address in that; 0: none is known
  double searches_below; // share of the time that callees which stay open would search for this path, were it closed;
      // as of the last sweep, which writes it while others read: such a value is too small
  std::uint32_t first_child, next_sibling; // numbers; 0: none
  std::uint32_t unseen_since; // + 1: number of the thread's windows when its region closed, if it has no record until
      // a window sees it (closed_regions.h), or was opened again before the first visit; 0: none of that
  std::uint32_t steps;       // of a phase: its children of kind instance, without "(more)"
  std::uint8_t pins;         // Pin
  bool by_hooks;             // entered by a compiler's hooks, not by a probe
  bool is_local;             // as its region (registry.h)
  SlowPath slow_path;        // of its visits
};

/// The part of a window in which visits of a call path are timed; ticks since the window opened.
struct TimedPart {
  std::uint64_t begin_ticks, end_ticks;
  std::uint32_t most; // visits
  std::uint32_t apart = 0; // mean number of visits between clusters of timed ones; 0: all in the part are timed
  static constexpr std::uint64_t no_end = UINT64_MAX, cut = 0; // cut: as many were timed as may be
};

/// Timed visits in which the thread has lost its core (core_losses.h). Their waits are rare and long: they tell how
/// much the call path waits, but little about how long its other visits take.
struct InterruptedVisits {
  std::uint64_t count;
  double ticks, squares; // of their durations: sum, and sum of squares
};
inline void add(InterruptedVisits& visits, double ticks) {
  visits.count++;
  visits.ticks += ticks;
  visits.squares += ticks * ticks;
}

/// Sampled visits of a call path since it was first sampled.
struct alignas(64) SampleRecord {
  std::uint32_t node; // whose
  bool windowed; // its region is closed: only visits in windows are seen
  std::int64_t visits_now; // when the latest window ended
  WindowSums windows; // of visits in windows, while it was closed (windows.h); resting ones need no line of memory more
  Sample sample; // of visits while its region was open
  InterruptedVisits interrupted; // in neither of the two
  Blocks blocks;
  std::uint32_t block; // length of the block of the visit that is timed next
  std::uint32_t warm_up, timed_left; // time_next(); also counted down by the tree's own thread
      // at the same time: then a few visits more or less are timed
  std::int64_t visits_before; // the node's visits when the present stretch of sampling began (or times were
      // restarted)
  std::int64_t visits; // sampled visits of earlier stretches
  std::uint32_t next_block; // length of the blocks to come
  double recent_ticks; // running mean of recent durations, for the governor alone
  // For windows only: the latest part, its window, and its share of that; running means.
  TimedPart part;
  std::uint32_t clusters_left; // of the part, until as many are timed as may be
  bool awaits_first; // the part's first visit tells how many come before the first cluster
  std::uint32_t part_window;
  double part_share;
  std::int64_t visits_marked; // visits when a timed caller was last entered or left; relaxed, by two threads
  std::int64_t visits_told; // those that belong to timed visits that have ended, or are around this one: the others
      // until the end of a timed visit are recursion within it; relaxed, by two threads
  double visits_a_window; // in those with visits
  double visits_per_ns;
  // Within its open visit: visits of recursion into closed regions, which are timed by themselves, and closed regions
  // below that ticks_below() has told before the visit's end.
  std::int64_t recursion_ticks;
  double below_ticks;
  std::uint64_t left_out; // visits in windows that were timed outside of the part; written by the tree's own thread
  std::uint64_t left_out_seen; // their number when the last window ended; written by whoever closes windows, under the
      // windows' lock
};

/// Of a call path that rests (window_paths.h), side by side: what shows whether it has been visited. Under the lock of
/// the windows.
struct RestMark {
  std::int64_t countdown; // of the node, when it began to rest
  std::uint32_t node;
  bool rests;
};

struct Tree {
  andes_location* hot;
  NodeAccount* accounts;
  std::int64_t* counts; // limits.events values for each node, exclusive; null without counters
  SampleRecord* records; // by andes_node::record; entry 0 is never used
  RestMark* rest_marks; // by record
  std::uint32_t node_count, record_count, record_limit;
  std::uint32_t* table; // open addressing: (parent, region) -> number
  std::uint32_t table_mask, table_limit;
  std::uint32_t deepest; // largest depth of a node
  std::uint64_t entry_blocks; // one bit for each 16 KiB of `hot`: memory for the block is taken, and its entries may be
      // touched
  std::uint64_t window_ticks; // when the latest window opened
  std::uint64_t first_in_window; // ticks from there to the first timed visit, + 1; 0: none so far. Two writers:
      // the tree's own thread where it is 0, and whoever opens a window sets it to 0. Relaxed: one lost costs one
      // window's share of a running mean
  WindowSums unvisited; // of a call path that no window sees (window_sums.h, begin_rest())
  std::uint32_t changing; // number + 1 of the node whose countdown is being changed; 0: none
  bool filling; // the table is being filled anew
  TreeLimits limits;
  std::uint32_t limits_met; // written by the tree's own thread
  Budget* memory; // shared by all trees of the process
  Backed backed_nodes, backed_accounts, backed_records, backed_counts;

  andes_node& node(std::uint32_t number) const { return (&hot->root)[number]; }
  std::uint32_t number(const andes_node& of) const { return static_cast<std::uint32_t>(&of - &hot->root); }
  andes_node& node_at(std::uint32_t place) const { return *ANDES_NODE_AT(hot, place); }
  /// For other threads, while the tree's own thread adds nodes and pins.
  std::uint32_t whole_nodes() const { return __atomic_load_n(&node_count, __ATOMIC_ACQUIRE); }
  bool is_pinned(std::uint32_t of, Pin why) const { return load_relaxed(accounts[of].pins) & why; }
  std::int64_t visits(std::uint32_t of) const { return accounts[of].visits_base - node(of).countdown; }
};

/// Counts while the node was innermost, by place (counters.h).
inline std::int64_t* counts_of(const Tree& tree, std::uint32_t node) {
  return tree.counts + std::size_t{node} * tree.limits.events;
}

/// Place of a node by its number.
constexpr std::uint32_t place_of(std::uint32_t number) {
  return ANDES_ROOT + number * static_cast<std::uint32_t>(sizeof(andes_node));
}

/// Fills an all-zero tree: its arrays (reserved, untouched memory) and the fixed nodes. False: no
/// memory.
bool tree_start(Tree& tree, const TreeLimits& limits, std::uint32_t root_region, Budget& memory);
void tree_free(Tree& tree);

/// A visit's place in the tree.
struct Child {
  std::uint32_t node;
  bool folded; // recursion, or beyond the limits: its time must be moved instead of summed
  bool direct; // the node is the innermost open one: there is nothing to time
};

/// The node of a visit to `region` below the open node `parent`. False: there is no node yet.
bool find_child(Tree& tree, std::uint32_t parent, std::uint32_t region, std::uint32_t kind, Child& child);

/// The same, but recursion is not looked for. 0: there is no such child.
std::uint32_t own_child(const Tree& tree, std::uint32_t parent, std::uint32_t region);

/// Makes the node after find_child() found none. Beyond the limits: the node that collects visits without a
/// node of their own.
Child make_child(Tree& tree, std::uint32_t parent, std::uint32_t region, std::uint32_t kind);

/// Whether `node` is `below` or an ancestor of it.
inline bool is_above(const Tree& tree, std::uint32_t node, std::uint32_t below) {
  while (tree.node(below).depth > tree.node(node).depth) below = tree.node(below).parent;
  return below == node;
}

/// Whether a folded frame of `node` on the open node `from` need not close the way between them: all nodes of the way
/// are closed already, or there is no such way.
inline bool is_closed(const Tree& tree, std::uint32_t from, std::uint32_t node) {
  if (!is_above(tree, node, from)) return true; // beyond the limits, not back to an ancestor
  for (; from != node; from = tree.node(from).parent)
    if (tree.node(from).folds == 0) return false;
  return true;
}

/// To be called when a folded frame of `node` is pushed on the open node `from`: closes the way between them to
/// the fast path. True: the way was open before, and must be opened again when the frame is popped.
bool close_way(Tree& tree, std::uint32_t from, std::uint32_t node);
void open_way(Tree& tree, std::uint32_t from, std::uint32_t node);

/// Has every visit of the node take the slow path, or ends that.
void force_slow_path(Tree& tree, std::uint32_t node, bool forced);

/// Whether its visits are to take the slow path now.
inline bool takes_slow_path(const NodeAccount& account) { return load_relaxed(account.slow_path) == SlowPath::always; }

/// Has visits of the node take the fast path until the window ends, by the thread that makes them; and again the slow
/// one, by the holder of the windows' lock.
void show_in_window(Tree& tree, std::uint32_t node);
void end_showing(Tree& tree, std::uint32_t node);

/// Adds in one instruction: visits of a signal handler may count down between any two instructions. Another thread that
/// sees the sum sees what was stored before (set_countdown()), as x86 has it anyway.
inline void add_at_once(std::int64_t& countdown, std::int64_t visits) {
#ifdef __x86_64__
  __asm__("addq %1, %0" : "+m"(countdown) : "er"(visits) : "cc");
#else
  __atomic_fetch_add(&countdown, visits, __ATOMIC_RELEASE);
#endif
}

/// While the countdown changes, NodeAccount::visits_base alone holds the visits, as a negative number, which
/// it never is otherwise. The same function converts the number back.
constexpr std::int64_t visits_apart(std::int64_t visits) { return -1 - visits; }

/// Sets how many visits pass before the slow path looks at the node again; its visits stay.
void set_countdown(Tree& tree, std::uint32_t node, std::int64_t countdown);

/// Completes a change that a jump out of a signal handler has left in the middle: of a countdown, of the table, or by a
/// new node.
void repair_tree(Tree& tree);

/// Whether its visits are sampled at present.
inline bool is_sampled(const andes_node& node) {
  return load_relaxed(node.bits) & (ANDES_FRAME_UNTIMED | ANDES_FRAME_SAMPLE);
}

/// Visits of a node as another thread sees them.
std::int64_t visits_from_outside(const Tree& tree, std::uint32_t node);

/// Makes some of the next visits timed ones: first `warm_up` visits that do not count, since the slow path is not in
/// the caches, then `timed`. Other threads than the tree's own may call it under the lock of the windows.
inline void time_next(Tree& tree, SampleRecord& record, std::uint32_t warm_up, std::uint32_t timed) {
  store_relaxed(record.warm_up, warm_up);
  store_relaxed(record.timed_left, timed);
  store_relaxed<std::uint32_t>(tree.node(record.node).bits, timed != 0 ? ANDES_FRAME_SAMPLE : ANDES_FRAME_UNTIMED);
}

/// Timed visits of a cluster that count.
inline constexpr std::uint32_t cluster_visits = 2;

/// Times the visits that begin in that part of the present window, as many as it allows.
inline void time_part(Tree& tree, SampleRecord& record, const TimedPart& part) {
  store_relaxed(record.part.begin_ticks, part.begin_ticks);
  store_relaxed(record.part.end_ticks, part.end_ticks);
  record.part.most = part.most;
  store_relaxed(record.clusters_left, part.most / cluster_visits);
  store_relaxed(record.awaits_first, part.apart != 0);
  store_relaxed(record.part.apart, part.apart);
  store_relaxed(record.visits_told, visits_from_outside(tree, record.node));
  time_next(tree, record, 0, part.most);
}

/// From now on visits are sampled. False: no record is left.
bool make_sampled(Tree& tree, std::uint32_t node, std::uint64_t seed);
void make_exact(Tree& tree, std::uint32_t node);

/// The region of the record's node closes (opens for good): its visits belong to windows (to the sample). Other
/// threads than the tree's own may call it under the lock of the windows.
void begin_windowed(const Tree& tree, SampleRecord& record);
void end_windowed(const Tree& tree, SampleRecord& record);

/// Whether it is a call path of a closed region, or was, that has no record and no visit since.
inline bool waits_for_window(const Tree& tree, std::uint32_t node) {
  return tree.accounts[node].unseen_since != 0 && tree.node(node).record == 0;
}

/// Keeps the node exact from now on.
void pin(Tree& tree, std::uint32_t node, Pin why);

/// Sampled visits of all stretches together.
inline std::int64_t sampled_visits(const Tree& tree, std::uint32_t node) {
  const andes_node& hot = tree.node(node);
  if (hot.record == 0) return 0;
  const SampleRecord& record = tree.records[hot.record];
  return record.visits + (is_sampled(hot) && !record.windowed ? tree.visits(node) - record.visits_before : 0);
}

/// Drops all times and counts; visits stay.
void forget_times(Tree& tree);

} // namespace andes::monitor
