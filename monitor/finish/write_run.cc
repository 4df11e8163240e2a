// write_run: turns a Run (plain data) into a run file, the SQLite database of run_file.h.
//
// Invariants:
//  - the database is built in memory and written with plain writes: never a lock on the user's
//    file system;
//  - the file appears under its name only when it is whole, and never takes the place of another one
//    (invariant 8); the user's umask decides who may read it; no fsync (docs/decisions/0065);
//  - this runs inside other people's processes: no exception leaves it, no global state but
//    SQLite's own, which is linked in and hidden.
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
#include <sys/stat.h>
#include <unistd.h>
#include <variant>
#include <zlib.h>

#include "monitor/finish/sqlite_handles.h"

namespace andes {
namespace {

/// A prepared INSERT. The first failure of any call sticks in `status`, so callers test once.
class Insert {
public:
  Insert(sqlite3* database, const char* sql) {
    sqlite3_stmt* raw = nullptr;
    status_ = sqlite3_prepare_v2(database, sql, -1, &raw, nullptr);
    statement_.reset(raw);
  }
  Insert& operator<<(std::int64_t value) {
    return keep(sqlite3_bind_int64(statement_.get(), ++column_, value));
  }
  Insert& operator<<(std::int32_t value) { return *this << std::int64_t{value}; }
  Insert& operator<<(double value) {
    return keep(sqlite3_bind_double(statement_.get(), ++column_, value));
  }
  Insert& operator<<(const std::string& value) {
    return keep(sqlite3_bind_text64(statement_.get(), ++column_, value.data(), value.size(),
                                    SQLITE_STATIC, SQLITE_UTF8));
  }
  Insert& operator<<(const Fact& fact) {
    return std::visit([this](const auto& value) -> Insert& { return *this << value; }, fact);
  }
  Insert& blob(const std::vector<unsigned char>& value) {
    return keep(sqlite3_bind_blob64(statement_.get(), ++column_, value.data(), value.size(),
                                    SQLITE_STATIC));
  }
  Insert& null() { return keep(sqlite3_bind_null(statement_.get(), ++column_)); }
  /// What was not measured is absent: zero and the empty text become NULL.
  Insert& known(std::int64_t value) { return value != 0 ? *this << value : null(); }
  Insert& known(const std::string& value) { return value.empty() ? null() : *this << value; }
  /// Ends the row; false once anything has failed.
  bool row() {
    if (status_ == SQLITE_OK) {
      const int stepped = sqlite3_step(statement_.get());
      if (stepped != SQLITE_DONE) status_ = stepped;
      sqlite3_reset(statement_.get());
    }
    column_ = 0;
    return status_ == SQLITE_OK;
  }

private:
  Insert& keep(int status) {
    if (status_ == SQLITE_OK) status_ = status;
    return *this;
  }
  SqliteStatement statement_;
  int column_ = 0, status_ = SQLITE_OK;
};

/// Rows of numbers for one table, a batch to a statement: half the time of rows one by one, and
/// rank 0 fills the tables while the other ranks wait in MPI_Finalize. Failures as in Insert.
class Rows {
public:
  Rows(sqlite3* database, const char* table, std::size_t columns)
      : database_(database), table_(table), columns_(columns) {}
  Rows& operator<<(std::int64_t value) { return keep(value); }
  Rows& operator<<(std::int32_t value) { return keep(std::int64_t{value}); }
  Rows& operator<<(double value) { return keep(value); }
  Rows& null() { return keep(std::monostate()); }
  /// Inserts what is left; false if anything has failed.
  bool end() {
    insert();
    return status_ == SQLITE_OK;
  }

private:
  static constexpr std::size_t batch = 20; // rows; more gain nothing

  using Value = std::variant<std::monostate, std::int64_t, double>;

  Rows& keep(Value value) {
    values_.push_back(value);
    if (values_.size() == batch * columns_) insert();
    return *this;
  }
  void insert() {
    if (values_.empty() || status_ != SQLITE_OK) return;
    if (!statement_ || values_.size() != prepared_values_) prepare();
    int number = 0;
    for (const Value& value : values_)
      if (status_ == SQLITE_OK) status_ = bind(++number, value);
    if (status_ == SQLITE_OK && sqlite3_step(statement_.get()) == SQLITE_DONE)
      status_ = sqlite3_reset(statement_.get());
    else if (status_ == SQLITE_OK)
      status_ = SQLITE_ERROR;
    values_.clear();
  }
  int bind(int number, const Value& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
      return sqlite3_bind_int64(statement_.get(), number, *whole);
    if (const auto* real = std::get_if<double>(&value))
      return sqlite3_bind_double(statement_.get(), number, *real);
    return sqlite3_bind_null(statement_.get(), number);
  }
  void prepare() {
    std::string row = "(?";
    for (std::size_t i = 1; i < columns_; ++i) row += ",?";
    row += ')';
    std::string sql = "INSERT INTO " + std::string(table_) + " VALUES" + row;
    prepared_values_ = values_.size();
    for (std::size_t i = columns_; i < prepared_values_; i += columns_) sql += "," + row;
    sqlite3_stmt* raw = nullptr;
    status_ = sqlite3_prepare_v2(database_, sql.c_str(), -1, &raw, nullptr);
    statement_.reset(raw);
  }
  sqlite3* database_;
  const char* table_;
  std::size_t columns_, prepared_values_ = 0;
  std::vector<Value> values_;
  SqliteStatement statement_;
  int status_ = SQLITE_OK;
};

/// A column as it stands in the file: 'f' (float) or 'd' (double) and the zlib stream of the numbers
/// in the machine's (little-endian) order; no bytes: failed.
struct Packed {
  std::string type;
  std::vector<unsigned char> bytes;
};

template <class Number> std::vector<unsigned char> compressed(const std::vector<Number>& values) {
  const auto size = static_cast<uLong>(values.size() * sizeof(Number));
  uLongf room = compressBound(size);
  std::vector<unsigned char> bytes(room);
  if (compress2(bytes.data(), &room, reinterpret_cast<const Bytef*>(values.data()), size,
                Z_BEST_SPEED) != Z_OK)
    return {};
  bytes.resize(room);
  return bytes;
}

/// `metric` is one of the fixed ones or of Run::more_metrics.
std::string unit_of(const Run& run, std::int32_t metric) {
  if (metric < run_file::metric_count) return run_file::metrics[metric].unit;
  return run.more_metrics[static_cast<std::size_t>(metric - run_file::metric_count)].unit;
}

/// Times are rounded to floats, relative error at most 6e-8: less than any clock's. Counts and bytes
/// are exact: as floats only if each of them is one.
Packed packed(const Run& run, const Column& column) {
  const std::string unit = unit_of(run, column.metric);
  const bool is_time = unit.compare(0, 2, "ns") == 0; // or its square
  const auto fits = [&](double value) {
    return is_time ? std::fabs(value) <= std::numeric_limits<float>::max()
                   : static_cast<double>(static_cast<float>(value)) == value;
  };
  if (!std::all_of(column.values.begin(), column.values.end(), fits))
    return {"d", compressed(column.values)};
  return {"f", compressed(std::vector<float>(column.values.begin(), column.values.end()))};
}

bool insert_descriptions(sqlite3* db, const Run& run) {
  bool good = true;
  Insert fact(db, "INSERT INTO fact VALUES(?,?)");
  for (const auto& [name, value] : run.facts) good = (fact << name << value).row() && good;
  Insert environment(db, "INSERT INTO environment VALUES(?,?)");
  for (const auto& [name, value] : run.environment)
    good = (environment << name << value).row() && good;
  Insert host(db, "INSERT INTO host VALUES(?,?,?,?,?)");
  std::int64_t id = 0;
  for (const Host& h : run.hosts)
    good = (host << id++ << h.name).known(h.usable_cores).known(h.cpu).known(h.memory_bytes).row() &&
           good;
  Insert region(db, "INSERT INTO region VALUES(?,?,?,?,?)");
  id = 0;
  for (const RegionRow& r : run.regions)
    good = (region << id++ << r.name << r.kind).known(r.file).known(r.line).row() && good;
  Rows callpath(db, "callpath", 3);
  id = 0;
  for (const CallPathRow& c : run.callpaths) {
    callpath << id++;
    if (c.parent < 0) callpath.null();
    else callpath << c.parent;
    callpath << c.region;
  }
  good = callpath.end() && good;
  Insert metric(db, "INSERT INTO metric VALUES(?,?,?,?)");
  id = 0;
  for (const run_file::Metric& m : run_file::metrics)
    good = (metric << id++ << std::string(m.name) << std::string(m.unit)
                   << std::string(m.description))
               .row() &&
           good;
  for (const MetricRow& m : run.more_metrics)
    good = (metric << id++ << m.name << m.unit << m.description).row() && good;
  return good;
}

bool insert_causes(sqlite3* db, const Run& run) {
  bool good = true;
  Insert cause(db, "INSERT INTO cause VALUES(?,?,?,?,?,?)");
  std::int64_t id = 0;
  for (const CauseRow& c : run.causes) {
    (cause << id++ << c.name << c.title).known(c.description).known(c.advice);
    good = (cause << c.metric).row() && good;
  }
  Rows wait(db, "wait", 9);
  const auto or_null = [&wait](std::int32_t index) {
    if (index < 0) wait.null();
    else wait << index;
  };
  for (const WaitRow& w : run.waits) {
    wait << w.cause << w.callpath;
    or_null(w.peer_callpath);
    or_null(w.peer_rank);
    or_null(w.origin_callpath);
    or_null(w.origin_rank);
    wait << w.wait_ns << w.events;
    if (w.variance_ns2 > 0) wait << w.variance_ns2;
    else wait.null();
  }
  return wait.end() && good;
}

bool insert_locations(sqlite3* db, const Run& run) {
  bool good = true;
  Insert location(db, "INSERT INTO location VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  std::int64_t id = 0;
  for (const LocationRow& l : run.locations) {
    location << id++ << l.rank << l.thread << l.host << l.process << l.start_ns << l.end_ns;
    location << l.wall_ns << l.off_ns;
    location.known(l.init_ns); // none without MPI
    location << l.wait_at_end_ns;
    location << l.compute_ns << l.communication_ns;
    if (l.idle_ns) location << *l.idle_ns;
    else location.null();
    location << l.tool_ns << l.synchronisation_ns;
    location << l.bytes_sent << l.bytes_received << l.messages_sent << l.messages_received;
    location << l.has_values;
    good = location.row() && good;
  }
  Rows message(db, "message", 4);
  for (const MessageRow& m : run.messages)
    message << m.source << m.destination << m.messages << m.bytes;
  Rows snapshot(db, "snapshot", 3);
  for (const SnapshotRow& s : run.snapshots) snapshot << s.rank << s.number << s.time_ns;
  return message.end() && snapshot.end() && good;
}

/// In the order of the primary keys every insertion is an append.
template <class Row> std::vector<const Row*> sorted(const std::vector<Row>& rows) {
  std::vector<const Row*> order;
  for (const Row& row : rows) order.push_back(&row);
  std::sort(order.begin(), order.end(), [](const Row* a, const Row* b) {
    return a->callpath != b->callpath ? a->callpath < b->callpath : a->metric < b->metric;
  });
  return order;
}

bool insert_statistics(sqlite3* db, const Run& run) {
  Rows statistic(db, "statistic", 9);
  for (const StatisticRow* s : sorted(run.statistics)) {
    statistic << s->callpath << s->metric << s->sum << s->min << s->max << s->mean;
    statistic << s->sd << s->min_rank << s->max_rank;
  }
  return statistic.end();
}

bool insert_values(sqlite3* db, const Run& run, std::size_t table_values) {
  std::vector<std::int64_t> locations; // those that have values
  for (std::size_t i = 0; i < run.locations.size(); ++i)
    if (run.locations[i].has_values) locations.push_back(static_cast<std::int64_t>(i));
  std::size_t values = 0;
  const auto metrics = run_file::metric_count + static_cast<std::int32_t>(run.more_metrics.size());
  for (const Column& c : run.columns) {
    if (c.values.size() != locations.size() || c.metric < 0 || c.metric >= metrics) return false;
    values += c.values.size() -
              static_cast<std::size_t>(std::count(c.values.begin(), c.values.end(), 0.0));
  }
  bool good = true;
  Rows value(db, "value", 4);
  Insert value_column(db, "INSERT INTO value_column VALUES(?,?,?,?)");
  for (const Column* c : sorted(run.columns)) {
    if (values > table_values) {
      const Packed column = packed(run, *c);
      if (column.bytes.empty()) return false;
      good = (value_column << c->callpath << c->metric << column.type)
                 .blob(column.bytes)
                 .row() &&
             good;
      continue;
    }
    for (std::size_t i = 0; i < c->values.size(); ++i) {
      if (c->values[i] == 0) continue;
      value << c->callpath << c->metric << locations[i] << c->values[i];
    }
  }
  return value.end() && good;
}

bool execute(sqlite3* db, const std::string& sql) {
  return sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Fills the database; false with the reason in sqlite3_errmsg.
bool fill(sqlite3* db, const Run& run, std::size_t table_values) {
  return execute(db, "PRAGMA application_id=" + std::to_string(run_file::application_id) +
                         ";PRAGMA user_version=" + std::to_string(run_file::format) + ";BEGIN;") &&
         execute(db, run_file::schema) && insert_descriptions(db, run) &&
         insert_locations(db, run) && insert_statistics(db, run) &&
         insert_causes(db, run) && insert_values(db, run, table_values) && execute(db, "COMMIT;");
}

std::string because(const std::string& path, const char* fact, int error, const char* remedy) {
  return path + ": " + fact + ": " + std::strerror(error) + "; " + remedy;
}

/// Writes all bytes; 0 or an errno.
int write_all(int file, const unsigned char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file, bytes, std::min<std::size_t>(size, 1u << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

/// Gives `temporary` the name `path` unless that exists; 0 or an errno (EEXIST).
int place(const std::string& temporary, const std::string& path) {
  if (::link(temporary.c_str(), path.c_str()) == 0) {
    ::unlink(temporary.c_str());
    return 0;
  }
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS && errno != EMLINK) return errno;
  // No hard links on this file system: reserve the name first, then take the place of our own.
  const int reserved = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (reserved < 0) return errno;
  ::close(reserved);
  return ::rename(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
}

std::string store(const std::string& path, const unsigned char* bytes, std::size_t size) {
  constexpr const char* other_name = "give another name";
  constexpr const char* other_place = "choose a directory that can be written and has room";
  struct stat there;
  if (::lstat(path.c_str(), &there) == 0) return because(path, "not written", EEXIST, other_name);
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  std::string temporary;
  int file = -1;
  for (int number = 0; file < 0 && number < 100; ++number) {
    temporary = directory + "/.andes-" + std::to_string(::getpid()) + "-" + std::to_string(number);
    file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  if (file < 0) return because(path, "not written", errno, other_place);
  int error = write_all(file, bytes, size);
  if (::close(file) != 0 && error == 0) error = errno; // NFS reports a full disk here
  if (error == 0) error = place(temporary, path);
  if (error != 0) {
    ::unlink(temporary.c_str());
    return because(path, "not written", error, error == EEXIST ? other_name : other_place);
  }
  return {};
}

} // namespace

std::string write_run(const Run& run, const std::string& path, std::size_t table_values) try {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(
      ":memory:", &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  const SqliteDatabase database(raw);
  if (opened != SQLITE_OK || !fill(raw, run, table_values))
    return path + ": not written: " + (raw ? sqlite3_errmsg(raw) : "no memory") +
           "; report this with the program's name";
  sqlite3_int64 size = 0;
  const SqliteBytes bytes(sqlite3_serialize(raw, "main", &size, 0));
  if (!bytes)
    return path + ": not written: no memory for the file; give rank 0 more memory";
  return store(path, bytes.get(), static_cast<std::size_t>(size));
} catch (const std::bad_alloc&) {
  return path + ": not written: no memory for the file; give rank 0 more memory";
}

} // namespace andes
