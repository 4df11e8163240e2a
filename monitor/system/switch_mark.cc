#include "monitor/system/switch_mark.h"

#include <stddef.h>

#if __has_include(<sys/rseq.h>) && (defined(__x86_64__) || (defined(__aarch64__) && !defined(__AARCH64EB__)))
#include <sys/rseq.h>

// Of glibc 2.35: older ones load the library, too.
#pragma weak __rseq_offset
#pragma weak __rseq_size

// Where the kernel sends a thread that was interrupted in the code. None ever is, as there is no such code, but the
// kernel insists on the signature in front of that place.
#define ANDES_TEXT_OF(value) #value
#define ANDES_LONG(value) ".long " ANDES_TEXT_OF(value) "\n"
__asm__(".pushsection .text\n.balign 8\n" ANDES_LONG(
    RSEQ_SIG) ".hidden andes_never_sent_here\n.globl andes_never_sent_here\n"
              "andes_never_sent_here: .zero 12\n.popsection\n");
extern "C" const char andes_never_sent_here[] __attribute__((visibility("hidden")));

namespace andes::monitor {

static_assert(sizeof(UninterruptedCode) == sizeof(rseq_cs));
static_assert(offsetof(UninterruptedCode, interrupted_goes_to) == offsetof(rseq_cs, abort_ip));

UninterruptedCode no_code;

std::uint64_t* switch_mark_of_this_thread() {
  if (!&__rseq_offset || !&__rseq_size || __rseq_size == 0) return nullptr;
  const auto thread = reinterpret_cast<char*>(__builtin_thread_pointer());
  auto* const registered = reinterpret_cast<struct rseq*>(thread + __rseq_offset);
  if (static_cast<std::int32_t>(registered->cpu_id) < 0) return nullptr;
  // Nothing is within a code of no bytes; its begin must not be the place that interrupted threads are sent to.
  const auto place = reinterpret_cast<std::uintptr_t>(andes_never_sent_here);
  // Each word once and for all, as the kernel may be reading it for another thread.
  store_relaxed<std::uint64_t>(no_code.interrupted_goes_to, place);
  store_relaxed<std::uint64_t>(no_code.begin, place + 8);
  static_assert(sizeof registered->rseq_cs == sizeof(std::uint64_t));
  return reinterpret_cast<std::uint64_t*>(&registered->rseq_cs);
}

} // namespace andes::monitor

#else

namespace andes::monitor {

UninterruptedCode no_code;

std::uint64_t* switch_mark_of_this_thread() { return nullptr; }

} // namespace andes::monitor

#endif
