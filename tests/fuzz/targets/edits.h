// Edits: an input as changes to bytes that are valid, so that libFuzzer does not have to find out what
// valid bytes look like. Each edit is small: a byte, a number in the places of a word, a piece cut out
// or written twice. Of run files that libFuzzer makes up by itself none gets past SQLite's own checks, and mutations of
// whole valid files break pages, not meanings.
#pragma once
#include <cstring>

#include "tests/fuzz/targets/input.h"

namespace andes::fuzz {

/// Numbers at which readers break: around nothing, and at the ends of the types.
inline std::uint64_t telling_number(Input& input) {
  constexpr std::uint64_t numbers[] = {0, 1, 2, 3, 7, 127, 128, 255, 65535, 0x7fffffff, 0x80000000,
      0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
      0x7ff0000000000000 /* inf */, 0x7ff8000000000000 /* nan */, 0x7fefffffffffffff /* largest */};
  return input.ConsumeBool() ? input.PickValueInArray(numbers) : input.ConsumeIntegral<std::uint16_t>();
}

inline void edit(std::string& bytes, Input& input) {
  if (bytes.empty()) return;
  const auto at = input.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1);
  const std::size_t left = bytes.size() - at;
  switch (input.ConsumeIntegralInRange(0, 5)) {
  case 0: bytes[at] = static_cast<char>(input.ConsumeIntegral<std::uint8_t>()); break;
  case 1:
  case 2: {
    constexpr std::size_t widths[] = {1, 2, 4, 8};
    const std::size_t width = std::min(left, input.PickValueInArray(widths));
    const std::uint64_t number = telling_number(input);
    std::memcpy(bytes.data() + at, &number, width);
    break;
  }
  case 3: bytes.erase(at, input.ConsumeIntegralInRange<std::size_t>(1, 64)); break;
  case 4: bytes.insert(at, bytes.substr(at, input.ConsumeIntegralInRange<std::size_t>(1, 64))); break;
  case 5: bytes.resize(at); break;
  }
}

} // namespace andes::fuzz
