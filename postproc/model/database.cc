// Opening run files. The first hundred bytes show whether it is an SQLite file of andes, its format and
// its length: they are checked before SQLite sees the file, so that each error has its own message.
#include "postproc/model/database.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>
#include <sys/stat.h>

#include "common/printable.h"
#include "common/refusal.h"
#include "monitor/interface/run_file.h"
#include "postproc/model/run_files.h"

namespace andes::postproc {
namespace {

// Format 2 is format 3 without causes.
constexpr std::uint32_t oldest_format = 2;

// A large file may consist of holes: above this size the file's size is no useful bound.
constexpr std::uint64_t largest_run = std::uint64_t{1} << 30;

constexpr const char* without_end = "its tables have no end";
constexpr const char* copy_again = "copy it again, or run the program again";

std::uint32_t big_endian(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

/// Bytes of the database. Throws unless the header is that of a whole run file that this andes can read
/// (https://sqlite.org/fileformat2.html, section 1.3).
std::uint64_t check_header(const std::string& file) {
  struct stat facts;
  if (::stat(file.c_str(), &facts) != 0)
    refuse(file, errno == ENOENT ? "no such file or directory" : std::strerror(errno),
           "name a run file or a directory of run files");
  if (S_ISDIR(facts.st_mode))
    refuse(file, "it is a directory", fmt::format("name a run file in it, like {}", given_run_files({file}).front()));
  const Refusal no_run(file, "not a run file", "andes run writes run files, named *.andes");
  if (!S_ISREG(facts.st_mode)) throw no_run;
  std::array<unsigned char, 100> header{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(file, std::strerror(errno), "make it readable");
  stream.read(reinterpret_cast<char*>(header.data()), header.size());
  const auto size = static_cast<std::size_t>(stream.gcount());
  if (size < sizeof run_file::head || std::memcmp(header.data(), run_file::head, sizeof run_file::head) != 0)
    throw no_run;
  const auto file_size = static_cast<std::uint64_t>(facts.st_size);
  if (size < header.size()) refuse(file, fmt::format("truncated, only {} bytes are there", size), copy_again);
  if (big_endian(&header[68]) != run_file::application_id) throw no_run;
  const std::uint32_t format = big_endian(&header[60]);
  if (format > run_file::format)
    refuse(file, fmt::format("written by format {}, this andes reads up to {}", format, run_file::format),
           "install a newer andes");
  if (format < oldest_format)
    refuse(file,
           fmt::format("written by format {}, this andes reads {} to {}", format, oldest_format, run_file::format),
           "run the program again");
  const std::uint32_t low_page = std::uint32_t{header[16]} << 8 | header[17];
  const std::uint64_t page_bytes = low_page == 1 ? 65536 : low_page;
  const std::uint64_t whole = page_bytes * big_endian(&header[28]);
  if (file_size < whole) refuse(file, fmt::format("truncated, {} of {} bytes are there", file_size, whole), copy_again);
  return whole;
}

/// file: URI of a path, which may hold any byte.
std::string uri_of(const std::string& file) {
  std::string uri = "file:";
  if (!file.empty() && file[0] == '/') uri += "//";
  for (const unsigned char c : file) {
    if (std::isalnum(c) || std::strchr("/._-", c)) uri += static_cast<char>(c);
    else uri += fmt::format("%{:02X}", c);
  }
  return uri + "?mode=ro&immutable=1";
}

} // namespace

Database::Database(const std::string& file) : file_(file), bytes_(std::min(check_header(file), largest_run)) {
  const int opened = sqlite3_open_v2(uri_of(file).c_str(), &handle_,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  if (opened != SQLITE_OK) {
    const std::string reason = handle_ ? sqlite3_errmsg(handle_) : "no memory";
    sqlite3_close(handle_);
    refuse(file, reason, "make it readable");
  }
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  // Runs have only ordinary tables: virtual table modules (full text, R-trees) are not part of a run.
  sqlite3_drop_modules(handle_, nullptr);
  // No value is longer than the file, except values computed by a malicious schema, and chains of pages that are
  // cycles.
  constexpr std::uint64_t most_bytes = 256 << 20; // of a text or a column of numbers
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, static_cast<int>(std::min(most_bytes, bytes_)));
  // A tree of pages that are their own children has no end. Steps of SQLite for a statement; a row takes some 30.
  constexpr std::uint64_t least_steps = 1'000'000, steps_per_byte = 100, most_steps = INT_MAX;
  sqlite3_progress_handler(
      handle_, static_cast<int>(std::min(most_steps, least_steps + steps_per_byte * bytes_)), [](void*) { return 1; },
      nullptr);
  sqlite3_exec(handle_, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
}

Database::~Database() { sqlite3_close(handle_); }

void Database::damaged(const std::string& what) const { refuse(file_, "damaged, " + what, copy_again); }

void Database::failed() const {
  const bool too_long = sqlite3_errcode(handle_) == SQLITE_INTERRUPT;
  damaged(too_long ? without_end : sqlite3_errmsg(handle_));
}

void Database::require_room(std::uint64_t bytes) const {
  constexpr std::uint64_t always = 64 << 20, per_byte = 64; // the largest of runs take a quarter of it
  if (bytes > always + per_byte * bytes_) damaged(fmt::format("its tables ask for {} MB of memory", bytes >> 20));
}

Query::Query(const Database& database, const char* sql) : database_(database) {
  if (sqlite3_prepare_v2(database.handle(), sql, -1, &statement_, nullptr) != SQLITE_OK) database.failed();
}

Query::~Query() { sqlite3_finalize(statement_); }

bool Query::next() {
  constexpr std::uint64_t least_row_bytes = 8;
  const int stepped = sqlite3_step(statement_);
  if (stepped == SQLITE_ROW && ++rows_ > database_.bytes() / least_row_bytes) database_.damaged(without_end);
  if (stepped != SQLITE_ROW && stepped != SQLITE_DONE) database_.failed();
  return stepped == SQLITE_ROW;
}

void Query::take(int column) const {
  constexpr std::uint64_t widest = 2; // of UTF-16 as UTF-8
  taken_bytes_ += static_cast<std::uint64_t>(sqlite3_column_bytes(statement_, column));
  if (taken_bytes_ > widest * database_.bytes()) database_.damaged("its rows share their pages");
}

bool Database::has_table(const char* name) const {
  for (Query row(*this, "SELECT name FROM sqlite_master WHERE type = 'table'"); row.next();)
    if (row.text(0) == name) return true;
  return false;
}

bool Database::has_column(const char* table, const char* column) const {
  const std::string columns = fmt::format("SELECT name FROM pragma_table_info('{}')", table);
  for (Query row(*this, columns.c_str()); row.next();)
    if (row.text(0) == column) return true;
  return false;
}

bool Query::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
bool Query::is_text(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_TEXT; }
bool Query::is_integer(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_INTEGER; }

long long Query::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Query::number(int column) const {
  const int type = sqlite3_column_type(statement_, column);
  const double value = sqlite3_column_double(statement_, column);
  if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || !std::isfinite(value))
    database_.damaged(fmt::format("{} is not a number", sqlite3_column_name(statement_, column)));
  return value;
}

std::optional<double> Query::optional_number(int column) const {
  if (is_null(column)) return {};
  return number(column);
}

std::string_view Query::bytes_of_text(int column) const {
  const auto* bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return {};
  take(column);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string Query::text(int column) const {
  constexpr std::size_t longest = 1 << 22; // the arguments of a program may be that
  const std::string_view bytes = bytes_of_text(column);
  if (bytes.size() > longest)
    database_.damaged(fmt::format("{} is {} bytes long", sqlite3_column_name(statement_, column), bytes.size()));
  return printable(bytes);
}

std::string Query::name(int column) const {
  constexpr std::size_t longest = 1 << 14; // more than compilers make of templates
  const std::string_view bytes = bytes_of_text(column);
  return printable(bytes.substr(0, longest)) + (bytes.size() > longest ? "..." : "");
}

int Query::index(int column, long long low, long long high, const char* what) const {
  const long long value = integer(column);
  if (!is_integer(column) || value < low || value > high)
    database_.damaged(fmt::format("{} {} is out of place", what, value));
  return static_cast<int>(value);
}

std::pair<const unsigned char*, std::size_t> Query::blob(int column) const {
  const auto* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(statement_, column));
  take(column);
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

} // namespace andes::postproc
