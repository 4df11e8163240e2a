#include "monitor/core/location.h"

#include <pthread.h>
#include <string.h>

#include "monitor/core/memory.h"

namespace andes {
namespace {

constexpr std::uint32_t frame_count = 65536;
constexpr std::uint32_t spare_frames = 4; // for MPI calls at the very top

// What hot.cached points to while nothing shall be measured: no region has a node.
std::uint32_t* no_nodes() {
  static std::uint32_t* const zeros = reserve_array<std::uint32_t>(max_regions);
  return zeros;
}

std::uint32_t slot_of(const Location& location, std::uint32_t parent, std::uint32_t region) {
  std::uint64_t key = (static_cast<std::uint64_t>(parent) << 32 | region) * 0x9e3779b97f4a7c15ull;
  return static_cast<std::uint32_t>(key >> 32) & location.table_mask;
}

// The slot that holds (parent, region), or the empty one where it belongs.
std::uint32_t find_slot(const Location& location, std::uint32_t parent, std::uint32_t region) {
  std::uint32_t slot = slot_of(location, parent, region);
  for (std::uint32_t index; (index = location.table[slot]) != 0;
       slot = (slot + 1) & location.table_mask) {
    const andes_node& node = location.hot.nodes[index];
    if (node.parent == parent && node.region == region) break;
  }
  return slot;
}

std::uint32_t new_node(Location& location, std::uint32_t parent, std::uint32_t region,
                       std::uint32_t kind) {
  std::uint32_t index = location.node_count;
  andes_node& node = location.hot.nodes[index];
  node.region = region;
  node.kind = kind;
  node.parent = parent;
  node.depth = parent == ANDES_NO_NODE ? 0 : location.hot.nodes[parent].depth + 1;
  location.node_count = index + 1;
  return index;
}

// Moves the time of a visit from the caller's node to the frame's own.
void move_time(Location& location, const andes_frame& frame, std::uint64_t ticks) {
  location.hot.nodes[(&frame - 1)->node].moved_ticks -= static_cast<std::int64_t>(ticks);
  location.hot.nodes[frame.node].moved_ticks += static_cast<std::int64_t>(ticks);
}

void end_visit(Location& location, andes_frame& frame, std::uint64_t now_ticks) {
  if (frame.folded & ANDES_FRAME_SUSPENDED) now_ticks = location.suspended_since_ticks;
  std::uint64_t ticks = now_ticks > frame.enter_ticks ? now_ticks - frame.enter_ticks : 0;
  andes_node& node = location.hot.nodes[frame.node];
  if (frame.folded & ANDES_FRAME_FOLDED)
    move_time(location, frame, ticks);
  else
    node.inclusive_ticks += ticks;
  node.active--;
}

void open_root(Location& location, std::uint64_t now_ticks) {
  location.frames[0] = {now_ticks, location.stack_high, 0, node_root, 0};
  location.hot.nodes[node_root].visits++;
  location.hot.nodes[node_root].active = 1;
  location.hot.top = location.frames;
  location.hot.cached = location.node_of_region;
  location.suspended = false;
  location.in_use = true;
}

// Where this thread's stack lies. Unknown bounds become the whole address space: then nothing is
// taken for another stack.
void find_stack(Location& location) {
  location.hot.stack_low = 0;
  location.stack_high = ~std::uintptr_t{0} >> 1;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0 && bytes != 0) {
    location.hot.stack_low = reinterpret_cast<std::uintptr_t>(low);
    location.stack_high = location.hot.stack_low + bytes;
  }
  pthread_attr_destroy(&attributes);
}

} // namespace

bool location_start(Location& location, const TreeLimits& limits, std::uint32_t root_region,
                    std::uint64_t now_ticks) {
  location.limits = limits;
  if (location.limits.nodes < 2 * first_free_node) location.limits.nodes = 2 * first_free_node;
  std::uint32_t slots = power_of_two(2 * location.limits.nodes);
  location.hot.nodes = reserve_array<andes_node>(location.limits.nodes);
  location.frames = reserve_array<andes_frame>(frame_count + spare_frames);
  location.node_of_region = reserve_array<std::uint32_t>(max_regions);
  location.table = reserve_array<std::uint32_t>(slots);
  location.traffic_limit = location.limits.nodes;
  location.traffic = reserve_array<andes_traffic>(location.traffic_limit);
  if (!location.hot.nodes || !location.frames || !location.node_of_region || !location.table ||
      !location.traffic || !no_nodes())
    return false;
  location.table_mask = slots - 1;
  location.traffic_count = 1;
  location.hot.limit = location.frames + frame_count - 1;
  // An index of 0 in node_of_region means "none": the root must never pass for a child.
  new_node(location, ANDES_NO_NODE, root_region, ANDES_KIND_ROOT);
  new_node(location, node_root, region_tool, ANDES_KIND_TOOL);
  new_node(location, node_root, region_more, ANDES_KIND_OVERFLOW);
  new_node(location, node_root, region_more_mpi, ANDES_KIND_MANAGEMENT);
  find_stack(location);
  location.first_ticks = now_ticks;
  open_root(location, now_ticks);
  return true;
}

void location_resume(Location& location, std::uint64_t now_ticks) {
  find_stack(location);
  open_root(location, now_ticks);
}

std::uint32_t child_node(Location& location, std::uint32_t region, std::uint32_t kind,
                         bool& folded) {
  andes_node* nodes = location.hot.nodes;
  const std::uint32_t parent = location.hot.top->node;
  folded = false;
  std::uint32_t slot = find_slot(location, parent, region);
  std::uint32_t index = location.table[slot];
  if (index == 0 && location.limits.fold_recursion && !ANDES_KIND_IS_MPI(kind))
    for (std::uint32_t above = parent; above != ANDES_NO_NODE; above = nodes[above].parent)
      if (nodes[above].region == region) {
        index = above;
        break;
      }
  if (index == 0) {
    // Below node_more only MPI calls have nodes of their own: their time is of another kind.
    const bool more_mpi = ANDES_KIND_IS_MPI(kind);
    if (location.node_count == location.limits.nodes ||
        (!more_mpi && (parent == node_more || nodes[parent].depth >= location.limits.depth))) {
      folded = true;
      return more_mpi ? node_more_mpi : node_more;
    }
    index = location.table[slot] = new_node(location, parent, region, kind);
  }
  folded = nodes[index].active != 0;
  if (!folded) location.node_of_region[region] = index;
  return index;
}

void drop_stale_frames(Location& location, std::uintptr_t stack, std::uintptr_t caller,
                       std::uint64_t now_ticks) {
  if (stack < location.hot.stack_low || stack >= location.stack_high) return; // another stack
  for (andes_frame* top; (top = location.hot.top) != location.frames;) {
    const bool deeper = top->stack >= location.hot.stack_low && top->stack < stack;
    const bool replaced = top->stack == stack && top->caller != caller;
    if (!deeper && !replaced) break;
    pop_frames(location, top, now_ticks);
  }
}

andes_frame* push_frame(Location& location, std::uint32_t node, bool folded,
                        std::uintptr_t stack, std::uintptr_t caller) {
  andes_frame* top = location.hot.top;
  location.hot.nodes[node].visits++;
  const bool is_mpi = ANDES_KIND_IS_MPI(location.hot.nodes[node].kind);
  if (top >= location.hot.limit + (is_mpi ? spare_frames : 0)) return nullptr;
  andes_frame* frame = top + 1;
  location.hot.nodes[node].active++;
  frame->node = node;
  frame->folded = folded ? ANDES_FRAME_FOLDED : 0;
  frame->stack = stack;
  frame->caller = caller;
  location.hot.top = frame;
  return frame;
}

void pop_frames(Location& location, andes_frame* frame, std::uint64_t now_ticks) {
  if (frame <= location.frames || frame > location.hot.top) return;
  for (andes_frame* top = location.hot.top; top >= frame; --top) {
    end_visit(location, *top, now_ticks);
    location.hot.top = top - 1;
  }
}

void charge_tool(Location& location, std::uint64_t ticks) {
  location.hot.nodes[location.hot.top->node].moved_ticks -= static_cast<std::int64_t>(ticks);
  location.hot.nodes[node_tool].moved_ticks += static_cast<std::int64_t>(ticks);
  location.hot.nodes[node_tool].visits++;
}

void switch_off(Location& location, std::uint64_t now_ticks) {
  if (location.suspended || !location.in_use) return;
  location.suspended = true;
  location.suspended_since_ticks = now_ticks;
  location.hot.cached = no_nodes();
  for (andes_frame* frame = location.frames; frame <= location.hot.top; ++frame)
    frame->folded |= ANDES_FRAME_SUSPENDED;
}

void switch_on(Location& location, std::uint64_t now_ticks) {
  if (!location.suspended || !location.in_use) return;
  const std::uint64_t off = now_ticks - location.suspended_since_ticks;
  location.off_ticks += off;
  for (andes_frame* frame = location.frames; frame <= location.hot.top; ++frame) {
    frame->folded &= ~static_cast<std::uint32_t>(ANDES_FRAME_SUSPENDED);
    frame->enter_ticks += off;
  }
  location.suspended = false;
  location.hot.cached = location.node_of_region;
}

void restart_times(Location& location, std::uint64_t now_ticks) {
  for (std::uint32_t i = 0; i < location.node_count; ++i) {
    location.hot.nodes[i].inclusive_ticks = 0;
    location.hot.nodes[i].moved_ticks = 0;
  }
  if (!location.in_use) return;
  for (andes_frame* frame = location.frames; frame <= location.hot.top; ++frame)
    frame->enter_ticks = now_ticks;
  if (location.suspended) location.suspended_since_ticks = now_ticks;
  location.off_ticks = 0;
  location.first_ticks = now_ticks;
}

void close_frames(Location& location, std::uint64_t now_ticks) {
  if (!location.in_use) return;
  if (location.suspended) location.off_ticks += now_ticks - location.suspended_since_ticks;
  pop_frames(location, location.frames + 1, now_ticks);
  end_visit(location, location.frames[0], now_ticks);
  location.last_ticks = now_ticks;
  location.hot.cached = no_nodes();
  location.in_use = false;
}

} // namespace andes

static_assert(sizeof(andes_node) == 64, "a node is one cache line");
static_assert(sizeof(andes_frame) == 32 && sizeof(andes_site) == 32 && sizeof(andes_view) == 16,
              "layouts that instrumented code is compiled against");
