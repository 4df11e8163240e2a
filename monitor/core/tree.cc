#include "monitor/core/tree.h"

#include <string.h>

#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t max_records = 4096;
constexpr std::uint32_t first_table = 256; // slots

// Memory that a node touches: itself and its account. bench_memory finds 8 bytes more (pages that are touched in part,
// the first block of entries).
constexpr std::int64_t node_bytes = sizeof(andes_node) + sizeof(NodeAccount) + 8;
std::int64_t bytes_of_node(const TreeLimits& limits) { return node_bytes + std::int64_t{limits.events} * 8; }

std::size_t block_bytes(const TreeLimits& limits) { return ANDES_ROOT + limits.nodes * sizeof(andes_node); }

// The slot that holds (parent, region), or the empty slot for it.
std::uint32_t find_slot(const Tree& tree, std::uint32_t parent, std::uint32_t region) {
  const std::uint64_t key = (std::uint64_t{parent} << 32 | region) * 0x9e3779b97f4a7c15ull;
  std::uint32_t slot = static_cast<std::uint32_t>(key >> 32) & tree.table_mask;
  for (std::uint32_t index; (index = tree.table[slot]) != 0; slot = (slot + 1) & tree.table_mask)
    if (tree.node(index).parent == parent && tree.node(index).region == region) break;
  return slot;
}

void fill_table(Tree& tree) {
  memset(tree.table, 0, (tree.table_mask + 1) * sizeof *tree.table);
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i)
    tree.table[find_slot(tree, tree.node(i).parent, tree.node(i).region)] = i;
}

// Whether so many nodes need more slots.
bool must_grow(const Tree& tree, std::uint32_t nodes) {
  return 2 * nodes > tree.table_mask && 2 * tree.table_mask + 2 <= tree.table_limit;
}

// Doubles the slots and inserts every node again.
void grow_table(Tree& tree) {
  tree.filling = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  tree.table_mask = 2 * tree.table_mask + 1;
  fill_table(tree);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  tree.filling = false;
}

// Whether the entry may be touched; if its block of pages is new, takes memory for it and populates it at once. Faulted
// in one by one, first by a reading probe and then by the writer, its pages would cost some microseconds each.
bool has_block(Tree& tree, const andes_entry& entry) {
  constexpr std::size_t block_bytes = 4 * 4096;
  static_assert(ANDES_ROOT / block_bytes < 64);
  auto* const begin = reinterpret_cast<char*>(tree.hot);
  const auto block = static_cast<std::size_t>(reinterpret_cast<const char*>(&entry) - begin) / block_bytes;
  const std::uint64_t bit = std::uint64_t{1} << block;
  if (tree.entry_blocks & bit) return true;
  if (block != 0) { // the first block is part of least_tree_bytes
    if (!tree.memory->take(block_bytes)) return false;
    if (block < ANDES_ROOT / block_bytes) populate(begin + block * block_bytes, block_bytes);
  }
  tree.entry_blocks |= bit;
  return true;
}

// Sets the entry by which the fast path gets from `parent` to a region's node.
void set_entry(Tree& tree, std::uint32_t parent, std::uint32_t region, std::uint32_t child) {
  andes_entry& entry = *ANDES_ENTRY_AT(tree.hot, place_of(parent), region);
  if (!has_block(tree, entry)) return;
  // A probe in a signal handler must not combine halves of two entries.
  entry.parent = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  entry.child = child;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  entry.parent = place_of(parent);
}

// The node's entry, if it has one; every node but the root has a parent.
andes_entry* entry_of(const Tree& tree, const andes_node& node) {
  andes_entry* entry = ANDES_ENTRY_AT(tree.hot, place_of(node.parent), node.region);
  return entry->parent == place_of(node.parent) ? entry : nullptr;
}

void show(Tree& tree, const andes_node& node) {
  if (node.place < place_of(first_free_node) || takes_slow_path(tree.accounts[tree.number(node)])) return;
  const std::uint32_t bits =
      (load_relaxed(node.bits) != 0 ? ANDES_ENTRY_BITS : 0) | (node.folds != 0 ? ANDES_ENTRY_FOLDED : 0);
  set_entry(tree, node.parent, node.region, node.place | bits);
}

void set_bits(Tree& tree, andes_node& node, std::uint32_t bits) {
  store_relaxed(node.bits, bits); // windows set them, too
  if (entry_of(tree, node)) show(tree, node);
}

bool belongs_to_team(std::uint32_t kind) {
  return kind == ANDES_KIND_PARALLEL || kind == ANDES_KIND_BARRIER || kind == ANDES_KIND_APART;
}

void link_to_parent(Tree& tree, std::uint32_t number) {
  std::uint32_t& first_child = tree.accounts[tree.node(number).parent].first_child;
  tree.accounts[number].next_sibling = first_child;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  first_child = number;
}

std::uint32_t new_node(Tree& tree, std::uint32_t parent, std::uint32_t region, std::uint32_t kind) {
  const std::uint32_t number = tree.node_count;
  andes_node& node = tree.node(number);
  NodeAccount& account = tree.accounts[number];
  ensure_backed(tree.backed_nodes, &node + 1);
  ensure_backed(tree.backed_accounts, &account + 1);
  if (tree.counts) ensure_backed(tree.backed_counts, counts_of(tree, number + 1));
  node.place = place_of(number);
  node.parent = parent;
  node.region = region;
  node.kind = kind;
  node.countdown = account.visits_base = never;
  if (parent != ANDES_NOWHERE) node.depth = tree.node(parent).depth + 1;
  if (node.depth > tree.deepest) tree.deepest = node.depth;
  __atomic_store_n(&tree.node_count, number + 1, __ATOMIC_RELEASE);
  if (number < first_free_node) return number;
  link_to_parent(tree, number);
  if (belongs_to_team(kind))
    for (std::uint32_t i = number; i != ANDES_NOWHERE && !tree.is_pinned(i, pin_team); i = tree.node(i).parent)
      pin(tree, i, pin_team);
  if (is_sampled(tree.node(parent))) node.bits = ANDES_FRAME_INSIDE;
  return number;
}

// Marks the children of `node`: a timed visit of a child then reports its duration to the untimed visit of the node.
void tell_children(Tree& tree, std::uint32_t node) {
  const bool inside = is_sampled(tree.node(node));
  for (std::uint32_t i = tree.accounts[node].first_child; i != 0; i = tree.accounts[i].next_sibling)
    if (!is_sampled(tree.node(i))) set_bits(tree, tree.node(i), inside ? ANDES_FRAME_INSIDE : 0);
}

// The limit that leaves no room for a node below `parent`; 0: there is room, and its memory is taken.
std::uint32_t limit_on_node(Tree& tree, std::uint32_t parent, bool is_mpi) {
  if (!is_mpi && tree.node(parent).depth >= tree.limits.depth) return met_depth_limit;
  if (tree.node_count >= tree.limits.nodes) return met_node_limit;
  const std::int64_t more_slots = must_grow(tree, tree.node_count + 1) ? tree.table_mask + std::int64_t{1} : 0;
  const std::int64_t bytes = bytes_of_node(tree.limits) + more_slots * std::int64_t{sizeof *tree.table};
  if (!tree.memory->take(bytes)) return met_tree_mb;
  return 0;
}

} // namespace

bool tree_start(Tree& tree, const TreeLimits& limits, std::uint32_t root_region, Budget& memory) {
  tree.limits = limits;
  tree.memory = &memory;
  if (tree.limits.nodes < 2 * first_free_node) tree.limits.nodes = 2 * first_free_node;
  tree.table_limit = power_of_two(2 * tree.limits.nodes) * 2;
  tree.record_limit = max_records;
  tree.hot = static_cast<andes_location*>(reserve(block_bytes(tree.limits)));
  tree.accounts = reserve_array<NodeAccount>(tree.limits.nodes);
  tree.records = reserve_array<SampleRecord>(tree.record_limit);
  tree.rest_marks = reserve_array<RestMark>(tree.record_limit);
  tree.table = reserve_array<std::uint32_t>(tree.table_limit);
  if (!tree.hot || !tree.accounts || !tree.records || !tree.rest_marks || !tree.table) return false;
  const std::size_t all_counts = std::size_t{tree.limits.nodes} * tree.limits.events;
  if (all_counts != 0 && !(tree.counts = reserve_array<std::int64_t>(all_counts))) return false;
  char* const first = reinterpret_cast<char*>(&tree.hot->root) - ANDES_ROOT % page_bytes();
  tree.backed_nodes = {first, first, reinterpret_cast<char*>(tree.hot) + block_bytes(tree.limits)};
  tree.backed_accounts = backed_array(tree.accounts, tree.limits.nodes);
  tree.backed_records = backed_array(tree.records, tree.record_limit);
  if (tree.counts) tree.backed_counts = backed_array(tree.counts, all_counts);
  if (limits.backed) arena_map(tree.hot, offsetof(andes_location, entries));
  else tree.backed_nodes = tree.backed_accounts = tree.backed_records = tree.backed_counts = never_backed;
  tree.table_mask = first_table - 1;
  tree.record_count = 1;
  new_node(tree, ANDES_NOWHERE, root_region, ANDES_KIND_ROOT);
  new_node(tree, node_root, region_tool, ANDES_KIND_TOOL);
  new_node(tree, node_root, region_more, ANDES_KIND_OVERFLOW);
  new_node(tree, node_root, region_more_mpi, ANDES_KIND_MANAGEMENT);
  tree.accounts[node_root].pins = pin_team;
  return true;
}

void tree_free(Tree& tree) {
  if (tree.hot) unreserve(tree.hot, block_bytes(tree.limits));
  if (tree.accounts) unreserve(tree.accounts, tree.limits.nodes * sizeof *tree.accounts);
  if (tree.counts) unreserve(tree.counts, std::size_t{tree.limits.nodes} * tree.limits.events * sizeof *tree.counts);
  if (tree.records) unreserve(tree.records, tree.record_limit * sizeof *tree.records);
  if (tree.rest_marks) unreserve(tree.rest_marks, tree.record_limit * sizeof *tree.rest_marks);
  if (tree.table) unreserve(tree.table, tree.table_limit * sizeof *tree.table);
  tree = {};
}

bool find_child(Tree& tree, std::uint32_t parent, std::uint32_t region, std::uint32_t kind, Child& child) {
  if (const std::uint32_t found = tree.table[find_slot(tree, parent, region)]; found != 0) {
    child = {found, tree.node(found).folds != 0, false};
    show(tree, tree.node(found));
    return true;
  }
  if (ANDES_KIND_IS_MPI(kind)) return false;
  if (parent == node_more) { // nothing is below it, closed or not: the probe counts all visits like direct recursion
    child = {node_more, true, true};
    set_entry(tree, parent, region, place_of(node_more) | ANDES_ENTRY_DIRECT);
    return true;
  }
  if (!tree.limits.fold_recursion) return false;
  for (std::uint32_t above = parent; above != ANDES_NOWHERE; above = tree.node(above).parent) {
    if (tree.node(above).region != region) continue;
    if (!tree.is_pinned(above, pin_recursion)) pin(tree, above, pin_recursion);
    child = {above, true, above == parent};
    set_entry(tree, parent, region, place_of(above) | (child.direct ? ANDES_ENTRY_DIRECT : ANDES_ENTRY_FOLDED));
    return true;
  }
  return false;
}

std::uint32_t own_child(const Tree& tree, std::uint32_t parent, std::uint32_t region) {
  return tree.table[find_slot(tree, parent, region)];
}

Child make_child(Tree& tree, std::uint32_t parent, std::uint32_t region, std::uint32_t kind) {
  // Below node_more only MPI calls have nodes of their own: their time is of another kind.
  const bool is_mpi = ANDES_KIND_IS_MPI(kind), is_below_more = parent == node_more && !is_mpi;
  const std::uint32_t limit = is_below_more ? 0 : limit_on_node(tree, parent, is_mpi);
  if (is_below_more || limit != 0) {
    store_relaxed(tree.limits_met, tree.limits_met | limit);
    const std::uint32_t more = is_mpi ? node_more_mpi : node_more;
    return {more, true, more == parent};
  }
  const std::uint32_t slot = find_slot(tree, parent, region);
  const std::uint32_t node = tree.table[slot] = new_node(tree, parent, region, kind);
  if (must_grow(tree, tree.node_count)) grow_table(tree);
  show(tree, tree.node(node));
  return {node, false, false};
}

bool close_way(Tree& tree, std::uint32_t from, std::uint32_t node) {
  if (is_closed(tree, from, node)) return false;
  for (; from != node; from = tree.node(from).parent)
    if (tree.node(from).folds++ == 0 && entry_of(tree, tree.node(from))) show(tree, tree.node(from));
  return true;
}

void force_slow_path(Tree& tree, std::uint32_t node, bool forced) {
  store_relaxed(tree.accounts[node].slow_path, forced ? SlowPath::always : SlowPath::as_usual);
  andes_entry* entry = forced ? entry_of(tree, tree.node(node)) : nullptr;
  if (entry) entry->parent = 0; // else the slow path sets it at its next visit
}

void show_in_window(Tree& tree, std::uint32_t node) {
  store_relaxed(tree.accounts[node].slow_path, SlowPath::not_in_window);
  show(tree, tree.node(node));
}

void end_showing(Tree& tree, std::uint32_t node) {
  SlowPath shown = SlowPath::not_in_window, hidden = SlowPath::always;
  if (!__atomic_compare_exchange(&tree.accounts[node].slow_path, &shown, &hidden, false, __ATOMIC_RELAXED,
                                 __ATOMIC_RELAXED))
    return;
  if (andes_entry* entry = entry_of(tree, tree.node(node))) store_relaxed<std::uint32_t>(entry->parent, 0);
}

void open_way(Tree& tree, std::uint32_t from, std::uint32_t node) {
  if (!is_above(tree, node, from)) return; // only in a damaged arena
  for (; from != node; from = tree.node(from).parent)
    if (--tree.node(from).folds == 0) show(tree, tree.node(from));
}

void set_countdown(Tree& tree, std::uint32_t node, std::int64_t countdown) {
  std::int64_t& base = tree.accounts[node].visits_base;
  std::int64_t& left = tree.node(node).countdown;
  const std::int64_t before = base, more = countdown - left;
  tree.changing = node + 1;
  // In this order, for a reader of the arena or another thread in between.
  __atomic_store_n(&base, visits_apart(before - left), __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  add_at_once(left, more);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&base, before + more, __ATOMIC_RELEASE);
  tree.changing = 0;
}

namespace {

void settle_countdown(Tree& tree) {
  if (tree.changing == 0) return;
  const std::uint32_t node = tree.changing - 1;
  std::int64_t& base = tree.accounts[node].visits_base;
  if (base < 0) base = visits_apart(base) + tree.node(node).countdown;
  tree.changing = 0;
}

// The newest node may not be linked yet as its parent's first child, or may be missing in the table.
void settle_newest(Tree& tree) {
  const std::uint32_t newest = tree.node_count - 1;
  if (newest < first_free_node) return;
  const andes_node& node = tree.node(newest);
  if (tree.accounts[node.parent].first_child != newest) link_to_parent(tree, newest);
  tree.table[find_slot(tree, node.parent, node.region)] = newest;
}

} // namespace

void repair_tree(Tree& tree) {
  settle_countdown(tree);
  if (tree.filling) fill_table(tree);
  tree.filling = false;
  settle_newest(tree);
}

bool make_sampled(Tree& tree, std::uint32_t node, std::uint64_t seed) {
  andes_node& hot = tree.node(node);
  if (hot.record == 0) {
    if (tree.record_count == tree.record_limit || !tree.memory->take(sizeof(SampleRecord))) return false;
    const std::uint32_t record = tree.record_count;
    ensure_backed(tree.backed_records, &tree.records[record] + 1);
    tree.records[record].blocks.random = seed;
    tree.records[record].node = node;
    __atomic_store_n(&hot.record, record, __ATOMIC_RELEASE); // own_times() reads it, of any thread
    __atomic_store_n(&tree.record_count, record + 1, __ATOMIC_RELEASE); // the thread that opens windows reads it
  }
  tree.records[hot.record].visits_before = tree.visits(node);
  set_bits(tree, hot, ANDES_FRAME_UNTIMED);
  tell_children(tree, node);
  return true;
}

void make_exact(Tree& tree, std::uint32_t node) {
  andes_node& hot = tree.node(node);
  if (!is_sampled(hot)) return;
  SampleRecord& record = tree.records[hot.record];
  record.visits = sampled_visits(tree, node);
  record.blocks.k = record.blocks.rest = 0;
  set_bits(tree, hot, is_sampled(tree.node(hot.parent)) ? ANDES_FRAME_INSIDE : 0);
  set_countdown(tree, node, first_review);
  tell_children(tree, node);
}

std::int64_t visits_from_outside(const Tree& tree, std::uint32_t node) {
  const std::int64_t& base = tree.accounts[node].visits_base;
  for (int tries = 0; tries < 100; ++tries) {
    const std::int64_t before = __atomic_load_n(&base, __ATOMIC_ACQUIRE);
    const std::int64_t left = __atomic_load_n(&tree.node(node).countdown, __ATOMIC_ACQUIRE);
    if (before >= 0 && before == __atomic_load_n(&base, __ATOMIC_ACQUIRE)) return before - left;
  }
  const std::int64_t apart = __atomic_load_n(&base, __ATOMIC_ACQUIRE); // its thread has lost its core in the middle
      // of a change
  return apart < 0 ? visits_apart(apart) : tree.visits(node);
}

void begin_windowed(const Tree& tree, SampleRecord& record) {
  if (record.windowed) return;
  record.visits = sampled_visits(tree, record.node);
  record.windows.visits_seen = visits_from_outside(tree, record.node);
  store_relaxed(record.visits_marked, record.windows.visits_seen);
  begin_rounds(record.windows);
  __atomic_store_n(&record.windowed, true, __ATOMIC_RELEASE);
}

void end_windowed(const Tree& tree, SampleRecord& record) {
  if (!record.windowed) return;
  record.visits_before = visits_from_outside(tree, record.node);
  __atomic_store_n(&record.windowed, false, __ATOMIC_RELEASE);
}

void pin(Tree& tree, std::uint32_t node, Pin why) {
  std::uint8_t& pins = tree.accounts[node].pins;
  store_relaxed<std::uint8_t>(pins, pins | why); // other threads look at it
  make_exact(tree, node);
}

void forget_times(Tree& tree) {
  for (std::uint32_t i = 0; i < tree.node_count; ++i) {
    andes_node& node = tree.node(i);
    node.inclusive_ticks = node.inside_ticks = 0;
    tree.accounts[i].visits_before = tree.visits(i);
    tree.accounts[i].moved_ticks = 0;
    tree.accounts[i].tool_ticks = 0;
    tree.accounts[i].swept_inclusive = 0;
    tree.accounts[i].search_ticks = 0;
    if (tree.accounts[i].unseen_since != 0) tree.accounts[i].unseen_since = 1;
    for (std::uint32_t k = 0; k < tree.limits.events; ++k) counts_of(tree, i)[k] = 0;
    if (node.record == 0) continue;
    SampleRecord& record = tree.records[node.record];
    record.sample = {};
    record.interrupted = {};
    record.recursion_ticks = 0;
    record.below_ticks = 0;
    record.windows = {.visits_seen = tree.visits(i)};
    record.visits = 0;
    record.visits_before = tree.visits(i);
  }
}

} // namespace andes::monitor
