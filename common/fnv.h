// The hash of Fowler, Noll and Vo, FNV-1a with 64 bits: for names, which are short and not chosen by attackers to
// collide.
#pragma once
#include <cstdint>
#include <string_view>

namespace andes {

constexpr std::uint64_t fnv_start = 14695981039346656037ull;

/// One step: extends `hash` by `value` (a byte, or a small number).
constexpr std::uint64_t fnv_step(std::uint64_t hash, std::uint64_t value) { return (hash ^ value) * 1099511628211ull; }

/// Hash of a text; `hash`: of the text before it.
constexpr std::uint64_t fnv_hash(std::string_view text, std::uint64_t hash = fnv_start) {
  for (const char c : text) hash = fnv_step(hash, static_cast<unsigned char>(c));
  return hash;
}

} // namespace andes
