// The table is .eh_frame_hdr (Linux Standard Base, core specification, 10.6.2), sorted by where functions begin; what
// it leads to are frame description entries (DWARF 5, 6.4.1, with the changes of .eh_frame).
#include "monitor/system/functions.h"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstring>

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#define ANDES_FINDS_OBJECTS 1
#pragma weak _dl_find_object
#endif
#endif

namespace andes::monitor {

#ifdef ANDES_FINDS_OBJECTS
namespace {

// Ways of writing addresses (DW_EH_PE): the ones that linkers use.
constexpr unsigned char relative_to_itself = 0x1b, unsigned_4 = 0x03, relative_to_table = 0x3b;

struct Header {
  unsigned char version, frame_way, count_way, table_way;
  std::int32_t frame;
  std::uint32_t count;
};
struct Entry {
  std::int32_t begin, description; // relative to the header
};
struct Description {
  std::uint32_t bytes, common;
  std::int32_t begin; // relative to itself
  std::uint32_t length;
};

template <class T> T read(std::uintptr_t place) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(place), sizeof value);
  return value;
}

// How many bytes the function has from `begin` on; 0: written in a way that is not known here.
std::uint32_t length_of(std::uintptr_t description, std::uintptr_t begin) {
  const auto read_one = read<Description>(description);
  const std::uintptr_t written =
      description + offsetof(Description, begin) + static_cast<std::intptr_t>(read_one.begin);
  return written == begin ? read_one.length : 0;
}

} // namespace

[[gnu::no_sanitize("address")]] DescribedFunction described_function(std::uintptr_t address) {
  dl_find_object object;
  if (!_dl_find_object || _dl_find_object(reinterpret_cast<void*>(address), &object) != 0 || !object.dlfo_eh_frame)
    return {};
  const auto table = reinterpret_cast<std::uintptr_t>(object.dlfo_eh_frame);
  const auto header = read<Header>(table);
  if (header.version != 1 || header.frame_way != relative_to_itself || header.count_way != unsigned_4 ||
      header.table_way != relative_to_table)
    return {};
  const auto entry = [&](std::uint32_t i) { return read<Entry>(table + sizeof header + i * sizeof(Entry)); };
  const auto begin_of = [&](const Entry& of) { return table + static_cast<std::intptr_t>(of.begin); };
  std::uint32_t low = 0, high = header.count; // the last one that begins at the address or before
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (begin_of(entry(middle)) <= address) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return {};
  const Entry found = entry(low - 1);
  const std::uintptr_t begin = begin_of(found), description = table + static_cast<std::intptr_t>(found.description);
  if (address - begin >= length_of(description, begin)) return {};
  return {begin, description};
}

const char* object_at(std::uintptr_t address) {
  dl_find_object object;
  const bool is_known = _dl_find_object && _dl_find_object(reinterpret_cast<void*>(address), &object) == 0;
  return is_known && object.dlfo_link_map->l_name ? object.dlfo_link_map->l_name : "";
}

#if defined(__x86_64__)
namespace {

constexpr unsigned char call_near = 0xe8, jump_near = 0xe9, group_5 = 0xff;
constexpr std::uintptr_t near_bytes = 5;

/// The code of a function before an address.
class CodeBefore {
public:
  explicit CodeBefore(std::uintptr_t address) : address_(address) {
    const std::uintptr_t begin = address == 0 ? 0 : function_at(address - 1); // what never returns may end a function
    bytes_ = begin == 0 ? 0 : address - begin;
  }

  /// Target of the instruction that has this first byte and a distance of four bytes; 0: it is another one.
  std::uintptr_t near_target(unsigned char operation) const {
    if (bytes_ < near_bytes || byte(near_bytes) != operation) return 0;
    return address_ + static_cast<std::intptr_t>(read<std::int32_t>(address_ - 4));
  }
  /// FF /2 of that length.
  bool is_indirect_call(std::uintptr_t length) const {
    constexpr unsigned char of_operation = 0x38, call = 0x10;
    return bytes_ >= length && byte(length) == group_5 && (byte(length - 1) & of_operation) == call;
  }

private:
  unsigned char byte(std::uintptr_t back) const { return read<unsigned char>(address_ - back); }

  std::uintptr_t address_, bytes_;
};

} // namespace

bool follows_call(std::uintptr_t address) {
  const CodeBefore code(address);
  if (code.near_target(call_near) != 0) return true;
  constexpr std::uintptr_t lengths[] = {2, 3, 4, 6, 7};
  for (const std::uintptr_t length : lengths)
    if (code.is_indirect_call(length)) return true;
  return false;
}

std::uintptr_t target_of_call(std::uintptr_t address) { return CodeBefore(address).near_target(call_near); }
std::uintptr_t target_of_jump(std::uintptr_t address) { return CodeBefore(address).near_target(jump_near); }
#else
namespace {

// The Arm architecture reference manual for A-profile, C4.1, "Branches": an operation of six bits and a distance of 26,
// in instructions.
constexpr std::uint32_t call_near = 0b100101, jump_near = 0b000101;
constexpr std::uintptr_t instruction_bytes = 4;

/// The instruction of a function right before an address; 0, which is none: no function is known.
std::uint32_t instruction_before(std::uintptr_t address) {
  const std::uintptr_t begin = address == 0 ? 0 : function_at(address - 1); // what never returns may end a function
  if (begin == 0 || address - begin < instruction_bytes || address % instruction_bytes != 0) return 0;
  return read<std::uint32_t>(address - instruction_bytes);
}

/// Target of the instruction if it is this operation; 0: it is another one.
std::uintptr_t near_target(std::uintptr_t address, std::uint32_t operation) {
  const std::uint32_t instruction = instruction_before(address);
  if (instruction >> 26 != operation) return 0;
  const auto distance = static_cast<std::intptr_t>(static_cast<std::int32_t>(instruction << 6) >> 6);
  return address - instruction_bytes + distance * static_cast<std::intptr_t>(instruction_bytes);
}

/// Numbers and instructions of a description of a frame (DWARF 5, 6.4.2).
class FrameReader {
public:
  explicit FrameReader(std::uintptr_t place) : place_(place) {}
  std::uintptr_t place() const { return place_; }
  void skip(std::uint64_t bytes) { place_ += bytes; }
  std::uint8_t byte() { return read<std::uint8_t>(place_++); }
  std::uint64_t number(unsigned* bits = nullptr) { // LEB128; how many bits are written
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (std::uint8_t part = 0x80; part & 0x80; shift += 7) {
      part = byte();
      if (shift < 64) value |= std::uint64_t{part & 0x7fu} << shift;
    }
    if (bits) *bits = shift;
    return value;
  }
  std::int64_t signed_number() {
    unsigned bits = 0;
    const std::uint64_t value = number(&bits);
    return bits >= 64 ? static_cast<std::int64_t>(value)
                      : static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
  }

private:
  std::uintptr_t place_;
};

/// blr, or one of its forms that check the signature of the address: blraa, blraaz, blrab, blrabz.
bool is_indirect_call(std::uint32_t instruction) {
  return (instruction & 0xfffffc1f) == 0xd63f0000 || (instruction & 0xfefff800) == 0xd63f0800;
}

} // namespace

bool follows_call(std::uintptr_t address) {
  return near_target(address, call_near) != 0 || is_indirect_call(instruction_before(address));
}

std::uintptr_t target_of_call(std::uintptr_t address) { return near_target(address, call_near); }
std::uintptr_t target_of_jump(std::uintptr_t address) { return near_target(address, jump_near); }

[[gnu::no_sanitize("address")]] std::uint32_t return_address_depth(std::uintptr_t function) {
  const std::uintptr_t description = described_function(function).description;
  if (description == 0) return 0;
  const auto fixed = read<Description>(description);
  const std::uintptr_t end = description + sizeof fixed.bytes + fixed.bytes;
  const std::uintptr_t common = description + offsetof(Description, common) - fixed.common;
  constexpr std::uintptr_t before_version = 8;
  FrameReader of_all(common + before_version);
  of_all.byte();
  const bool has_more = of_all.byte() == 'z';
  if (!has_more) return 0; // as no compiler of these years writes it
  while (of_all.byte() != 0) {}
  of_all.number(); // distance of instructions, of which the places in the code are told
  const std::int64_t unit = of_all.signed_number();
  FrameReader code(description + sizeof fixed);
  code.skip(code.number());
  constexpr std::uint64_t link_register = 30;
  while (code.place() < end) {
    const std::uint8_t operation = code.byte();
    switch (operation) {
    case 0x00:
    case 0x2d: break; // nop, DW_CFA_AARCH64_negate_ra_state
    case 0x02: code.skip(1); break; // advance_loc1, 2, 4
    case 0x03: code.skip(2); break;
    case 0x04: code.skip(4); break;
    case 0x0d:
    case 0x0e: code.number(); break; // def_cfa_register, def_cfa_offset
    case 0x0c: code.number(), code.number(); break; // def_cfa
    default:
      if (operation >> 6 == 1) break; // advance_loc
      if (operation >> 6 != 2) return 0; // all but `offset`: no prologue has them
      const std::int64_t distance = static_cast<std::int64_t>(code.number()) * unit;
      if ((operation & 0x3f) == link_register) return distance < 0 ? static_cast<std::uint32_t>(-distance) : 0;
    }
  }
  return 0;
}
#endif
#else
DescribedFunction described_function(std::uintptr_t) { return {}; }
const char* object_at(std::uintptr_t) { return ""; }
bool follows_call(std::uintptr_t) { return false; }
std::uintptr_t target_of_call(std::uintptr_t) { return 0; }
std::uintptr_t target_of_jump(std::uintptr_t) { return 0; }
#endif
#if !defined(__aarch64__) || !defined(ANDES_FINDS_OBJECTS)
std::uint32_t return_address_depth(std::uintptr_t) { return sizeof(std::uintptr_t); }
#endif

std::uintptr_t function_at(std::uintptr_t address) { return described_function(address).begin; }

} // namespace andes::monitor
