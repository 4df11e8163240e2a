// Parcel: plain values as bytes, to be sent between ranks of one job: same architecture, same andes.
// The reader checks every size, since the bytes come from outside of this process.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace andes::monitor {

using Parcel = std::string;

template <class T> void put(Parcel& parcel, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  parcel.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T> void put_all(Parcel& parcel, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  put(parcel, static_cast<std::uint64_t>(values.size()));
  parcel.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

inline void put_text(Parcel& parcel, const std::string& text) {
  put(parcel, static_cast<std::uint64_t>(text.size()));
  parcel.append(text);
}

/// Reads a parcel from the front; once bytes are missing, `good` is false and all further values are zero.
class Unpacking {
public:
  explicit Unpacking(const Parcel& parcel) : left_(parcel) {}

  bool good() const { return good_; }
  bool at_end() const { return left_.empty(); }
  std::size_t left() const { return left_.size(); } // bytes

  template <class T> T take() {
    T value{};
    const std::string_view bytes = take_bytes(sizeof(T));
    if (good_) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  template <class T> std::vector<T> take_all() {
    const auto count = take<std::uint64_t>();
    if (count > left_.size() / sizeof(T)) good_ = false;
    std::vector<T> values(good_ ? count : 0);
    const std::string_view bytes = take_bytes(values.size() * sizeof(T));
    if (good_ && !values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::string_view take_bytes(std::size_t count) {
    if (count > left_.size()) good_ = false;
    if (!good_) return {};
    const std::string_view bytes = left_.substr(0, count);
    left_.remove_prefix(count);
    return bytes;
  }

private:
  std::string_view left_;
  bool good_ = true;
};

inline std::string take_text(Unpacking& from) { return std::string(from.take_bytes(from.take<std::uint64_t>())); }

} // namespace andes::monitor
