// Tags of channels of partitioned messages. These match no other messages, and each other in the order in which their
// requests are made; so each request of a peer and tag has a channel of its own, whose tag no other message has.
#pragma once
#include <cstdint>

namespace andes::monitor {

/// They are negative, as no tag of a program is; bit 30 is clear, so none is -1, which stands for any tag.
inline constexpr std::int32_t partitioned_bit = INT32_MIN, partitioned_tag_bits = 24;
constexpr bool is_partitioned(std::int32_t tag) { return tag < -1; }

/// Of the request with `number` requests of the peer and tag before it. Tags beyond 2^24 and requests beyond 64 share
/// channels: the order of their starts is the same on both sides, too.
constexpr std::int32_t partitioned_tag(std::int32_t tag, std::uint64_t number) {
  constexpr std::int32_t mask = (1 << partitioned_tag_bits) - 1;
  return partitioned_bit | static_cast<std::int32_t>(number & 0x3f) << partitioned_tag_bits | (tag & mask);
}

/// The program's tag, of any channel of messages.
constexpr std::int32_t program_tag(std::int32_t tag) {
  return is_partitioned(tag) ? tag & ((1 << partitioned_tag_bits) - 1) : tag;
}

} // namespace andes::monitor
