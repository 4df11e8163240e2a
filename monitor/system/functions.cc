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
#endif
#else
DescribedFunction described_function(std::uintptr_t) { return {}; }
const char* object_at(std::uintptr_t) { return ""; }
bool follows_call(std::uintptr_t) { return false; }
std::uintptr_t target_of_call(std::uintptr_t) { return 0; }
std::uintptr_t target_of_jump(std::uintptr_t) { return 0; }
#endif

std::uintptr_t function_at(std::uintptr_t address) { return described_function(address).begin; }

} // namespace andes::monitor
