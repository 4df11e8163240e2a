// Forks: the handlers that pthread_atfork() gets. The parent goes on unchanged. A child has memory of its own; it is
// measured only where it may be the process that begins MPI.
#pragma once

namespace andes::monitor {

void before_fork();
void after_fork_in_parent();
void after_fork_in_child();

} // namespace andes::monitor
