// Handles of SQLite objects that are freed automatically.
#pragma once
#include <memory>
#include <sqlite3.h>

namespace andes::monitor {

struct FreeSqlite {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  void operator()(unsigned char* memory) const { sqlite3_free(memory); }
};
using SqliteDatabase = std::unique_ptr<sqlite3, FreeSqlite>;
using SqliteStatement = std::unique_ptr<sqlite3_stmt, FreeSqlite>;
using SqliteBytes = std::unique_ptr<unsigned char, FreeSqlite>;

} // namespace andes::monitor
