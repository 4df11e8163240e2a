// write_run: turns a Run (plain data) into a run file, the SQLite database of run_file.h.
//
// Invariants:
//  - the database is built in memory and written with plain writes: never a lock on the user's
//    file system;
//  - the file appears under its name only when it is complete, and never replaces another one
//    (invariant 7); only its owner may read it; no fsync (docs/decisions/0065);
//  - this runs inside other people's processes: no exception leaves it, and the only global state
//    is that of SQLite, which is linked in and hidden.
#include "monitor/finish/run.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <new>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>
#include <variant>
#include <zlib.h>

#include "common/write_all.h"
#include "monitor/core/message_sizes.h"
#include "monitor/finish/empty_run.h"
#include "monitor/finish/sqlite_handles.h"
#include "monitor/finish/tables.h"

namespace andes::monitor {
namespace {

/// A column as it stands in the file: 'f' (float) or 'd' (double) and the zlib stream of the
/// numbers in the machine's (little-endian) order.
struct Packed {
  std::string type;
  std::vector<unsigned char> bytes;
};

template <class Number> std::vector<unsigned char> compressed(const std::vector<Number>& values) {
  const auto size = static_cast<uLong>(values.size() * sizeof(Number));
  uLongf room = compressBound(size);
  std::vector<unsigned char> bytes(room);
  if (compress2(bytes.data(), &room, reinterpret_cast<const Bytef*>(values.data()), size, Z_BEST_SPEED) != Z_OK)
    throw std::bad_alloc(); // no other error is possible
  bytes.resize(room);
  return bytes;
}

/// `metric` is one of the fixed ones or of Run::more_metrics.
std::string unit_of(const Run& run, std::int32_t metric) {
  if (metric < run_file::metric_count) return run_file::metrics[metric].unit;
  return run.more_metrics[static_cast<std::size_t>(metric - run_file::metric_count)].unit;
}

/// Times are rounded to floats, with a relative error of at most 6e-8: less than any clock's.
/// Counts and bytes are exact: stored as floats only if floats hold all of them exactly.
Packed packed(const Run& run, const Column& column) {
  const std::string unit = unit_of(run, column.metric);
  const bool is_time = unit.compare(0, 2, "ns") == 0; // or its square
  const auto fits = [&](double value) {
    return is_time ? std::fabs(value) <= std::numeric_limits<float>::max()
                   : static_cast<double>(static_cast<float>(value)) == value;
  };
  if (!std::all_of(column.values.begin(), column.values.end(), fits)) return {"d", compressed(column.values)};
  return {"f", compressed(std::vector<float>(column.values.begin(), column.values.end()))};
}

// The values of a row, for each table, in the order of its columns.

template <class Value> void put(TableRow& row, const std::pair<const std::string, Value>& named) {
  row << named.first;
  if constexpr (std::is_same_v<Value, Fact>) std::visit([&](const auto& value) { row << value; }, named.second);
  else row << named.second;
}

void put(TableRow& row, const Host& h) {
  row << row.number() << h.name;
  row.known(h.usable_cores).known(h.cpu).known(h.memory_bytes);
}

void put(TableRow& row, const RegionRow& r) {
  row << row.number() << r.name << r.kind;
  row.known(r.file).known(r.line);
}

void put(TableRow& row, const LeftOutRow& l) {
  row << l.region << l.function.name;
  row.known(l.function.file).known(std::int64_t{l.function.line});
  row << l.share << std::int64_t{l.unknown_work};
  row.known(l.samples);
}

void put(TableRow& row, const CallPathRow& c) { (row << row.number()).index(c.parent) << c.region; }

void put(TableRow& row, const StepRow& s) {
  (row << row.number()).index(s.parent) << s.callpath << s.region;
  if (s.number) row << *s.number;
  else row.null();
}

void put(TableRow& row, const AttachedValueRow& a) {
  row << a.callpath;
  row.index(a.step) << a.name << a.location << a.count << a.not_finite;
  for (const double value : {a.sum, a.min, a.max, a.last})
    if (a.count > 0 && std::isfinite(value)) row << value;
    else row.null();
}

void put(TableRow& row, const run_file::Metric& m) { row << row.number() << m.name << m.unit << m.description; }

void put(TableRow& row, const MetricRow& m) {
  row << run_file::metric_count + row.number() << m.name << m.unit << m.description;
}

void put(TableRow& row, const LocationRow& l) {
  row << row.number() << l.rank << l.thread << l.host << l.process;
  row << l.start_ns << l.end_ns << l.wall_ns << l.off_ns;
  row.known(l.init_ns).known(l.wait_at_end_ns); // absent without MPI
  row << l.compute_ns << l.communication_ns;
  row.known(l.idle_ns);
  row << l.tool_ns << l.synchronisation_ns;
  row << l.bytes_sent << l.bytes_received << l.messages_sent << l.messages_received;
  row << l.has_values;
  row.known(l.team_idle_ns).known(l.apart_ns).known(l.parallel_ns);
  row << l.io_ns << l.bytes_read << l.bytes_written;
  row.known(l.core_wait_ns);
}

void put(TableRow& row, const SizeRow& s) {
  row << s.callpath << static_cast<std::int64_t>(least_of_class(s.size_class));
  row.known(static_cast<std::int64_t>(end_of_class(s.size_class))) << s.messages;
}

void put(TableRow& row, const MessageRow& m) { row << m.source << m.destination << m.messages << m.bytes; }

void put(TableRow& row, const WaitPairRow& w) { row << w.rank << w.peer_rank << w.wait_ns; }

void put(TableRow& row, const EndingRow& e) {
  row << e.rank << e.how;
  row.known(std::int64_t{e.detail});
  if (e.how == run_file::end_missing) row.null();
  else row << e.time_ns;
  row << std::int64_t{e.last_event};
  row.index(e.callpath);
  row.known(std::string_view(e.text));
}

void put(TableRow& row, const LeftOverRow& l) {
  row << std::string_view(l.kind);
  row.index(l.callpath).index(l.rank).index(l.peer_callpath).index(l.peer_rank).index(l.tag) << l.events;
  row.index(l.root).index(l.peer_root);
}

void put(TableRow& row, const SnapshotRow& s) { row << s.rank << s.number << s.time_ns; }

void put(TableRow& row, const StatisticRow* s) {
  row << s->callpath << s->metric << s->sum << s->min << s->max << s->mean << s->sd;
  row << s->min_rank << s->max_rank;
}

void put(TableRow& row, const CauseRow& c) {
  row << row.number() << c.name << c.title;
  row.known(c.description).known(c.advice) << c.metric;
}

void put(TableRow& row, const WaitRow& w) {
  row << w.cause << w.callpath;
  row.index(w.peer_callpath).index(w.peer_rank);
  row.index(w.origin_callpath).index(w.origin_rank);
  row << w.wait_ns << w.events;
  if (w.variance_ns2 > 0) row << w.variance_ns2;
  else row.null();
}

void put(TableRow& row, const GainRow& g) {
  row << g.cause << g.callpath << std::string_view(g.cure) << g.gain_ns << g.error_ns;
}

void put(TableRow& row, const OriginRow& o) {
  row << o.rank << o.callpath;
  row.index(o.doing_callpath) << o.doing_ns << o.wait_ns << o.events;
  row.known(o.longer_ns);
}

template <class Items> bool fill(Tables& tables, const char* table, const Items& items) {
  auto at = std::begin(items);
  return tables.fill(table, [&](TableRow& row) {
    if (at == std::end(items)) return false;
    put(row, *at++);
    return true;
  });
}

/// Sorts the rows as the file has them (run_file.h). Mostly they are sorted, but for what only
/// some ranks have.
template <class Row> std::vector<const Row*> sorted(const std::vector<Row>& rows) {
  std::vector<const Row*> order;
  order.reserve(rows.size());
  for (const Row& row : rows) order.push_back(&row);
  const auto is_before = [](const Row* a, const Row* b) {
    return a->callpath != b->callpath ? a->callpath < b->callpath : a->metric < b->metric;
  };
  const auto rest = std::is_sorted_until(order.begin(), order.end(), is_before);
  std::sort(rest, order.end(), is_before);
  std::inplace_merge(order.begin(), rest, order.end(), is_before);
  return order;
}

/// Writes the values of single locations: as rows if they are few, else as columns.
bool fill_values(Tables& tables, const Run& run, std::size_t table_values) {
  std::vector<std::int32_t> locations;
  for (std::size_t i = 0; i < run.locations.size(); ++i)
    if (run.locations[i].has_values) locations.push_back(static_cast<std::int32_t>(i));
  const auto metrics = run_file::metric_count + static_cast<std::int32_t>(run.more_metrics.size());
  std::size_t values = 0;
  for (const Column& c : run.columns) {
    if (c.values.size() != locations.size() || c.metric < 0 || c.metric >= metrics) return false;
    values += c.values.size() - static_cast<std::size_t>(std::count(c.values.begin(), c.values.end(), 0.0));
  }
  const std::vector<const Column*> columns = sorted(run.columns);
  std::size_t column = 0, at = 0; // the next value
  if (values > table_values) {
    Packed numbers;
    return tables.fill("value_column", [&](TableRow& row) {
      if (column == columns.size()) return false;
      const Column& c = *columns[column++];
      numbers = packed(run, c);
      row << c.callpath << c.metric << numbers.type << numbers.bytes;
      return true;
    });
  }
  return tables.fill("value", [&](TableRow& row) {
    for (; column < columns.size(); ++column, at = 0)
      for (const Column& c = *columns[column]; at < locations.size();) {
        const std::size_t location = at++;
        if (c.values[location] == 0) continue;
        row << c.callpath << c.metric << locations[location] << c.values[location];
        return true;
      }
    return false;
  });
}

bool execute(sqlite3* db, const char* sql) { return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

/// Makes the database a copy of the empty run file, with all tables and no rows, in memory that grows as needed.
bool begin_empty(sqlite3* db) {
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(empty_run_bytes));
  if (!copy) return false;
  std::memcpy(copy, empty_run, empty_run_bytes);
  const auto bytes = static_cast<sqlite3_int64>(empty_run_bytes);
  sqlite3_int64 limit = std::numeric_limits<sqlite3_int64>::max() / 2;
  return sqlite3_deserialize(db, "main", copy, bytes, bytes,
                             SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK &&
         sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit) == SQLITE_OK;
}

/// Fills the database; false with the reason in sqlite3_errmsg.
bool fill(sqlite3* db, const Run& run, std::size_t table_values) {
  Tables tables(db);
  return fill(tables, "fact", run.facts) && fill(tables, "environment", run.environment) &&
         fill(tables, "host", run.hosts) && fill(tables, "region", run.regions) &&
         fill(tables, "left_out", run.left_out) && fill(tables, "callpath", run.callpaths) &&
         fill(tables, "step", run.steps) && fill(tables, "metric", run_file::metrics) &&
         fill(tables, "metric", run.more_metrics) && fill(tables, "location", run.locations) &&
         fill(tables, "message_size", run.message_sizes) && fill(tables, "message", run.messages) &&
         fill(tables, "snapshot", run.snapshots) && fill(tables, "ending", run.endings) &&
         fill(tables, "attached", run.attached) && fill(tables, "step_statistic", sorted(run.step_statistics)) &&
         fill(tables, "statistic", sorted(run.statistics)) && fill(tables, "cause", run.causes) &&
         fill(tables, "wait", run.waits) && fill(tables, "wait_pair", run.wait_pairs) &&
         fill(tables, "gain", run.gains) && fill(tables, "origin", run.origins) &&
         fill(tables, "left_over", run.left_overs) && fill_values(tables, run, table_values) && execute(db, "COMMIT;");
}

[[noreturn]] void refuse_writing(const std::string& path, int error, const char* remedy) {
  refuse(path, std::string("not written: ") + std::strerror(error), remedy);
}

constexpr mode_t owner_alone = 0600;

/// Gives `temporary` the name `path` unless that exists; 0 or an errno (EEXIST).
int place(const std::string& temporary, const std::string& path) {
  if (::link(temporary.c_str(), path.c_str()) == 0) {
    ::unlink(temporary.c_str());
    return 0;
  }
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS && errno != EMLINK) return errno;
  // No hard links on this file system: reserve the name with an empty file, then replace that file.
  const int reserved = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, owner_alone);
  if (reserved < 0) return errno;
  ::close(reserved);
  return ::rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

void store(const std::string& path, const unsigned char* bytes, std::size_t size) {
  constexpr const char* other_name = "give another name";
  constexpr const char* other_place = "choose a directory that can be written and has room";
  struct stat there;
  if (::lstat(path.c_str(), &there) == 0) refuse_writing(path, EEXIST, other_name);
  rlimit limit; // beyond it the kernel would send a signal
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size)
    refuse_writing(path, EFBIG, "raise the limit of file sizes (ulimit -f)");
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  std::string temporary;
  int file = -1;
  for (int number = 0; file < 0 && number < 100; ++number) {
    temporary = directory + "/.andes-" + std::to_string(::getpid()) + "-" + std::to_string(number);
    file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, owner_alone);
    if (file < 0 && errno != EEXIST) break;
  }
  if (file < 0) refuse_writing(path, errno, other_place);
  ::fchmod(file, owner_alone); // the umask may have removed the owner's rights, too; fails only on file systems without
      // rights
  int error = write_all(file, {reinterpret_cast<const char*>(bytes), size});
  if (::close(file) != 0 && error == 0) error = errno; // NFS reports a full disk here
  if (error == 0) error = place(temporary, path);
  if (error != 0) {
    ::unlink(temporary.c_str());
    refuse_writing(path, error, error == EEXIST ? other_name : other_place);
  }
}

} // namespace

std::shared_ptr<sqlite3> begin_run_file() try {
  // SQLite is this library's own and one thread uses it: no locks, no counts of its memory.
  sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3* raw = nullptr;
  const int opened =
      sqlite3_open_v2(":memory:", &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  std::shared_ptr<sqlite3> database(raw, FreeSqlite());
  if (opened == SQLITE_OK && begin_empty(raw))
    execute(raw, "PRAGMA journal_mode=OFF;PRAGMA secure_delete=OFF;PRAGMA cache_size=16;BEGIN;");
  return database;
} catch (const std::bad_alloc&) {
  return nullptr;
}

void write_run(const Run& run, const std::string& path, std::size_t table_values,
               std::shared_ptr<sqlite3> database) try {
  sqlite3* const raw = database.get();
  if (!raw) throw std::bad_alloc();
  const bool begun = sqlite3_get_autocommit(raw) == 0; // in the transaction that begin_run_file() began
  if (!begun || !fill(raw, run, table_values))
    refuse(path, std::string("not written: ") + sqlite3_errmsg(raw), "report this with the program's name");
  sqlite3_int64 size = 0;
  const unsigned char* bytes = sqlite3_serialize(raw, "main", &size, SQLITE_SERIALIZE_NOCOPY);
  if (!bytes) throw std::bad_alloc();
  store(path, bytes, static_cast<std::size_t>(size));
} catch (const std::bad_alloc&) {
  refuse(path, "not written: no memory for the file", "give rank 0 more memory");
}

} // namespace andes::monitor
