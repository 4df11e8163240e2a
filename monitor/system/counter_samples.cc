#include "monitor/system/counter_samples.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstring>

#include "monitor/system/system_call.h"

namespace andes::monitor {

bool take_own_files() {
  constexpr long close_range = 436, unshare = 2; // on all processors; CLOSE_RANGE_UNSHARE
  return system_call(close_range, 0, UINT_MAX, unshare) == 0;
}

#ifdef __x86_64__
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::uint64_t data_bytes = ring_bytes - page_bytes; // a power of two

/// As a sample of these attributes lies in the ring (perf_event_open(2), "MMAP layout").
struct Head {
  perf_event_header header;
  std::uint64_t kind_of_registers; // 0: a thread of the kernel
};
struct Registers {
  std::uint64_t base_pointer, stack_pointer, counter, stack_bytes;
};

perf_event_attr attributes(std::uint64_t period_ns, bool in_kernel) {
  constexpr std::uint64_t base_stack_and_counter = 1 << 6 | 1 << 7 | 1 << 8; // asm/perf_regs.h: PERF_REG_X86_BP and on
  perf_event_attr of = {};
  of.size = sizeof of;
  of.type = PERF_TYPE_SOFTWARE;
  of.config = PERF_COUNT_SW_CPU_CLOCK;
  of.sample_period = period_ns;
  of.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  of.sample_regs_user = base_stack_and_counter;
  of.sample_stack_user = sample_words * sizeof(std::uintptr_t);
  of.exclude_kernel = !in_kernel;
  of.exclude_hv = 1;
  of.watermark = 1; // nobody waits for the ring
  of.wakeup_watermark = UINT32_MAX;
  return of;
}

/// The number of a file, or -errno.
long open_event(std::int32_t thread_id, std::uint64_t period_ns, bool in_kernel) {
  constexpr long any_processor = -1, no_group = -1;
  perf_event_attr of = attributes(period_ns, in_kernel);
  return system_call(SYS_perf_event_open, reinterpret_cast<long>(&of), thread_id, any_processor, no_group,
                     PERF_FLAG_FD_CLOEXEC);
}

bool is_error(long result) { return result < 0 && result > -4096; }

} // namespace

bool start_samples(CounterSamples& samples, std::int32_t thread_id, std::uint64_t period_ns) {
  long file = open_event(thread_id, period_ns, true);
  samples.in_program_alone = is_error(file);
  if (is_error(file)) file = open_event(thread_id, period_ns, false); // unprivileged users may see their own code
  if (is_error(file)) return false;
  const long ring = system_call(SYS_mmap, 0, ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  system_call(SYS_close, file); // the event lives as long as the ring
  if (is_error(ring)) return false;
  samples.ring = reinterpret_cast<unsigned char*>(ring);
  return true;
}

void stop_samples(CounterSamples& samples) {
  if (samples.ring) system_call(SYS_munmap, reinterpret_cast<long>(samples.ring), ring_bytes);
  samples.ring = nullptr;
}

SampleReader::SampleReader(const CounterSamples& samples) : ring_(samples.ring) {
  if (!ring_) return;
  const auto* page = reinterpret_cast<const perf_event_mmap_page*>(ring_);
  at_ = page->data_tail;
  end_ = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
}

SampleReader::~SampleReader() {
  if (ring_) __atomic_store_n(&reinterpret_cast<perf_event_mmap_page*>(ring_)->data_tail, end_, __ATOMIC_RELEASE);
}

void SampleReader::copy(void* into, std::uint64_t place, std::size_t bytes) const {
  const std::uint64_t begin = place % data_bytes, left = data_bytes - begin, before_end = bytes < left ? bytes : left;
  std::memcpy(into, ring_ + page_bytes + begin, before_end);
  std::memcpy(static_cast<unsigned char*>(into) + before_end, ring_ + page_bytes, bytes - before_end);
}

bool SampleReader::next(CounterSample& sample) {
  while (at_ < end_) {
    Head head;
    copy(&head, at_, sizeof head);
    const std::uint64_t begin = at_;
    if (head.header.size == 0) return false;
    at_ += head.header.size;
    if (head.header.type == PERF_RECORD_LOST) {
      std::uint64_t lost[2]; // the event's number, how many
      copy(lost, begin + sizeof head.header, sizeof lost);
      lost_ += lost[1];
    }
    if (head.header.type != PERF_RECORD_SAMPLE || head.kind_of_registers == PERF_SAMPLE_REGS_ABI_NONE) continue;
    Registers registers;
    copy(&registers, begin + sizeof head, sizeof registers);
    std::uint64_t known_bytes = 0; // stands behind the stack, where there is one
    const std::uint64_t stack = begin + sizeof head + sizeof registers;
    if (registers.stack_bytes != 0) copy(&known_bytes, stack + registers.stack_bytes, sizeof known_bytes);
    sample.counter = registers.counter;
    sample.base_pointer = registers.base_pointer;
    sample.stack_pointer = registers.stack_pointer;
    const std::uint64_t words = known_bytes / sizeof(std::uintptr_t);
    sample.words = words < sample_words ? static_cast<std::uint32_t>(words) : sample_words;
    copy(sample.stack, stack, sample.words * sizeof(std::uintptr_t));
    return true;
  }
  return false;
}

#else
bool start_samples(CounterSamples&, std::int32_t, std::uint64_t) { return false; }
void stop_samples(CounterSamples&) {}
SampleReader::SampleReader(const CounterSamples&) : ring_(nullptr) {}
SampleReader::~SampleReader() = default;
bool SampleReader::next(CounterSample&) { return false; }
#endif

} // namespace andes::monitor
