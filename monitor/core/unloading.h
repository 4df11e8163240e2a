// Unloading of modules: the next one may lie at the same addresses. So what leads to call paths by addresses in a
// module does not outlive it: its sites are taken from their regions, and each thread forgets the calls that it knows
// there (hidden_frames.h). Samples of its functions are counted before it goes; functions of two modules that begin at
// the same address form one sum.
//
// Invariants:
//  - ranges are added under the lock of the windows, and read without it: a reader that was overtaken takes all code
//    for unloaded.
#pragma once
#include <cstdint>

namespace andes::monitor {

struct Process;

/// Addresses from low to below high.
struct AddressRange {
  std::uintptr_t low, high;
};

/// Where modules lay that were unloaded: the latest ones.
struct UnloadedCode {
  static constexpr std::uint32_t most = 32;
  std::uint32_t count; // of all of them
  AddressRange latest[most];
};

/// A reader's copy of those since the first `seen` ones.
class UnloadedSince {
public:
  UnloadedSince(const UnloadedCode& unloaded, std::uint32_t seen);

  std::uint32_t seen() const { return seen_; }
  bool holds(std::uintptr_t address) const;

private:
  std::uint32_t seen_, count_ = 0;
  AddressRange ranges_[UnloadedCode::most];
};

/// Whether any module was unloaded since the first `seen` ones.
inline bool is_any_unloaded(const UnloadedCode& unloaded, std::uint32_t seen) {
  return __atomic_load_n(&unloaded.count, __ATOMIC_ACQUIRE) != seen; // with the ranges
}

/// By the writer, under its lock.
void add_unloaded(UnloadedCode& unloaded, AddressRange range);

struct LoadedObjects;

/// Around the unloading of modules: what is loaded before is handed on.
LoadedObjects* begin_unloading(Process& process);
void end_unloading(Process& process, LoadedObjects* before);

} // namespace andes::monitor
