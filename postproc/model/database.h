// Database and Query: a run file opened for reading, and the rows of one SELECT. SQLite is told
// that the file does not change (immutable: no lock, no journal) and is not to be trusted.
//
// Invariant: whatever the file says, reading it takes time and memory in proportion to its size (decision 33).
// So no statement joins tables, and none sorts: ORDER BY rowid is the order in which rows stand.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace andes::postproc {

class Database {
public:
  /// Throws Refusal: cannot be read, not a run file, another format, truncated.
  explicit Database(const std::string& file);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& file() const { return file_; }
  sqlite3* handle() const { return handle_; }
  /// Size of the database, without bytes that follow it in the file, and limited to the size of the largest run.
  std::uint64_t bytes() const { return bytes_; }
  bool has_table(const char* name) const;
  /// Older files lack some columns.
  bool has_column(const char* table, const char* column) const;
  /// Throws a Refusal that names the damaged part.
  [[noreturn]] void damaged(const std::string& what) const;
  /// The same with SQLite's reason for its last failure.
  [[noreturn]] void failed() const;
  /// Throws Refusal if `bytes` of memory are more than a file of this size justifies.
  void require_room(std::uint64_t bytes) const;

private:
  std::string file_;
  std::uint64_t bytes_;
  sqlite3* handle_ = nullptr;
};

class Query {
public:
  Query(const Database& database, const char* sql);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Next row; false after the last. Throws Refusal when the file is damaged, or rows do not end.
  bool next();
  bool is_null(int column) const;
  bool is_text(int column) const;
  bool is_integer(int column) const;
  long long integer(int column) const;
  /// Throws Refusal if it is not a finite number.
  double number(int column) const;
  std::optional<double> optional_number(int column) const;
  /// Printable, for texts go to terminals. Throws Refusal for one that is longer than any fact.
  std::string text(int column) const;
  /// The same, cut where it is longer than any name.
  std::string name(int column) const;
  /// Whole number in [low, high]; throws Refusal that names `what` otherwise.
  int index(int column, long long low, long long high, const char* what) const;
  std::pair<const unsigned char*, std::size_t> blob(int column) const;

private:
  std::string_view bytes_of_text(int column) const;
  /// Counts the bytes of all rows: if they are more than the file holds, rows share bytes and the file is damaged.
  void take(int column) const;

  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  std::uint64_t rows_ = 0;
  mutable std::uint64_t taken_bytes_ = 0;
};

} // namespace andes::postproc
