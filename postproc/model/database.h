// Database and Query: a run file opened for reading, and the rows of one SELECT. SQLite is told
// that the file does not change (immutable: no lock, no journal) and is not to be trusted.
#pragma once
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace andes {

class Database {
public:
  /// Throws BadInput: cannot be read, not a run file, another format, truncated.
  explicit Database(const std::string& file);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& file() const { return file_; }
  sqlite3* handle() const { return handle_; }
  bool has_table(const char* name) const;
  /// Throws BadInput that says what is damaged.
  [[noreturn]] void damaged(const std::string& what) const;

private:
  std::string file_;
  sqlite3* handle_ = nullptr;
};

class Query {
public:
  Query(const Database& database, const char* sql);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Next row; false after the last. Throws BadInput when the file is damaged.
  bool next();
  bool is_null(int column) const;
  bool is_text(int column) const;
  bool is_integer(int column) const;
  long long integer(int column) const;
  /// Throws BadInput for what is not a finite number.
  double number(int column) const;
  std::optional<double> optional_number(int column) const;
  /// Printable: names go to terminals.
  std::string text(int column) const;
  /// Whole number in [low, high]; throws BadInput that names `what` otherwise.
  int index(int column, long long low, long long high, const char* what) const;
  std::pair<const unsigned char*, std::size_t> blob(int column) const;

private:
  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

} // namespace andes
