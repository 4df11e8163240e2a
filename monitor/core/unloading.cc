#include "monitor/core/unloading.h"

#include <link.h>

#include "monitor/core/function_samples.h"
#include "monitor/core/process.h"
#include "monitor/core/windows.h"
#include "monitor/system/blocked_signals.h"
#include "monitor/system/memory.h"

namespace andes::monitor {

struct LoadedObjects {
  static constexpr std::uint32_t most = 512;
  std::uint32_t count;
  AddressRange ranges[most];

  bool are_too_many() const { return count == most; }
  bool holds(std::uintptr_t address) const {
    bool held = are_too_many();
    for (std::uint32_t i = 0; i < count && !held; ++i) held = address >= ranges[i].low && address < ranges[i].high;
    return held;
  }
};

namespace {

constexpr AddressRange all_addresses = {0, UINTPTR_MAX};

int note_object(dl_phdr_info* info, std::size_t, void* noted) {
  auto& loaded = *static_cast<LoadedObjects*>(noted);
  AddressRange range = {UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const std::uintptr_t low = info->dlpi_addr + part.p_vaddr, high = low + part.p_memsz;
    if (low < range.low) range.low = low;
    if (high > range.high) range.high = high;
  }
  if (range.low < range.high && !loaded.are_too_many()) loaded.ranges[loaded.count++] = range;
  return 0;
}

void add_what_is_gone(UnloadedCode& unloaded, const LoadedObjects* before, const LoadedObjects& now) {
  if (!before || before->are_too_many() || now.are_too_many()) {
    add_unloaded(unloaded, all_addresses);
    return;
  }
  for (std::uint32_t i = 0; i < before->count; ++i)
    if (!now.holds(before->ranges[i].low)) add_unloaded(unloaded, before->ranges[i]);
}

} // namespace

void add_unloaded(UnloadedCode& unloaded, AddressRange range) {
  __atomic_thread_fence(__ATOMIC_RELEASE); // a reader that sees any of the new range sees the count before
  AddressRange& slot = unloaded.latest[unloaded.count % UnloadedCode::most];
  __atomic_store_n(&slot.low, range.low, __ATOMIC_RELAXED);
  __atomic_store_n(&slot.high, range.high, __ATOMIC_RELAXED);
  __atomic_store_n(&unloaded.count, unloaded.count + 1, __ATOMIC_RELEASE); // the range, to readers
}

UnloadedSince::UnloadedSince(const UnloadedCode& unloaded, std::uint32_t seen)
    : seen_(__atomic_load_n(&unloaded.count, __ATOMIC_ACQUIRE)) {
  const auto is_overtaken = [&](std::uint32_t count) { return count - seen >= UnloadedCode::most; };
  if (!is_overtaken(seen_))
    for (std::uint32_t i = seen; i != seen_; ++i) {
      const AddressRange& slot = unloaded.latest[i % UnloadedCode::most];
      ranges_[count_++] = {__atomic_load_n(&slot.low, __ATOMIC_RELAXED), __atomic_load_n(&slot.high, __ATOMIC_RELAXED)};
    }
  // The writer may be at work on the slot after its count.
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (!is_overtaken(__atomic_load_n(&unloaded.count, __ATOMIC_RELAXED))) return;
  count_ = 1;
  ranges_[0] = all_addresses;
}

bool UnloadedSince::holds(std::uintptr_t address) const {
  for (std::uint32_t i = 0; i < count_; ++i)
    if (address >= ranges_[i].low && address < ranges_[i].high) return true;
  return false;
}

LoadedObjects* begin_unloading(Process& process) {
  Windows& windows = process.windows;
  LoadedObjects* before = nullptr;
  if (__atomic_load_n(&windows.sites.entries, __ATOMIC_ACQUIRE) && (before = reserve_array<LoadedObjects>(1)))
    dl_iterate_phdr(note_object, before); // takes the loader's lock: must not be called under ours
  const BlockedSignals blocked;
  const LockedWindows locked(windows);
  if (windows.open) close_window(process, ticks_now(process.clock));
  read_samples(process);
  windows.unloading++;
  return before;
}

void end_unloading(Process& process, LoadedObjects* before) {
  Windows& windows = process.windows;
  LoadedObjects now = {};
  const bool any_sites = __atomic_load_n(&windows.sites.entries, __ATOMIC_ACQUIRE) != nullptr;
  if (any_sites) dl_iterate_phdr(note_object, &now);
  {
    const BlockedSignals blocked;
    const LockedWindows locked(windows);
    windows.unloading--;
    if (any_sites) add_what_is_gone(windows.unloaded, before, now);
    const std::uint32_t regions = __atomic_load_n(&process.registry.count, __ATOMIC_ACQUIRE);
    for (std::uint32_t i = 1; i < regions && any_sites; ++i)
      remove_sites(windows.sites, process.registry.regions[i],
                   [&](const andes_site* site) { return !now.holds(reinterpret_cast<std::uintptr_t>(site)); });
  }
  if (before) unreserve(before, sizeof *before);
}

} // namespace andes::monitor
