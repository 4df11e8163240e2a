// The callers of the code that a sample of the program counter has found (counter_samples.h), by the copy of the stack
// that came with it. Unwind tables tell where each frame ends (frames.h). Where they do not, as in stubs of the linker,
// the stack is searched for the next address that a call may have left: that one may be of a call that has long
// returned.
#pragma once
#include "monitor/system/counter_samples.h"
#include "monitor/system/frames.h"

namespace andes::monitor {

class SampledCallers {
public:
  explicit SampledCallers(const CounterSample& sample);

  /// Where the next caller will go on; 0: there is none, or its frame was not copied.
  std::uintptr_t next();

private:
  bool search();

  const CounterSample& sample_;
  Frame frame_;
  std::uintptr_t limit_; // up to here the stack was copied
};

} // namespace andes::monitor
