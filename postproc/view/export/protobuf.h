// Fields of a protocol buffer message, as far as exports need them: numbers, texts, lists of numbers, messages
// (https://protobuf.dev/programming-guides/encoding/).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace andes::postproc {

class ProtobufMessage {
public:
  /// Zero is what an absent field has.
  void number(unsigned field, std::int64_t value) {
    if (value == 0) return;
    varint(field << 3);
    varint(static_cast<std::uint64_t>(value));
  }
  void text(unsigned field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes_ += value;
  }
  void numbers(unsigned field, const std::vector<std::int64_t>& values) {
    ProtobufMessage packed;
    for (const std::int64_t value : values) packed.varint(static_cast<std::uint64_t>(value));
    text(field, packed.bytes_);
  }
  void message(unsigned field, const ProtobufMessage& value) { text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

} // namespace andes::postproc
