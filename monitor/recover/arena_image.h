// ArenaImage: the bytes of an arena, and access to them by the process's addresses. Nothing is trusted: every
// access is checked against the table of stretches and the size of the file; missing bytes read as zero and
// are counted.
//
// Invariants:
//  - bytes are only ever copied out, whatever their alignment;
//  - an array never ends beyond its last byte in the file: so the reader's memory is bounded by the file's
//    size, however large the counts in the image are.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/refusal.h"
#include "monitor/arena/arena.h"

namespace andes::monitor {

class ArenaImage {
public:
  /// Throws Refusal: not an arena, of another build, or truncated. The bytes must stay valid.
  explicit ArenaImage(std::span<const std::byte> bytes);

  const ArenaHeader& header() const { return *header_; }

  /// Copies [address, address + bytes); returns the number of missing bytes, which are set to zero.
  std::uint64_t read(std::uint64_t address, void* to, std::uint64_t bytes) const;

  /// Number of bytes of [address, address + bytes) up to the last one in the file.
  std::uint64_t reach(std::uint64_t address, std::uint64_t bytes) const;

  /// The zero-terminated text, of at most `most` characters; empty if there is none.
  std::string text(std::uint64_t address, std::size_t most) const;
  /// A list of zero-terminated texts.
  std::vector<std::string> texts(const ArenaText& list) const;

private:
  /// The part of a stretch that is in the file.
  struct Piece {
    std::uint64_t address, end, offset;
  };
  std::span<const std::byte> bytes_;
  std::unique_ptr<ArenaHeader> header_;
  std::vector<Piece> pieces_; // by address
};

/// The address that a pointer of the image holds.
template <class T> std::uint64_t address_of(const T* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// Reads a bool of the image, which may hold any byte.
inline bool is_set(const bool& value) { return *reinterpret_cast<const unsigned char*>(&value) != 0; }

} // namespace andes::monitor
