// The tables of a run file, being filled. SQLite fetches the rows one by one through a virtual table: one statement
// per table, INSERT INTO it SELECT FROM the rows, instead of statements with bound values for a few rows each. All
// ranks wait in MPI_Finalize meanwhile (2.7 ms instead of 3.7). Larger pages and INSERT OR REPLACE gained next to
// nothing.
//
// Invariant: rows come in the order of a table's primary key, if it has one, so that every insertion is an append.
#pragma once
#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "monitor/finish/sqlite_handles.h"

namespace andes::monitor {

/// The values of one row, in the order of the table's columns.
class TableRow {
public:
  static constexpr int most_columns = 28;
  using Blob = const std::vector<unsigned char>*;
  using Value = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;

  TableRow& operator<<(std::int64_t value) { return add(value); }
  TableRow& operator<<(std::int32_t value) { return add(std::int64_t{value}); }
  TableRow& operator<<(double value) { return add(value); }
  /// Texts and blobs are not copied: they must stay until the next row is fetched.
  TableRow& operator<<(std::string_view value) { return add(value); }
  TableRow& operator<<(const std::vector<unsigned char>& value) { return add(&value); }
  TableRow& null() { return add(std::monostate()); }
  /// A value that was not measured is absent: zero and the empty text become NULL.
  TableRow& known(std::int64_t value) { return value != 0 ? *this << value : null(); }
  TableRow& known(std::string_view value) { return value.empty() ? null() : *this << value; }
  template <class Number> TableRow& known(const std::optional<Number>& value) {
    return value ? *this << *value : null();
  }
  /// -1 becomes NULL.
  TableRow& index(std::int32_t value) { return value >= 0 ? *this << value : null(); }

  /// Number of this row, from 0.
  std::int64_t number() const { return number_; }

  void start(std::int64_t number) {
    number_ = number;
    count_ = 0;
  }
  int count() const { return count_; }
  const Value& operator[](int column) const { return values_[static_cast<std::size_t>(column)]; }

private:
  TableRow& add(Value value) {
    values_.at(static_cast<std::size_t>(count_++)) = value;
    return *this;
  }
  std::array<Value, most_columns> values_;
  std::int64_t number_ = 0;
  int count_ = 0;
};

/// Puts all values of the next row; false: there is no further row.
using NextRow = std::function<bool(TableRow&)>;

/// The tables of one database. On failure sqlite3_errmsg of the database says why.
class Tables {
public:
  /// The source of the rows of the table being filled, and SQLite's present row.
  struct Source {
    const NextRow* next = nullptr;
    TableRow row;
    bool more = false;
  };

  explicit Tables(sqlite3* database);
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  /// Inserts the rows into `table`; false: failed.
  bool fill(const char* table, const NextRow& next);

private:
  sqlite3* database_;
  Source source_;
  bool good_;
};

/// The virtual table `row`, with as many columns as any table may have.
namespace row_table {

struct Table : sqlite3_vtab {
  Tables::Source* source;
};

/// No exception may pass through SQLite.
inline int advance(Tables::Source& source, std::int64_t number) try {
  source.row.start(number);
  source.more = (*source.next)(source.row);
  return SQLITE_OK;
} catch (const std::bad_alloc&) {
  return SQLITE_NOMEM;
}

inline Tables::Source& source_of(sqlite3_vtab_cursor* cursor) { return *static_cast<Table*>(cursor->pVtab)->source; }

inline int connect(sqlite3* database, void* source, int, const char* const*, sqlite3_vtab** table, char**) {
  static_assert(TableRow::most_columns == 28);
  const int declared =
      sqlite3_declare_vtab(database, "CREATE TABLE row(c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17,"
                                     "c18,c19,c20,c21,c22,c23,c24,c25,c26,c27)");
  if (declared != SQLITE_OK) return declared;
  *table = new (std::nothrow) Table{{}, static_cast<Tables::Source*>(source)};
  return *table ? SQLITE_OK : SQLITE_NOMEM;
}

inline int disconnect(sqlite3_vtab* table) {
  delete static_cast<Table*>(table);
  return SQLITE_OK;
}

// There is only one way to read the table.
inline int best_index(sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; }

inline int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
  *cursor = new (std::nothrow) sqlite3_vtab_cursor{};
  return *cursor ? SQLITE_OK : SQLITE_NOMEM;
}

inline int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete cursor;
  return SQLITE_OK;
}

// The first row has been fetched already, to know the number of columns.
inline int first(sqlite3_vtab_cursor*, int, const char*, int, sqlite3_value**) { return SQLITE_OK; }

inline int next(sqlite3_vtab_cursor* cursor) {
  Tables::Source& source = source_of(cursor);
  return advance(source, source.row.number() + 1);
}

inline int at_end(sqlite3_vtab_cursor* cursor) { return !source_of(cursor).more; }

struct Give {
  sqlite3_context* to;
  void operator()(std::monostate) const { sqlite3_result_null(to); }
  void operator()(std::int64_t value) const { sqlite3_result_int64(to, value); }
  void operator()(double value) const { sqlite3_result_double(to, value); }
  void operator()(std::string_view text) const {
    sqlite3_result_text64(to, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  void operator()(TableRow::Blob blob) const { sqlite3_result_blob64(to, blob->data(), blob->size(), SQLITE_STATIC); }
};

inline int column(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int number) {
  std::visit(Give{to}, source_of(cursor).row[number]);
  return SQLITE_OK;
}

inline int row_number(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
  *number = source_of(cursor).row.number();
  return SQLITE_OK;
}

inline sqlite3_module module_of_rows() {
  sqlite3_module module = {};
  module.xConnect = connect; // without xCreate the table exists without being created
  module.xDisconnect = disconnect;
  module.xBestIndex = best_index;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = first;
  module.xNext = next;
  module.xEof = at_end;
  module.xColumn = column;
  module.xRowid = row_number;
  return module;
}

} // namespace row_table

inline Tables::Tables(sqlite3* database) : database_(database) {
  static const sqlite3_module module = row_table::module_of_rows();
  good_ = sqlite3_create_module(database, "row", &module, &source_) == SQLITE_OK;
}

inline bool Tables::fill(const char* table, const NextRow& next) {
  source_.next = &next;
  if (!good_ || row_table::advance(source_, 0) != SQLITE_OK) return false;
  if (!source_.more) return true;
  std::string sql = "INSERT INTO " + std::string(table) + " SELECT c0";
  for (int i = 1; i < source_.row.count(); ++i) sql += ",c" + std::to_string(i);
  sql += " FROM row";
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) return false;
  const SqliteStatement statement(raw);
  return sqlite3_step(raw) == SQLITE_DONE;
}

} // namespace andes::monitor
