#include "monitor/finish/message.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "monitor/finish/message_sizes.h"

namespace andes::monitor {
namespace {

constexpr std::uint64_t end_mark = 0x616e6465732e656eull;

std::uint32_t checked(std::uint32_t sum, const char* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(::crc32_z(sum, reinterpret_cast<const unsigned char*>(bytes), count));
}

class Writer {
public:
  explicit Writer(const GivePiece& give) : give_(give) { piece_.reserve(piece_bytes); }

  template <class T> void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T> void put_all(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(static_cast<std::uint64_t>(values.size()));
    put_bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  void put_text(const std::string& text) {
    put(static_cast<std::uint64_t>(text.size()));
    put_bytes(text.data(), text.size());
  }
  /// The check sum covers all bytes before it.
  bool finish() {
    put(end_mark);
    const std::uint32_t sum = checked(sum_, piece_.data(), piece_.size());
    put(sum);
    flush();
    return good_;
  }

private:
  void put_bytes(const char* bytes, std::size_t count) {
    while (count > 0) {
      if (piece_.size() == piece_bytes) flush();
      const std::size_t now = std::min(count, piece_bytes - piece_.size());
      piece_.append(bytes, now);
      bytes += now;
      count -= now;
    }
  }
  void flush() {
    sum_ = checked(sum_, piece_.data(), piece_.size());
    good_ = good_ && give_(piece_.data(), piece_.size());
    piece_.clear();
  }
  const GivePiece& give_;
  std::string piece_;
  std::uint32_t sum_ = 0; // check sum of the pieces given so far
  bool good_ = true;
};

class Reader {
public:
  explicit Reader(const TakePiece& take) : take_(take) {}

  template <class T> T get() {
    T value{};
    get_bytes(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  template <class T> std::vector<T> get_all() { return get_list<std::vector<T>>(); }
  std::string get_text() { return get_list<std::string>(); }
  /// Calls `read` for each of the announced elements, as long as data comes.
  template <class Read> void get_each(Read read) {
    for (auto left = get<std::uint64_t>(); good_ && left > 0; --left) read();
  }
  /// Whether everything was read and no bytes are left.
  bool complete() {
    if (get<std::uint64_t>() != end_mark) return false;
    sum_ = checked(sum_, piece_.data() + summed_, at_ - summed_);
    summed_ = at_;
    const std::uint32_t sum = sum_;
    return get<std::uint32_t>() == sum && good_ && at_ == piece_.size();
  }

private:
  /// Uses memory as elements arrive, not as they are announced; reserves at most 64 MiB in advance.
  template <class List> List get_list() {
    constexpr std::size_t bytes = sizeof(typename List::value_type);
    constexpr std::uint64_t step = piece_bytes / bytes;
    auto left = get<std::uint64_t>();
    List list;
    list.reserve(std::min(left, 1024 * step));
    while (good_ && left > 0) {
      const auto now = static_cast<std::size_t>(std::min(left, step));
      const std::size_t before = list.size();
      list.resize(before + now);
      get_bytes(reinterpret_cast<char*>(list.data() + before), now * bytes);
      left -= now;
    }
    return list;
  }
  void get_bytes(char* to, std::size_t count) {
    while (good_ && count > 0) {
      if (at_ == piece_.size()) {
        sum_ = checked(sum_, piece_.data() + summed_, at_ - summed_);
        at_ = summed_ = 0;
        good_ = take_(piece_) && !piece_.empty();
        if (!good_) return;
      }
      const std::size_t now = std::min(count, piece_.size() - at_);
      std::memcpy(to, piece_.data() + at_, now);
      to += now;
      at_ += now;
      count -= now;
    }
  }
  const TakePiece& take_;
  std::string piece_;
  std::size_t at_ = 0, summed_ = 0; // position in the piece: read so far; included in the check sum
  std::uint32_t sum_ = 0;
  bool good_ = true;
};

/// A statistic over one rank, which says nothing but the rank's value: as half of all ranks send it.
struct ValueOfRank {
  std::int32_t metric, next;
  double value;
};

/// Whether the statistics are over one rank, and of nothing but its values.
bool has_values_of_rank(const Reduction& r) {
  return r.ranks == 1 && std::all_of(r.statistics.begin(), r.statistics.end(), [&](const ReducedValue& one) {
           return one.statistic == statistic_of_rank(r.first_rank, one.statistic.sum);
         });
}

void put_statistics(Writer& writer, const Reduction& r) {
  const bool of_rank = has_values_of_rank(r);
  writer.put(static_cast<std::int32_t>(of_rank));
  if (!of_rank) {
    writer.put_all(r.statistics);
    return;
  }
  std::vector<ValueOfRank> values;
  values.reserve(r.statistics.size());
  for (const ReducedValue& one : r.statistics) values.push_back({one.metric, one.next, one.statistic.sum});
  writer.put_all(values);
}

std::vector<ReducedValue> get_statistics(Reader& reader, std::int32_t first_rank) {
  if (reader.get<std::int32_t>() == 0) return reader.get_all<ReducedValue>();
  const auto values = reader.get_all<ValueOfRank>();
  std::vector<ReducedValue> statistics;
  statistics.reserve(values.size());
  for (const ValueOfRank& one : values)
    statistics.push_back({one.metric, one.next, statistic_of_rank(first_rank, one.value)});
  return statistics;
}

bool within(std::int64_t index, std::size_t count) { return index >= 0 && static_cast<std::uint64_t>(index) < count; }

// Whose list a statistic is in.
enum class In : char { none, path, single_step };

// Checks that every statistic is in the list of one path only: indices rise along each list.
bool paths_consistent(const Reduction& r, std::vector<In>& seen) {
  seen.assign(r.statistics.size(), In::none);
  for (std::size_t i = 0; i < r.paths.size(); ++i) {
    const ReducedPath& path = r.paths[i];
    if (path.parent < -1 || path.parent >= static_cast<std::int32_t>(i)) return false;
    const std::int32_t above = path.parent < 0 ? -1 : r.paths[static_cast<std::size_t>(path.parent)].depth;
    if (path.depth != above + 1 || !within(path.region, r.regions.size())) return false;
    // The bound of all call paths (overflow.h) keeps those of most ranks: none has more than its parent.
    const std::int64_t most = path.parent < 0 ? r.ranks : r.paths[static_cast<std::size_t>(path.parent)].ranks;
    if (path.ranks < 0 || path.ranks > most) return false;
    // The folded call path of a single step is not in a step itself.
    if (path.folded != -1 &&
        (!within(path.folded, r.paths.size()) || r.paths[static_cast<std::size_t>(path.folded)].folded != -1))
      return false;
    for (std::int32_t at = path.first; at != -1;) {
      if (!within(at, r.statistics.size()) || seen[static_cast<std::size_t>(at)] != In::none) return false;
      seen[static_cast<std::size_t>(at)] = path.folded == -1 ? In::path : In::single_step;
      const ReducedValue& value = r.statistics[static_cast<std::size_t>(at)];
      if (is_event(value.metric) ? !within(value.metric - first_event_metric, r.events.size())
                                 : !is_size(value.metric) && !within(value.metric, static_cast<std::size_t>(r.metrics)))
        return false;
      if (value.next != -1 && value.next <= at) return false;
      at = value.next;
    }
  }
  return std::find(seen.begin(), seen.end(), In::none) == seen.end();
}

// Values of single ranks are those of whole call paths alone.
bool rows_consistent(const Reduction& r, const std::vector<In>& of) {
  std::int64_t end = 0, location = -1;
  for (const ValueRow& row : r.rows) {
    if (row.end < end || row.location <= location || !within(row.location, r.locations.size())) return false;
    end = row.end;
    location = row.location;
  }
  if (static_cast<std::size_t>(end) != r.row_values.size() || r.row_statistics.size() != r.row_values.size())
    return false;
  return std::all_of(r.row_statistics.begin(), r.row_statistics.end(), [&](std::int32_t at) {
    return within(at, of.size()) && of[static_cast<std::size_t>(at)] == In::path;
  });
}

bool waits_consistent(const Reduction& r) {
  if (r.metrics < run_file::metric_count || r.metrics > first_size_metric) return false;
  const std::int32_t causes = r.metrics - first_cause_metric;
  for (const LeftOver& one : r.waits.left_overs)
    if (static_cast<std::uint32_t>(one.kind) >= left_kinds) return false;
  return std::all_of(r.waits.sums.begin(), r.waits.sums.end(),
                     [&](const WaitSum& sum) { return sum.cause >= 0 && sum.cause < causes; });
}

bool attached_consistent(const Reduction& r) {
  return std::all_of(r.attached.rows.begin(), r.attached.rows.end(), [&](const AttachedRow& row) {
    return within(row.name, r.attached.names.size()) && within(row.location, r.locations.size());
  });
}

bool consistent(const Reduction& r) {
  if (!waits_consistent(r) || !attached_consistent(r)) return false;
  for (const LocationRow& row : r.locations)
    if (!within(row.host, r.hosts.size())) return false;
  const bool has_ranks = r.ranks >= 0 && r.ranks <= std::numeric_limits<std::int32_t>::max(); // as MPI numbers them
  std::vector<In> statistics;
  return has_ranks && paths_consistent(r, statistics) && rows_consistent(r, statistics);
}

void put_shares(Writer& writer, const SampledShares& shares) {
  writer.put(static_cast<std::uint64_t>(shares.size()));
  for (const auto& [of, periods] : shares) {
    for (const NotedFunction* const function : {&of.first, &of.second}) {
      writer.put_text(function->name);
      writer.put_text(function->file);
      writer.put(static_cast<std::uint64_t>(function->line));
    }
    writer.put(periods);
  }
}

void get_shares(Reader& reader, SampledShares& shares) {
  const auto function = [&] {
    NotedFunction noted;
    noted.name = reader.get_text();
    noted.file = reader.get_text();
    noted.line = static_cast<unsigned>(reader.get<std::uint64_t>());
    return noted;
  };
  reader.get_each([&] {
    NotedFunction caller = function(), inner = function();
    shares[{std::move(caller), std::move(inner)}] = reader.get<double>();
  });
}

} // namespace

bool write_message(const Reduction& r, const GivePiece& give) {
  Writer writer(give);
  writer.put(r.ranks);
  writer.put(r.first_rank);
  writer.put(r.clock_error_ppm);
  writer.put(r.tool_error_ns);
  writer.put(r.window_thread_ns);
  writer.put(r.function_samples);
  writer.put(r.limits_met);
  writer.put(static_cast<std::int32_t>(r.all_values));
  writer.put(r.dropped_paths);
  writer.put(r.dropped_ranks);
  writer.put(r.metrics);
  for (const std::int64_t count :
       {r.waits.matched, r.waits.unmatched, r.waits.unordered, r.waits.outside, r.waits.lost, r.waits.violations})
    writer.put(count);
  writer.put(r.waits.unclassified_ns);
  writer.put(r.waits.clock_error_ns);
  writer.put(r.waits.transfers_unknown);
  writer.put_all(r.waits.left_overs);
  writer.put_all(r.waits.sums);
  writer.put_all(r.wait_pairs);
  writer.put(static_cast<std::uint64_t>(r.attached.names.size()));
  for (const std::string& name : r.attached.names) writer.put_text(name);
  writer.put_all(r.attached.rows);
  writer.put(r.attached.lost);
  put_shares(writer, r.sampled_shares);
  writer.put(static_cast<std::uint64_t>(r.events.size()));
  for (const EventState& event : r.events) {
    writer.put_text(event.name);
    writer.put_text(event.trouble);
    writer.put(event.counted_ranks);
    writer.put(event.troubled_ranks);
  }
  writer.put(static_cast<std::uint64_t>(r.regions.size()));
  for (const RegionRow& region : r.regions) {
    writer.put_text(region.name);
    writer.put_text(region.kind);
    writer.put_text(region.file);
    writer.put(region.line);
  }
  writer.put(static_cast<std::uint64_t>(r.hosts.size()));
  for (const ProfileHost& host : r.hosts) {
    writer.put_text(host.facts.name);
    writer.put_text(host.facts.cpu);
    writer.put(host.facts.memory_bytes);
    writer.put_all(host.cores);
  }
  writer.put_all(r.paths);
  put_statistics(writer, r);
  writer.put_all(r.locations);
  writer.put_all(r.messages);
  writer.put_all(r.snapshots);
  writer.put_all(r.rows);
  writer.put_all(r.row_statistics);
  writer.put_all(r.row_values);
  return writer.finish();
}

std::optional<Reduction> read_message(const TakePiece& take) {
  Reduction r;
  Reader reader(take);
  r.ranks = reader.get<std::int64_t>();
  r.first_rank = reader.get<std::int32_t>();
  r.clock_error_ppm = reader.get<double>();
  r.tool_error_ns = reader.get<double>();
  r.window_thread_ns = reader.get<double>();
  r.function_samples = reader.get<std::int64_t>();
  r.limits_met = reader.get<std::uint32_t>();
  r.all_values = reader.get<std::int32_t>() != 0;
  r.dropped_paths = reader.get<std::int64_t>();
  r.dropped_ranks = reader.get<std::int64_t>();
  r.metrics = reader.get<std::int32_t>();
  for (std::int64_t* count :
       {&r.waits.matched, &r.waits.unmatched, &r.waits.unordered, &r.waits.outside, &r.waits.lost, &r.waits.violations})
    *count = reader.get<std::int64_t>();
  r.waits.unclassified_ns = reader.get<double>();
  r.waits.clock_error_ns = reader.get<double>();
  r.waits.transfers_unknown = reader.get<double>();
  r.waits.left_overs = reader.get_all<LeftOver>();
  r.waits.sums = reader.get_all<WaitSum>();
  r.wait_pairs = reader.get_all<WaitPairRow>();
  reader.get_each([&] { r.attached.names.push_back(reader.get_text()); });
  r.attached.rows = reader.get_all<AttachedRow>();
  r.attached.lost = reader.get<std::int64_t>();
  get_shares(reader, r.sampled_shares);
  reader.get_each([&] {
    EventState event;
    event.name = reader.get_text();
    event.trouble = reader.get_text();
    event.counted_ranks = reader.get<std::int64_t>();
    event.troubled_ranks = reader.get<std::int64_t>();
    r.events.push_back(std::move(event));
  });
  reader.get_each([&] {
    RegionRow region;
    region.name = reader.get_text();
    region.kind = reader.get_text();
    region.file = reader.get_text();
    region.line = reader.get<std::int32_t>();
    r.region_hashes.push_back(hash_of(region));
    r.regions.push_back(std::move(region));
  });
  reader.get_each([&] {
    ProfileHost host;
    host.facts.name = reader.get_text();
    host.facts.cpu = reader.get_text();
    host.facts.memory_bytes = reader.get<std::int64_t>();
    host.cores = reader.get_all<std::uint8_t>();
    r.hosts.push_back(std::move(host));
  });
  r.paths = reader.get_all<ReducedPath>();
  r.statistics = get_statistics(reader, r.first_rank);
  r.locations = reader.get_all<LocationRow>();
  r.messages = reader.get_all<MessageRow>();
  r.snapshots = reader.get_all<SnapshotRow>();
  r.rows = reader.get_all<ValueRow>();
  r.row_statistics = reader.get_all<std::int32_t>();
  r.row_values = reader.get_all<double>();
  if (!reader.complete() || !consistent(r)) return std::nullopt;
  return r;
}

} // namespace andes::monitor
