// Numbers that stand for places in lists.
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes {

/// A number that is known not to be negative (a rank, a region, a call path), as an index.
constexpr std::size_t at(std::int32_t number) { return static_cast<std::size_t>(number); }

} // namespace andes
