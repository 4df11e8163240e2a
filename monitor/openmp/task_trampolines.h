// Task trampolines: how tasks of libgomp become visits. The runtime itself calls a task's function later, in some
// thread, with a copy of its data, so the monitor cannot attach anything to the call. The runtime is given the function
// of a trampoline instead. There are 256 trampolines: each serves one task function, opens a visit and calls that
// function (decision 169).
//
// Invariants: a trampoline that is taken stays with its function; finding one takes no lock; a task for which none is
// left runs unmeasured, and a message says so once.
#pragma once

namespace andes::monitor {

using TaskFunction = void (*)(void*);

/// The function to hand to the runtime in place of `function`; `function` itself if no trampoline is left.
TaskFunction trampoline_of(TaskFunction function);

} // namespace andes::monitor
