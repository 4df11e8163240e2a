// What Clang has read of a source as bytes, from one process to another of the same program (reading_server.h). Each
// struct is taken apart by a structured binding, so that one with a new member does not compile until it stands here.
#pragma once
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "preprocessor/collect/collect.h"

namespace andes::preprocessor {

/// Calls `visit` with each member. One list serves packing, unpacking and whatever else all members need.
template <typename Visit> void members(Operand& operand, Visit& visit) {
  auto& [begin, end, path, system, next] = operand;
  visit(begin, end, path, system, next);
}
template <typename Visit> void members(Inclusion& inclusion, Visit& visit) {
  auto& [operand, target, beside] = inclusion;
  visit(operand, target, beside);
}
template <typename Visit> void members(File& file, Visit& visit) {
  auto& [path, name, first, includer, own, system, again, inclusions, tests, guard_end] = file;
  visit(path, name, first, includer, own, system, again, inclusions, tests, guard_end);
}
template <typename Visit> void members(Step& step, Visit& visit) {
  auto& [kind, function] = step;
  visit(kind, function);
}
template <typename Visit> void members(Effort& effort, Visit& visit) {
  auto& [operations, loops, unseen, calls, marked_inline, mpi, constructs, counted, always_inline, is_template, local,
         is_virtual, scans, size, expression, statement, places, long_loops, likely, obscure, guessed, steps] = effort;
  visit(operations, loops, unseen, calls, marked_inline, mpi, constructs, counted, always_inline, is_template, local,
        is_virtual, scans, size, expression, statement, places, long_loops, likely, obscure, guessed, steps);
}
template <typename Visit> void members(Expected::Call& call, Visit& visit) {
  auto& [function, times, among] = call;
  visit(function, times, among);
}
template <typename Visit> void members(Expected::FarCall& call, Visit& visit) {
  auto& [function, times] = call;
  visit(function, times);
}
template <typename Visit> void members(Expected& expected, Visit& visit) {
  auto& [operations, calls, far_calls, unknown] = expected;
  visit(operations, calls, far_calls, unknown);
}
template <typename Visit> void members(Function& function, Visit& visit) {
  auto& [name, signature, mangled, file, line, column, in, body, body_line, obstacle, maybe_constant, calls, tail_calls,
         dispatches, in_construct, effort, expected, is_external, is_main, symbol] = function;
  visit(name, signature, mangled, file, line, column, in, body, body_line, obstacle, maybe_constant, calls, tail_calls,
        dispatches, in_construct, effort, expected, is_external, is_main, symbol);
}
template <typename Visit> void members(Block& block, Visit& visit) {
  auto& [kind, name, file, line, column, function, around, same, obstacle, calls_last, rounds, effort, in, open, close,
         open_line, close_line, opens_below, closes_below, in_construct] = block;
  visit(kind, name, file, line, column, function, around, same, obstacle, calls_last, rounds, effort, in, open, close,
        open_line, close_line, opens_below, closes_below, in_construct);
}
template <typename Visit> void members(Mark& mark, Visit& visit) {
  auto& [in, begin, end, continued] = mark;
  visit(in, begin, end, continued);
}
template <typename Visit> void members(Regions& regions, Visit& visit) {
  auto& [functions, blocks, marks, complaints] = regions;
  visit(functions, blocks, marks, complaints);
}
template <typename Visit> void members(Forced& forced, Visit& visit) {
  auto& [file, macros_only] = forced;
  visit(file, macros_only);
}
template <typename Visit> void members(Entered& entered, Visit& visit) {
  auto& [error, files, forced, ups, headers_error] = entered;
  visit(error, files, forced, ups, headers_error);
}
template <typename Visit> void members(Source& source, Visit& visit) {
  static_assert(sizeof(Source) == sizeof(Regions) + sizeof(Entered), "a new member belongs into one of these");
  visit(static_cast<Regions&>(source), static_cast<Entered&>(source));
}
template <typename Visit> void members(Reading& reading, Visit& visit) {
  auto& [headers, third_party, bare_names, mangled] = reading;
  visit(headers, third_party, bare_names, mangled);
}
template <typename Visit, typename First, typename Second> void members(std::pair<First, Second>& pair, Visit& visit) {
  visit(pair.first, pair.second);
}

/// Appends values to `bytes`.
class Packer {
public:
  template <typename... Values> void operator()(Values&... values) { (one(values), ...); }
  std::string bytes;

private:
  template <typename Value> void one(Value& value) {
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>)
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    else members(value, *this);
  }
  void one(std::string& text) {
    std::size_t size = text.size();
    one(size);
    bytes += text;
  }
  template <typename Value> void one(std::vector<Value>& values) {
    std::size_t size = values.size();
    one(size);
    for (Value& value : values) one(value);
  }
  template <typename Value> void one(std::optional<Value>& value) {
    bool is_there = value.has_value();
    one(is_there);
    if (value) one(*value);
  }
};

/// Takes values from bytes; `good` turns false where there are not as many.
class Unpacker {
public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  template <typename... Values> void operator()(Values&... values) { (one(values), ...); }
  /// Whether all was there, and nothing is left.
  bool complete() const { return good_ && rest_.empty(); }

private:
  template <typename Value> void one(Value& value) {
    if constexpr (std::is_arithmetic_v<Value> || std::is_enum_v<Value>) {
      good_ = good_ && rest_.size() >= sizeof value;
      if (!good_) return;
      std::memcpy(&value, rest_.data(), sizeof value);
      rest_.remove_prefix(sizeof value);
    } else {
      members(value, *this);
    }
  }
  std::size_t count() {
    std::size_t size = 0;
    one(size);
    good_ = good_ && size <= rest_.size();
    return good_ ? size : 0;
  }
  void one(std::string& text) {
    const std::size_t size = count();
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  template <typename Value> void one(std::vector<Value>& values) {
    for (std::size_t left = count(); left > 0 && good_; --left) one(values.emplace_back());
  }
  template <typename Value> void one(std::optional<Value>& value) {
    bool is_there = false;
    one(is_there);
    if (is_there) one(value.emplace());
  }

  std::string_view rest_;
  bool good_ = true;
};

} // namespace andes::preprocessor
