// What is read: common information entries and frame description entries (DWARF 5, 6.4, with the changes of .eh_frame:
// Linux Standard Base, core specification, 10.6.1).
#include "monitor/system/frames.h"

#include <cstring>

#include "monitor/system/functions.h"
#include "monitor/system/return_address.h"

namespace andes::monitor {

#if defined(__x86_64__) || defined(__aarch64__)
namespace {

#if defined(__x86_64__)
constexpr std::uint64_t base_register = 6, stack_register = 7, return_column = 16;
#else
constexpr std::uint64_t base_register = 29, stack_register = 31, return_column = 30;
#endif

/// Instructions (DW_CFA) that do not stand in the upper two bits.
enum Operation : std::uint8_t {
  nop = 0x00,
  advance_1 = 0x02,
  advance_2 = 0x03,
  advance_4 = 0x04,
  offset_extended = 0x05,
  restore_extended = 0x06,
  undefined = 0x07,
  same_value = 0x08,
  in_register = 0x09,
  remember_state = 0x0a,
  restore_state = 0x0b,
  def_cfa = 0x0c,
  def_cfa_register = 0x0d,
  def_cfa_offset = 0x0e,
  def_cfa_expression = 0x0f,
  expression = 0x10,
  offset_extended_signed = 0x11,
  def_cfa_signed = 0x12,
  def_cfa_offset_signed = 0x13,
  value_offset = 0x14,
  value_offset_signed = 0x15,
  value_expression = 0x16,
  signed_return = 0x2d, // AArch64: the return address is signed from here on, or no more
  arguments_size = 0x2e
};

/// Reads numbers one after the other.
class Bytes {
public:
  Bytes(std::uintptr_t at, std::uintptr_t end) : at_(at), end_(end > at ? end : at) {}

  std::uintptr_t at() const { return at_; }
  bool is_left() const { return at_ < end_; }
  /// More was asked for than there is: numbers since then are 0.
  bool is_short() const { return is_short_; }
  void skip(std::uint64_t bytes) {
    is_short_ |= bytes > end_ - at_;
    at_ = is_short_ ? end_ : at_ + bytes;
  }

  template <class T> T take() {
    T value{};
    if (sizeof value <= end_ - at_) std::memcpy(&value, reinterpret_cast<const void*>(at_), sizeof value);
    skip(sizeof value);
    return value;
  }
  std::uint64_t take_unsigned() { return take_leb().value; }
  std::int64_t take_signed() {
    const auto [value, bits] = take_leb();
    const bool negative = bits < 64 && (value >> (bits - 1) & 1) != 0;
    return static_cast<std::int64_t>(negative ? value | ~std::uint64_t{0} << bits : value);
  }

private:
  struct Leb {
    std::uint64_t value;
    unsigned bits;
  };
  Leb take_leb() {
    Leb leb{};
    for (std::uint8_t byte = 0x80; (byte & 0x80) != 0 && leb.bits < 63; leb.bits += 7) {
      byte = take<std::uint8_t>();
      leb.value |= std::uint64_t{byte & 0x7fu} << leb.bits;
    }
    return leb;
  }

  std::uintptr_t at_, end_;
  bool is_short_ = false;
};

/// What is common to many descriptions.
struct Common {
  std::uint64_t code_unit = 0;
  std::int64_t data_unit = 0;
  bool is_known = false, is_augmented = false;
  std::uintptr_t instructions = 0, end = 0;
};

Common read_common(std::uintptr_t place) {
  Common common;
  common.end = place + 4 + Bytes(place, place + 4).take<std::uint32_t>();
  Bytes bytes(place + 4, common.end);
  if (bytes.take<std::uint32_t>() != 0) return common; // not a common one
  const auto version = bytes.take<std::uint8_t>();
  if (version != 1 && version != 3) return common;
  bool is_signal = false; // the frame of a signal handler was not made by a call
  while (const char letter = bytes.take<char>()) {
    common.is_augmented |= letter == 'z';
    is_signal |= letter == 'S';
  }
  common.code_unit = bytes.take_unsigned();
  common.data_unit = bytes.take_signed();
  const std::uint64_t column = version == 1 ? bytes.take<std::uint8_t>() : bytes.take_unsigned();
  if (common.is_augmented) bytes.skip(bytes.take_unsigned());
  common.is_known = !is_signal && column == return_column && !bytes.is_short();
  common.instructions = bytes.at();
  return common;
}

/// A row of the table that the instructions make.
struct Row {
  std::uint64_t begin_register = 0;
  std::int64_t size = 0, returns = 0, base_at = 0;
  bool is_known = true, is_last = false;
  FrameRule::Base base = FrameRule::Base::unchanged;
};

/// Carries out the instructions up to an address. False: one of them is not known here.
class Rows {
public:
  explicit Rows(const Common& common) : common_(common) {}

  bool carry_out(Bytes bytes, std::uint64_t begin, std::uint64_t until) {
    for (std::uint64_t at = begin; bytes.is_left();) {
      const auto byte = bytes.take<std::uint8_t>();
      const std::uint64_t low = byte & 0x3fu;
      std::uint64_t advance = 0;
      switch (byte & 0xc0) {
      case 0x40: advance = low; break;
      case 0x80: keep(low, data(bytes.take_unsigned())); break;
      case 0xc0: restore(low); break;
      default:
        if (!carry_out_long(low, bytes, advance)) return false;
      }
      at += advance * common_.code_unit;
      if (at > until) break;
    }
    return !bytes.is_short();
  }
  void end_common() { first_ = row_; }
  const Row& row() const { return row_; }

private:
  bool carry_out_long(std::uint64_t operation, Bytes& bytes, std::uint64_t& advance) {
    const auto take_data = [&] { return data(static_cast<std::uint64_t>(bytes.take_signed())); };
    const auto take_offset = [&] { return static_cast<std::int64_t>(bytes.take_unsigned()); };
    std::uint64_t column = 0;
    switch (operation) {
    case nop:
    case signed_return: break;
    case advance_1: advance = bytes.take<std::uint8_t>(); break;
    case advance_2: advance = bytes.take<std::uint16_t>(); break;
    case advance_4: advance = bytes.take<std::uint32_t>(); break;
    case offset_extended: column = bytes.take_unsigned(), keep(column, data(bytes.take_unsigned())); break;
    case restore_extended: restore(bytes.take_unsigned()); break;
    case undefined:
      if ((column = bytes.take_unsigned()) == return_column) row_.is_last = true;
      else lose(column);
      break;
    case same_value:
      if ((column = bytes.take_unsigned()) == base_register) row_.base = FrameRule::Base::unchanged;
      else lose(column); // the return address may be in a register still
      break;
    case in_register: lose(bytes.take_unsigned()), bytes.take_unsigned(); break;
    case remember_state:
      if (kept_rows_ == most_rows) return false;
      rows_[kept_rows_++] = row_;
      break;
    case restore_state:
      if (kept_rows_ == 0) return false;
      row_ = rows_[--kept_rows_];
      break;
    case def_cfa: column = bytes.take_unsigned(), begin_at(column, take_offset()); break;
    case def_cfa_register: row_.begin_register = bytes.take_unsigned(); break;
    case def_cfa_offset: row_.size = take_offset(); break;
    case def_cfa_expression: begin_at(return_column, 0), bytes.skip(bytes.take_unsigned()); break;
    case expression:
    case value_expression: lose(bytes.take_unsigned()), bytes.skip(bytes.take_unsigned()); break;
    case offset_extended_signed: column = bytes.take_unsigned(), keep(column, take_data()); break;
    case def_cfa_signed: column = bytes.take_unsigned(), begin_at(column, take_data()); break;
    case def_cfa_offset_signed: row_.size = take_data(); break;
    case value_offset:
    case value_offset_signed: lose(bytes.take_unsigned()), bytes.take_unsigned(); break;
    case arguments_size: bytes.take_unsigned(); break;
    default: return false;
    }
    return true;
  }

  /// In units of the description. As unsigned numbers, which may overflow.
  std::int64_t data(std::uint64_t value) const {
    return static_cast<std::int64_t>(value * static_cast<std::uint64_t>(common_.data_unit));
  }
  void begin_at(std::uint64_t from, std::int64_t size) { row_.begin_register = from, row_.size = size; }
  void keep(std::uint64_t column, std::int64_t at) {
    if (column == return_column) row_.returns = at, row_.is_known = true, row_.is_last = false;
    if (column == base_register) row_.base_at = at, row_.base = FrameRule::Base::kept;
  }
  void lose(std::uint64_t column) {
    if (column == return_column) row_.is_known = false;
    if (column == base_register) row_.base = FrameRule::Base::lost;
  }
  void restore(std::uint64_t column) {
    if (column == return_column)
      row_.returns = first_.returns, row_.is_known = first_.is_known, row_.is_last = first_.is_last;
    if (column == base_register) row_.base_at = first_.base_at, row_.base = first_.base;
  }

  static constexpr unsigned most_rows = 8;
  const Common& common_;
  Row row_, first_, rows_[most_rows];
  unsigned kept_rows_ = 0;
};

FrameRule rule_of(const Row& row) {
  const auto fits = [](std::int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; };
  FrameRule rule;
  rule.is_last = row.is_last;
  if (!row.is_known || row.size <= 0 || row.size > INT32_MAX || !fits(row.returns) || !fits(row.base_at)) return rule;
  rule.size = static_cast<std::int32_t>(row.size);
  rule.returns = static_cast<std::int32_t>(row.returns);
  rule.base = row.base;
  if (row.base == FrameRule::Base::kept) rule.base_at = static_cast<std::int32_t>(row.base_at);
  if (row.begin_register == stack_register) rule.begin = FrameRule::Begin::stack_pointer;
  if (row.begin_register == base_register) rule.begin = FrameRule::Begin::base_pointer;
  return rule;
}

[[gnu::no_sanitize("address")]] std::uintptr_t word_at(std::uintptr_t place) {
  return *reinterpret_cast<const std::uintptr_t*>(place);
}

} // namespace

FrameRule frame_rule(std::uintptr_t address) {
  const DescribedFunction function = described_function(address - 1); // what never returns may end a function
  if (function.description == 0) return {};
  Bytes start(function.description, function.description + 8);
  const std::uintptr_t end = function.description + 4 + start.take<std::uint32_t>();
  const std::uintptr_t back = function.description + 4;
  const Common common = read_common(back - start.take<std::uint32_t>());
  if (!common.is_known) return {};
  Bytes bytes(function.description + 16,
              end); // behind the function's begin and length, as described_function() has read them
  if (common.is_augmented) bytes.skip(bytes.take_unsigned());
  Rows rows(common);
  if (!rows.carry_out({common.instructions, common.end}, 0, UINT64_MAX)) return {};
  rows.end_common();
  if (!rows.carry_out(bytes, 0, address - 1 - function.begin)) return {};
  return rule_of(rows.row());
}

bool step_out(Frame& frame, const FrameRule& rule, std::uintptr_t limit, std::uintptr_t copy) {
  const bool by_base = rule.begin == FrameRule::Begin::base_pointer;
  if (rule.begin == FrameRule::Begin::unknown || rule.is_last || (by_base && frame.base == 0)) return false;
  const std::uintptr_t end = (by_base ? frame.base : frame.stack) + static_cast<std::uintptr_t>(rule.size);
  const auto lies_in_frame = [&](std::intptr_t at) {
    return end + at >= frame.stack && at <= -static_cast<std::intptr_t>(sizeof end);
  };
  if (end <= frame.stack || end > limit || end % sizeof end != 0 || !lies_in_frame(rule.returns)) return false;
  std::uintptr_t base = rule.base == FrameRule::Base::unchanged ? frame.base : 0;
  if (rule.base == FrameRule::Base::kept && lies_in_frame(rule.base_at)) base = word_at(end + copy + rule.base_at);
  frame = {unsigned_address(word_at(end + copy + rule.returns)), end, base};
  return true;
}
#else
FrameRule frame_rule(std::uintptr_t) { return {}; }
bool step_out(Frame&, const FrameRule&, std::uintptr_t, std::uintptr_t) { return false; }
#endif

} // namespace andes::monitor
