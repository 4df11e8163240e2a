// Built and run when andes is built: writes empty_run (empty_run.h), a run file without rows, as C++ to the given file.
// SQLite makes it from the schema of run_file.h. So no rank waits for SQLite to parse the schema's text, write the
// tables and read them again: 0.6 of the 2.9 ms that a run file took.
#include <sqlite3.h>

#include <cstdio>
#include <string>

#include "monitor/finish/sqlite_handles.h"
#include "monitor/interface/run_file.h"

int main(int argc, char** argv) {
  using namespace andes;
  using namespace monitor;
  const std::string sql = "PRAGMA application_id=" + std::to_string(run_file::application_id) +
                          ";PRAGMA user_version=" + std::to_string(run_file::format) + ";BEGIN;" + run_file::schema +
                          "COMMIT;";
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open(":memory:", &raw);
  const SqliteDatabase database(raw);
  sqlite3_int64 size = 0;
  if (opened != SQLITE_OK || sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    std::fprintf(stderr, "run_file.h: SQLite refuses the schema (%s); mend it\n", sqlite3_errmsg(raw));
    return 1;
  }
  const SqliteBytes bytes(sqlite3_serialize(raw, "main", &size, 0));
  std::FILE* out = bytes && argc == 2 ? std::fopen(argv[1], "w") : nullptr;
  if (!out) return 1;
  std::fputs("#include \"monitor/finish/empty_run.h\"\n\nconst unsigned char andes::monitor::empty_run[] = {", out);
  for (sqlite3_int64 i = 0; i < size; ++i) std::fprintf(out, i % 32 == 0 ? "\n%d," : "%d,", bytes.get()[i]);
  std::fputs("};\nconst std::size_t andes::monitor::empty_run_bytes = sizeof empty_run;\n", out);
  return std::fclose(out) == 0 ? 0 : 1;
}
