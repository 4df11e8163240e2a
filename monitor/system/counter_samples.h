// Samples of the program counter of one thread, which the kernel takes at equal times of the thread's processor time
// (perf_event_open(2)) and writes into a ring in memory: no signal, and nothing that the program could see but the
// number of a file for as long as starting takes. Where the kernel does not allow it there are none. Nothing here needs
// data of the C library for each thread: the thread of the windows (window_thread.h) has none.
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes::monitor {

/// Of the stack. Below a WRITE of Fortran's, libgfortran and its caller's parameters for it take 0.6 to 1.3 kB, below a
/// `throw` of C++ what looks for the handler 2 to 3 kB.
inline constexpr std::uint32_t sample_words = 512;
inline constexpr std::uint32_t ring_pages = 64; // holds sixty samples
inline constexpr std::size_t ring_bytes = (1 + ring_pages) * std::size_t{4096}; // with the kernel's own page

/// A thread as it was in the program's code, or had called the kernel from there.
struct CounterSample {
  std::uintptr_t counter; // the address of its next instruction
  std::uintptr_t base_pointer, stack_pointer;
  std::uint32_t words; // known ones of the stack
  std::uintptr_t stack[sample_words]; // the words from its stack pointer on
};

/// All zero: no samples are taken.
struct CounterSamples {
  unsigned char* ring;
  bool in_program_alone; // not in the kernel on behalf of the program, which this user may not see
};

/// Gives the calling thread a table of files of its own: an event has a number of one for a moment, which the program
/// would see. False: the kernel cannot (before Linux 5.9).
bool take_own_files();

/// Starts to take samples of a thread of this process. False: the kernel refuses. The first event of a machine keeps
/// the caller waiting for 10 to 90 ms, until all its processors know.
bool start_samples(CounterSamples& samples, std::int32_t thread_id, std::uint64_t period_ns);
void stop_samples(CounterSamples& samples);

/// Reads the samples since the last reading; any thread may, one at a time.
class SampleReader {
public:
  explicit SampleReader(const CounterSamples& samples);
  ~SampleReader();
  SampleReader(const SampleReader&) = delete;
  SampleReader& operator=(const SampleReader&) = delete;

  bool next(CounterSample& sample);
  /// Samples so far for which the ring had no room.
  std::uint64_t lost() const { return lost_; }

private:
  void copy(void* into, std::uint64_t place, std::size_t bytes) const;

  unsigned char* ring_;
  std::uint64_t at_ = 0, end_ = 0, lost_ = 0;
};

} // namespace andes::monitor
