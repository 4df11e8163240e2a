#include "monitor/core/attached_values.h"

#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t slot_count = 2 * max_values;

bool start(AttachedTable& values) {
  if (values.table) return true;
  values.all = reserve_array<AttachedValue>(max_values);
  if (!values.all) return false;
  values.table = reserve_array<std::uint32_t>(slot_count);
  values.backed = backed_array(values.all, max_values);
  return values.table != nullptr;
}

bool is_of(const AttachedValue& value, std::uint32_t node, std::uint32_t region) {
  return value.node == node && value.region == region;
}

// The entry of (node, region); made if there is none. Null: no room.
AttachedValue* entry_of(AttachedTable& values, Budget& memory, std::uint32_t node, std::uint32_t region) {
  if (!start(values)) return nullptr;
  if (values.recent < values.count && is_of(values.all[values.recent], node, region)) return &values.all[values.recent];
  const std::uint64_t key = (std::uint64_t{node} << 32 | region) * 0x9e3779b97f4a7c15ull;
  auto slot = static_cast<std::uint32_t>(key >> 32) & (slot_count - 1);
  for (std::uint32_t index; (index = values.table[slot]) != 0; slot = (slot + 1) & (slot_count - 1))
    if (is_of(values.all[index - 1], node, region)) return &values.all[values.recent = index - 1];
  if (values.count == max_values || !memory.take(sizeof(AttachedValue) + 4 * sizeof(std::uint32_t))) return nullptr;
  AttachedValue& fresh = values.all[values.count];
  ensure_backed(values.backed, &fresh + 1);
  fresh = {node, region, 0, 0, 0, 0, 0, 0};
  values.recent = values.count;
  values.table[slot] = values.count + 1;
  __atomic_store_n(&values.count, values.count + 1, __ATOMIC_RELEASE);
  return &fresh;
}

} // namespace

bool attach_value(AttachedTable& values, Budget& memory, std::uint32_t node, std::uint32_t region, double value) {
  AttachedValue* entry = entry_of(values, memory, node, region);
  if (!entry) {
    ++values.lost;
    return false;
  }
  if (!__builtin_isfinite(value)) {
    ++entry->not_finite;
    return true;
  }
  if (entry->count == 0 || value < entry->min) entry->min = value;
  if (entry->count == 0 || value > entry->max) entry->max = value;
  entry->sum += value;
  entry->last = value;
  ++entry->count;
  return true;
}

} // namespace andes::monitor
