// The run file is read whole, changed in memory and written whole: SQLite never opens a file on the
// user's file system, so no lock is ever needed there.
#include "postproc/launch/annotate.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "common/message.h"
#include "monitor/finish/sqlite_handles.h"
#include "monitor/interface/run_file.h"

namespace andes::postproc {
namespace {

[[noreturn]] void refuse_file(const std::string& path, const std::string& fact) {
  refuse(path, fact, "the run file is left unchanged");
}

monitor::SqliteStatement prepare(sqlite3* database, const std::string& path, const char* text) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, text, -1, &statement, nullptr) != SQLITE_OK)
    refuse_file(path, sqlite3_errmsg(database));
  return monitor::SqliteStatement(statement);
}

std::int64_t number(sqlite3* database, const std::string& path, const char* text) {
  const monitor::SqliteStatement statement = prepare(database, path, text);
  if (sqlite3_step(statement.get()) != SQLITE_ROW) refuse_file(path, sqlite3_errmsg(database));
  return sqlite3_column_int64(statement.get(), 0);
}

/// Another user may have put something there: refuses anything but a regular file, such as an endless device.
void require_plain_file(const std::string& path) {
  constexpr off_t most_bytes = off_t{1} << 32;
  struct stat status;
  if (stat(path.c_str(), &status) != 0) refuse_file(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode) || status.st_size > most_bytes) refuse_file(path, "is not a run file");
}

monitor::SqliteDatabase load(const std::string& path) {
  require_plain_file(path);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.good() && !file.eof()) refuse_file(path, std::strerror(errno));
  sqlite3* opened = nullptr;
  if (sqlite3_open(":memory:", &opened) != SQLITE_OK) refuse_file(path, "out of memory");
  monitor::SqliteDatabase database(opened);
  auto* memory = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size() + 1));
  if (!memory) refuse_file(path, "out of memory");
  std::memcpy(memory, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (sqlite3_deserialize(database.get(), "main", memory, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) != SQLITE_OK)
    refuse_file(path, "is not a run file");
  // Whatever stands there under the name that the run file was to have: its schema runs nothing.
  for (const int option : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW})
    sqlite3_db_config(database.get(), option, 0, nullptr);
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (number(database.get(), path, "PRAGMA application_id") != run_file::application_id)
    refuse_file(path, "is not a run file");
  return database;
}

/// A temporary file beside `path`, removed unless it has become `path`.
class Temporary {
public:
  explicit Temporary(const std::string& path) : name_(path + ".XXXXXX") {
    file_ = mkostemp(name_.data(), O_CLOEXEC);
    if (file_ < 0) refuse_file(path, std::strerror(errno));
  }
  ~Temporary() {
    if (file_ >= 0) close(file_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void write_and_rename(const unsigned char* data, std::size_t bytes, const std::string& path) {
    struct stat status;
    // Where a file system gives all files to one user, others cannot change rights, and mkostemp's are the narrowest.
    if (stat(path.c_str(), &status) != 0 || (fchmod(file_, status.st_mode & 07777) != 0 && errno != EPERM))
      refuse_file(path, std::strerror(errno));
    while (bytes > 0) {
      const ssize_t written = write(file_, data, bytes);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) refuse_file(path, std::strerror(written < 0 ? errno : ENOSPC));
      data += written;
      bytes -= static_cast<std::size_t>(written);
    }
    if (fsync(file_) != 0 || rename(name_.c_str(), path.c_str()) != 0) refuse_file(path, std::strerror(errno));
    name_.clear();
  }

private:
  std::string name_;
  int file_ = -1;
};

void bind(sqlite3_stmt* statement, int at, const Fact& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) sqlite3_bind_int64(statement, at, *whole);
  else if (const auto* real = std::get_if<double>(&value)) sqlite3_bind_double(statement, at, *real);
  else sqlite3_bind_text(statement, at, std::get<std::string>(value).c_str(), -1, SQLITE_TRANSIENT);
}

} // namespace

Written read_written(const std::string& path) {
  const monitor::SqliteDatabase database = load(path);
  Written written;
  const monitor::SqliteStatement statement = prepare(database.get(), path,
                                                     "SELECT name, value FROM fact WHERE name IN "
                                                     "('ranks', 'busy_threads', 'usable_cores', 'spawned', 'wall_ns')");
  int step;
  while ((step = sqlite3_step(statement.get())) == SQLITE_ROW) {
    const std::string name = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0));
    const std::int64_t value = sqlite3_column_int64(statement.get(), 1);
    if (name == "ranks") written.ranks = value;
    else if (name == "busy_threads") written.busy_threads = value;
    else if (name == "wall_ns") written.wall_ns = value;
    else if (name == "spawned") written.spawned = value != 0;
    else written.usable_cores = value;
  }
  if (step != SQLITE_DONE) refuse_file(path, sqlite3_errmsg(database.get()));
  return written;
}

void annotate(const std::string& path, const Facts& facts) {
  const monitor::SqliteDatabase database = load(path);
  sqlite3_exec(database.get(), "BEGIN", nullptr, nullptr, nullptr);
  const monitor::SqliteStatement insert = prepare(database.get(), path, "INSERT OR REPLACE INTO fact VALUES(?, ?)");
  for (const auto& [name, value] : facts) {
    sqlite3_bind_text(insert.get(), 1, name.c_str(), -1, SQLITE_TRANSIENT);
    bind(insert.get(), 2, value);
    if (sqlite3_step(insert.get()) != SQLITE_DONE) refuse_file(path, sqlite3_errmsg(database.get()));
    sqlite3_reset(insert.get());
  }
  if (sqlite3_exec(database.get(), "COMMIT", nullptr, nullptr, nullptr) != SQLITE_OK)
    refuse_file(path, sqlite3_errmsg(database.get()));
  sqlite3_int64 size = 0;
  const monitor::SqliteBytes bytes(sqlite3_serialize(database.get(), "main", &size, 0));
  if (!bytes) refuse_file(path, "out of memory");
  Temporary temporary(path);
  temporary.write_and_rename(bytes.get(), static_cast<std::size_t>(size), path);
}

void write_minimal(const std::string& path, const Facts& facts) {
  monitor::Run run;
  run.facts = facts;
  monitor::write_run(run, path, 0);
}

} // namespace andes::postproc
