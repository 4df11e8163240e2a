// Task trampolines: how tasks of libgomp become visits. The runtime calls a task's function itself, some time, in some
// thread, with a copy of its data, so nothing of ours can go along. It is given another function instead, that of a
// trampoline, of which there are 256: each lets into the one function that it was taken for, and counts (decision 169).
//
// Invariants: a trampoline that is taken stays with its function; finding one takes no lock; what finds none runs as if
// nobody measured, which is said once.
#pragma once

namespace andes {

using TaskFunction = void (*)(void*);

/// What to give the runtime in the place of `function`; that itself where no trampoline is left.
TaskFunction trampoline_of(TaskFunction function);

} // namespace andes
