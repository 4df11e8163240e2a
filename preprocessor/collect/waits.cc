// Functions whose purpose is to wait. Those that wait only at times (read, a lock of a mutex) are not among them.
#include "preprocessor/collect/waits.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringSet.h"

#include "preprocessor/collect/library.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

const llvm::StringSet<>& waiting_functions() {
  static const llvm::StringSet<> names{"wait",
                                       "waitpid",
                                       "waitid",
                                       "wait3",
                                       "wait4",
                                       "system",
                                       "pclose",
                                       "pthread_join",
                                       "pthread_timedjoin_np",
                                       "pthread_clockjoin_np",
                                       "pthread_cond_wait",
                                       "pthread_cond_timedwait",
                                       "pthread_barrier_wait",
                                       "thrd_join",
                                       "cnd_wait",
                                       "cnd_timedwait",
                                       "sem_wait",
                                       "sem_timedwait",
                                       "sleep",
                                       "usleep",
                                       "nanosleep",
                                       "clock_nanosleep",
                                       "thrd_sleep",
                                       "pause",
                                       "sigwait",
                                       "sigwaitinfo",
                                       "sigtimedwait",
                                       "sigsuspend",
                                       "poll",
                                       "ppoll",
                                       "select",
                                       "pselect",
                                       "epoll_wait",
                                       "epoll_pwait",
                                       "accept"};
  return names;
}

const llvm::StringSet<>& waiting_functions_of_std() {
  static const llvm::StringSet<> names{"join",      "wait",        "wait_for",        "wait_until",
                                       "sleep_for", "sleep_until", "arrive_and_wait", "acquire"};
  return names;
}

/// Of std::future and std::shared_future.
bool is_get_of_future(const FunctionDecl& function, llvm::StringRef name) {
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  return method && name == "get" && method->getParent()->getIdentifier() &&
         method->getParent()->getName().ends_with("future");
}

} // namespace

bool is_waiting(const FunctionDecl& function) {
  if (!function.getIdentifier()) return false; // an operator
  const llvm::StringRef name = function.getName();
  if (!is_of_std(function)) return function.isGlobal() && function.isExternC() && waiting_functions().contains(name);
  return waiting_functions_of_std().contains(name) || is_get_of_future(function, name);
}

} // namespace andes::preprocessor
