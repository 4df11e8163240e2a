// ArenaImage: the bytes of an arena, and what the addresses in it lead to. Nothing is trusted: every access is
// checked against the table of stretches and the size of the file; what is not there reads as zero, and is
// counted.
//
// Invariants:
//  - bytes are only ever copied out, whatever their alignment;
//  - an array is never taken to be longer than the last byte of it that the file has: so what a reader makes
//    of the image is bounded by the file's size, however large the counts in it are.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "monitor/arena/arena.h"
#include "common/refusal.h"

namespace andes {

class ArenaImage {
public:
  /// Throws Refusal: no arena, of another build, cut off. The bytes must stay where they are.
  explicit ArenaImage(std::span<const std::byte> bytes);

  const ArenaHeader& header() const { return *header_; }

  /// Copies [address, address + bytes); returns how many of them are not there, and are zero.
  std::uint64_t read(std::uint64_t address, void* to, std::uint64_t bytes) const;

  /// Of [address, address + bytes), the bytes up to the last that is there.
  std::uint64_t reach(std::uint64_t address, std::uint64_t bytes) const;

  /// The text that ends with a zero, of at most `most` characters; empty where there is none.
  std::string text(std::uint64_t address, std::size_t most) const;
  /// Texts with a zero behind each.
  std::vector<std::string> texts(const ArenaText& list) const;

private:
  /// A stretch as far as the file has it.
  struct Piece {
    std::uint64_t address, end, offset;
  };
  std::span<const std::byte> bytes_;
  std::unique_ptr<ArenaHeader> header_;
  std::vector<Piece> pieces_; // by address
};

/// The address that a pointer of the image holds.
template <class T> std::uint64_t address_of(const T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

/// A truth value of the image: any byte may stand there.
inline bool is_set(const bool& value) {
  return *reinterpret_cast<const unsigned char*>(&value) != 0;
}

} // namespace andes
