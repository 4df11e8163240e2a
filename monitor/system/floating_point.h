// The program's floating-point environment: which exceptions it traps (gfortran's -ffpe-trap, feenableexcept), which
// flags are raised, how is rounded. The monitor computes in the program's threads; by a division of its own it must
// neither end the program nor raise a flag that the program reads (Fortran's STOP prints them).
#pragma once
#include <cstdint>

namespace andes::monitor {

#if defined(__x86_64__)
/// While it lives nothing is trapped and rounding is to nearest; then the program's environment is as it was. Of the
/// vector unit alone, in which all but `long double` is computed.
class KeepFloatingPoint {
public:
  KeepFloatingPoint() : kept_(__builtin_ia32_stmxcsr()) {
    if ((kept_ & ~flags) != standard) __builtin_ia32_ldmxcsr(standard);
  }
  ~KeepFloatingPoint() {
    if (__builtin_ia32_stmxcsr() != kept_) __builtin_ia32_ldmxcsr(kept_);
  }
  KeepFloatingPoint(const KeepFloatingPoint&) = delete;
  KeepFloatingPoint& operator=(const KeepFloatingPoint&) = delete;

private:
  static constexpr std::uint32_t flags = 0x3F, standard = 0x1F80; // as a process begins: all exceptions masked
  std::uint32_t kept_;
};

/// The same for the x87, which SQLite uses.
class KeepLongDouble {
public:
  KeepLongDouble() { asm volatile("fnstenv %0" : "=m"(kept_)); } // which masks all exceptions
  ~KeepLongDouble() { asm volatile("fldenv %0" : : "m"(kept_)); }
  KeepLongDouble(const KeepLongDouble&) = delete;
  KeepLongDouble& operator=(const KeepLongDouble&) = delete;

private:
  std::uint32_t kept_[7];
};
#else
#if defined(__aarch64__)
class KeepFloatingPoint {
public:
  KeepFloatingPoint() {
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control_), "=r"(status_));
    if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}));
  }
  ~KeepFloatingPoint() {
    if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(control_));
    asm volatile("msr fpsr, %0" : : "r"(status_));
  }
  KeepFloatingPoint(const KeepFloatingPoint&) = delete;
  KeepFloatingPoint& operator=(const KeepFloatingPoint&) = delete;

private:
  std::uint64_t control_, status_;
};
#else
struct KeepFloatingPoint {
  ~KeepFloatingPoint() {} // it is not kept there
};
#endif
struct KeepLongDouble {
  ~KeepLongDouble() {} // not unused
};
#endif

} // namespace andes::monitor
