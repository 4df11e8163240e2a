#include "monitor/system/switch_mark.h"

#include <stddef.h>

#if __has_include(<sys/rseq.h>) && (defined(__x86_64__) || (defined(__aarch64__) && !defined(__AARCH64EB__)))
#include <sys/rseq.h>

// Of glibc 2.35: older ones load the library, too.
#pragma weak __rseq_offset
#pragma weak __rseq_size

// The address to which the kernel sends a thread that it interrupts in the described code. The code is empty, so no
// thread is ever sent there; but the kernel checks that the signature stands in front of this address.
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
  // Code of no bytes, in which no thread can be. Its begin must differ from the address to which interrupted threads
  // are sent.
  const auto place = reinterpret_cast<std::uintptr_t>(andes_never_sent_here);
  // The same values by every thread, each in one store: the kernel may be reading them for another thread.
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
