#include "monitor/finish/message.h"

#include <cstring>
#include <type_traits>

namespace andes {
namespace {

class Writer {
public:
  template <class T> void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T> void put_all(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(static_cast<std::uint64_t>(values.size()));
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void put_text(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes += text;
  }
  std::string bytes;
};

class Reader {
public:
  explicit Reader(const std::string& bytes) : at_(bytes.data()), left_(bytes.size()) {}

  template <class T> T get() {
    T value{};
    take(&value, sizeof value);
    return value;
  }
  template <class T> std::vector<T> get_all() {
    const std::size_t count = get_count(sizeof(T));
    std::vector<T> values(count);
    take(values.data(), count * sizeof(T));
    return values;
  }
  std::string get_text() {
    std::string text(get_count(1), '\0');
    take(text.data(), text.size());
    return text;
  }
  /// A number of things of at least `bytes` each that can still follow.
  std::size_t get_count(std::size_t bytes) {
    const auto count = get<std::uint64_t>();
    if (count <= left_ / bytes) return static_cast<std::size_t>(count);
    good_ = false;
    return 0;
  }
  bool complete() const { return good_ && left_ == 0; }

private:
  void take(void* to, std::size_t bytes) {
    if (!good_ || bytes > left_) {
      good_ = false;
      return;
    }
    if (bytes != 0) std::memcpy(to, at_, bytes);
    at_ += bytes;
    left_ -= bytes;
  }
  const char* at_;
  std::size_t left_;
  bool good_ = true;
};

bool consistent(const Profile& profile) {
  const auto regions = static_cast<std::int32_t>(profile.regions.size());
  const auto hosts = static_cast<std::int32_t>(profile.hosts.size());
  for (const LocationRow& row : profile.locations)
    if (row.host < 0 || row.host >= hosts) return false;
  for (std::size_t i = 0; i < profile.paths.size(); ++i) {
    const ProfilePath& path = profile.paths[i];
    if (path.parent < -1 || path.parent >= static_cast<std::int32_t>(i)) return false;
    if (path.region < 0 || path.region >= regions) return false;
    for (const auto& column : path.values)
      if (column.size() > profile.locations.size()) return false;
  }
  return true;
}

} // namespace

std::string to_bytes(const Profile& profile) {
  Writer writer;
  writer.put(profile.clock_error_ppm);
  writer.put(static_cast<std::uint64_t>(profile.regions.size()));
  for (const RegionRow& region : profile.regions) {
    writer.put_text(region.name);
    writer.put_text(region.kind);
    writer.put_text(region.file);
    writer.put(region.line);
  }
  writer.put(static_cast<std::uint64_t>(profile.hosts.size()));
  for (const ProfileHost& host : profile.hosts) {
    writer.put_text(host.facts.name);
    writer.put_text(host.facts.cpu);
    writer.put(host.facts.memory_bytes);
    writer.put_all(host.cores);
  }
  writer.put_all(profile.locations);
  writer.put_all(profile.messages);
  writer.put_all(profile.snapshots);
  writer.put(static_cast<std::uint64_t>(profile.paths.size()));
  for (const ProfilePath& path : profile.paths) {
    writer.put(path.parent);
    writer.put(path.region);
    for (const auto& column : path.values) writer.put_all(column);
  }
  return std::move(writer.bytes);
}

std::optional<Profile> from_bytes(const std::string& bytes) {
  Profile profile;
  Reader reader(bytes);
  profile.clock_error_ppm = reader.get<double>();
  profile.regions.resize(reader.get_count(3 * sizeof(std::uint64_t)));
  for (RegionRow& region : profile.regions) {
    region.name = reader.get_text();
    region.kind = reader.get_text();
    region.file = reader.get_text();
    region.line = reader.get<std::int32_t>();
  }
  profile.hosts.resize(reader.get_count(2 * sizeof(std::uint64_t)));
  for (ProfileHost& host : profile.hosts) {
    host.facts.name = reader.get_text();
    host.facts.cpu = reader.get_text();
    host.facts.memory_bytes = reader.get<std::int64_t>();
    host.cores = reader.get_all<std::uint8_t>();
  }
  profile.locations = reader.get_all<LocationRow>();
  profile.messages = reader.get_all<MessageRow>();
  profile.snapshots = reader.get_all<SnapshotRow>();
  profile.paths.resize(reader.get_count(2 * sizeof(std::int32_t)));
  for (ProfilePath& path : profile.paths) {
    path.parent = reader.get<std::int32_t>();
    path.region = reader.get<std::int32_t>();
    for (auto& column : path.values) column = reader.get_all<double>();
  }
  if (!reader.complete() || !consistent(profile)) return std::nullopt;
  return profile;
}

} // namespace andes
