// The run file: what is written is what is read, and whatever else a file holds ends in a message.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "postproc/analysis/tree.h"
#include "postproc/model/read_messages.h"
#include "postproc/model/read_run.h"
#include "postproc/model/read_waits.h"
#include "postproc/model/run_files.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::TemporaryDirectory;

namespace {

std::string contents(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void store(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// Message of reading everything there is in a file, or empty.
std::string message_of(const std::string& file) {
  try {
    const Profile profile = read_run(file, Detail::tree);
    statistics_of_ranks(profile, {profile.locations.front().rank});
    return {};
  } catch (const Refusal& trouble) {
    return trouble.what();
  }
}

/// Message of writing a run, or empty.
std::string refusal_of_writing(const Run& run, const std::string& path) {
  try {
    write_run(run, path, 100);
    return {};
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

/// A run file with some SQL run over it.
std::string changed(const TemporaryDirectory& directory, const std::string& sql) {
  const std::string file = directory / "changed.andes";
  std::filesystem::remove(file);
  test::write(test::run_of({}, 2), file);
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
  char* error = nullptr;
  const int status = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error);
  INFO((error ? error : ""));
  CHECK(status == SQLITE_OK);
  sqlite3_close(db);
  return message_of(file);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("what is written is what is read") {
  const TemporaryDirectory directory;
  const std::string file = directory / "a.andes";
  test::write(test::run_of({}, 4), file);
  const Profile profile = read_run(file, Detail::tree);
  CHECK(profile.ranks == 4);
  CHECK(profile.wall_s == Approx(3.25));
  CHECK(fact_text(profile, "program") == "jacobi");
  CHECK(command_line(profile) == "jacobi 2048");
  REQUIRE(profile.locations.size() == 4);
  CHECK(profile.locations[1].communication_ns == 1e9);
  CHECK_FALSE(profile.locations[1].idle_ns);
  CHECK_FALSE(profile.locations[1].init_ns);
  REQUIRE(profile.callpaths.size() == 6);
  CHECK(profile.regions[1].file == "jacobi.c");
  CHECK(profile.regions[3].file.empty());
  const Statistic& broadcast = profile.statistic(3, run_file::inclusive_ns);
  CHECK(broadcast.sum == 3e9);
  CHECK(broadcast.min == 0); // rank 0 sends at once: it counts as zero
  CHECK(broadcast.max == 1e9);
  CHECK(broadcast.mean == 0.75e9);
  CHECK(broadcast.sd == Approx(std::sqrt((0.75 * 0.75 + 3 * 0.25 * 0.25) / 4) * 1e9));
  CHECK(broadcast.min_rank == 0);
  CHECK(broadcast.max_rank == 1);
}

TEST_CASE("values of chosen ranks, from the plain table and from columns alike") {
  const TemporaryDirectory directory;
  for (const std::size_t table_values : {std::size_t{20000}, std::size_t{0}}) {
    const std::string file = directory / fmt::format("{}.andes", table_values);
    test::write(test::run_of({}, 4), file, table_values);
    const Profile profile = read_run(file, Detail::tree);
    const auto statistics = statistics_of_ranks(profile, {0, 2});
    const Tree tree = tree_of(profile, statistics);
    REQUIRE(tree.rows.size() == 6);
    CHECK(tree.rows[0].inclusive_s == Approx(6.5));
    CHECK(tree.rows[2].name == "setup");
    CHECK(tree.rows[2].inclusive_s == Approx(1));
    CHECK(tree.rows[2].mean_s == Approx(0.5));
    CHECK(*tree.rows[2].load_balance == Approx(0.5));
    CHECK(tree.rows[3].bytes_sent == 800);
    CHECK(tree.rows[3].bytes_received == 800);
    CHECK(tree.rows[0].inclusive_bytes == 1600);
    const Tree second = tree_of(profile, statistics_of_ranks(profile, {1}), {1});
    CHECK(second.rows.size() == 5); // rank 1 never entered setup
    CHECK_THROWS_WITH(statistics_of_ranks(profile, {4}), file + ": it has no rank 4; its ranks are 0 to 3");
  }
}

TEST_CASE("tables without keys have each row once, in order") {
  const TemporaryDirectory directory;
  const std::string file = directory / "run.andes";
  Run run = test::run_of({}, 4);
  std::reverse(run.columns.begin(), run.columns.end());
  test::write(run, file);
  sqlite3* raw = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &raw) == SQLITE_OK);
  const auto places_in = [&](const char* sql) {
    sqlite3_stmt* rows = nullptr;
    REQUIRE(sqlite3_prepare_v2(raw, sql, -1, &rows, nullptr) == SQLITE_OK);
    std::vector<std::array<int, 3>> places;
    while (sqlite3_step(rows) == SQLITE_ROW)
      places.push_back({sqlite3_column_int(rows, 0), sqlite3_column_int(rows, 1), sqlite3_column_int(rows, 2)});
    sqlite3_finalize(rows);
    CHECK(std::is_sorted(places.begin(), places.end()));
    CHECK(std::adjacent_find(places.begin(), places.end()) == places.end());
    return places.size();
  };
  CHECK(places_in("SELECT callpath, metric, location FROM value") > 40);
  CHECK(places_in("SELECT callpath, metric, 0 FROM statistic") == run.columns.size()); // one of each column
  sqlite3_close(raw);
}

TEST_CASE("times in columns are floats, counts stay exact") {
  const TemporaryDirectory directory;
  const std::string file = directory / "a.andes";
  Run run = test::run_of({}, 2);
  const double long_time = 123456789012345.0, odd_count = 16777217; // 2^24 + 1 is no float
  run.columns = {{0, run_file::inclusive_ns, {long_time, 2}},
                 {0, run_file::visits, {3, 4}},
                 {1, run_file::visits, {odd_count, 9}},
                 {1, run_file::variance_ns2, {1e100, 1}}};
  test::write(run, file, 0);
  const Profile profile = read_run(file, Detail::tree);
  const auto statistics = statistics_of_ranks(profile, {0});
  const auto of = [&](std::size_t path, run_file::MetricId metric) {
    return statistics[path * path_metric_count + metric].sum;
  };
  CHECK(of(0, run_file::inclusive_ns) != long_time);
  CHECK(std::abs(of(0, run_file::inclusive_ns) / long_time - 1) <= 6e-8);
  CHECK(of(0, run_file::inclusive_ns) == static_cast<double>(static_cast<float>(long_time)));
  CHECK(of(0, run_file::visits) == 3);
  CHECK(of(1, run_file::visits) == odd_count);
  CHECK(of(1, run_file::variance_ns2) == 1e100); // larger than any float
  CHECK(profile.statistic(0, run_file::inclusive_ns).max == long_time);
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
  std::string types;
  sqlite3_exec(
      db, "SELECT type FROM value_column ORDER BY callpath, metric",
      [](void* into, int, char** text, char**) {
        *static_cast<std::string*>(into) += text[0];
        return 0;
      },
      &types, nullptr);
  sqlite3_close(db);
  CHECK(types == "ffdd");
}

TEST_CASE("a run with the values of some ranks has the statistics of all, and says whose it has") {
  const TemporaryDirectory directory;
  test::write(test::run_of({}, 4), directory / "all.andes");
  const Profile all = read_run(directory / "all.andes", Detail::tree);
  CHECK(limits_of(all).empty());
  for (const std::size_t table_values : {std::size_t{20000}, std::size_t{0}}) {
    const std::string file = directory / fmt::format("{}.andes", table_values);
    Run run = test::run_of({}, 4);
    test::keep_values_of(run, {0, 2});
    test::write(run, file, table_values);
    const Profile some = read_run(file, Detail::tree);
    REQUIRE(some.statistics.size() == all.statistics.size());
    for (std::size_t i = 0; i < all.statistics.size(); ++i) {
      CHECK(some.statistics[i].sum == all.statistics[i].sum);
      CHECK(some.statistics[i].max_rank == all.statistics[i].max_rank);
      CHECK(some.statistics[i].sd == all.statistics[i].sd);
    }
    REQUIRE(limits_of(some).size() == 1);
    CHECK(limits_of(some)[0].id == "kept_ranks");
    const auto chosen = statistics_of_ranks(some, {0, 2});
    const auto same = statistics_of_ranks(all, {0, 2});
    for (std::size_t i = 0; i < same.size(); ++i) // columns hold times as floats
      CHECK(chosen[i].sum == Approx(same[i].sum).epsilon(1e-7));
    CHECK_THROWS_WITH(statistics_of_ranks(some, {0, 1}),
                      file + ": the call paths of rank 1 alone are not kept, those of ranks 0, 2 are (setting "
                             "columns_mb); choose among these, or run it again with a larger columns_mb");
  }
}

TEST_CASE("a run that dropped call paths says so") {
  const TemporaryDirectory directory;
  Run run = test::run_of({}, 2);
  run.facts["dropped_paths"] = std::int64_t{7};
  run.facts["dropped_ranks"] = std::int64_t{1};
  test::write(run, directory / "a.andes");
  const auto limits = limits_of(read_run(directory / "a.andes", Detail::totals));
  REQUIRE(limits.size() == 1);
  CHECK(limits[0].id == "dropped_paths");
  CHECK(contains(limits[0].text, "up to 1 rank"));
}

TEST_CASE("a run whose log was thinned says what its idle times are") {
  const TemporaryDirectory directory;
  Run run = test::run_of({}, 2);
  const auto limit_of = [&](const char* name) {
    test::write(run, directory / name);
    const auto limits = limits_of(read_run(directory / name, Detail::totals));
    REQUIRE(limits.size() == 1);
    CHECK(limits[0].id == "thinned_log");
    return limits[0].text;
  };
  run.facts["log_level"] = std::int64_t{2};
  CHECK(contains(limit_of("before.andes"), "the log kept 1 message in 4 and 1 collective in 4 (setting log_mb)"));
  run.facts["log_level_collectives"] = std::int64_t{0};
  const std::string of_messages = limit_of("messages.andes");
  CHECK(contains(of_messages, "the log kept 1 message in 4 and all collectives (setting log_mb)"));
  CHECK(contains(of_messages, "counts up to 4 times"));
  run.facts["log_level"] = std::int64_t{0};
  run.facts["log_level_collectives"] = std::int64_t{1};
  CHECK(contains(limit_of("collectives.andes"), "the log kept all messages and 1 collective in 2"));
}

TEST_CASE("a rank's threads add up to the rank") {
  const TemporaryDirectory directory;
  Run run = test::run_of({}, 2);
  LocationRow thread = run.locations[0];
  thread.thread = 1;
  run.locations.insert(run.locations.begin() + 1, thread);
  run.columns = {{0, run_file::visits, {1, 2, 4}}};
  test::write(run, directory / "a.andes");
  const Profile profile = read_run(directory / "a.andes", Detail::tree);
  CHECK(profile.ranks == 2);
  const Statistic& visits = profile.statistic(0, run_file::visits);
  CHECK(visits.sum == 7);
  CHECK(visits.min == 3);
  CHECK(visits.max == 4);
  CHECK(visits.mean == 3.5);
  CHECK(visits.max_rank == 1);
}

TEST_CASE("a run file appears whole, once, and for its owner alone") {
  const TemporaryDirectory directory;
  const std::string file = directory / "a.andes";
  const mode_t before = ::umask(0);
  CHECK(refusal_of_writing(test::run_of({}, 1), file).empty());
  ::umask(before);
  struct stat facts;
  REQUIRE(::stat(file.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  const std::string bytes = contents(file);
  CHECK(refusal_of_writing(test::run_of({}, 2), file) == file + ": not written: File exists; give another name");
  CHECK(contents(file) == bytes);
  const std::string nowhere = directory / "no/such/place.andes";
  CHECK(refusal_of_writing(test::run_of({}, 1), nowhere) ==
        nowhere + ": not written: No such file or directory; choose a directory that can be written "
                  "and has room");
  const std::string locked = directory / "locked";
  std::filesystem::create_directory(locked);
  ::chmod(locked.c_str(), 0555);
  const std::string refused = refusal_of_writing(test::run_of({}, 1), locked + "/a.andes");
  if (::geteuid() != 0) CHECK(contains(refused, "Permission denied; choose a directory"));
  ::chmod(locked.c_str(), 0755);
  std::filesystem::remove_all(locked);
  CHECK(std::distance(std::filesystem::directory_iterator(directory.path()), {}) == 1);
}

TEST_CASE("a run that contradicts itself is not written") {
  const TemporaryDirectory directory;
  Run run = test::run_of({}, 2);
  run.columns[0].values.pop_back();
  CHECK(contains(refusal_of_writing(run, directory / "a.andes"), "not written"));
  CHECK(std::filesystem::is_empty(directory.path()));
}

TEST_CASE("what is no whole run file of a known format has its own message") {
  const TemporaryDirectory directory;
  const std::string file = directory / "a.andes";
  CHECK(message_of(file) == file + ": no such file or directory; name a run file or a directory of "
                                   "run files");
  const std::string no_run = file + ": not a run file; andes run writes run files, named *.andes";
  store(file, "");
  CHECK(message_of(file) == no_run);
  store(file, "some notes that were taken");
  CHECK(message_of(file) == no_run);
  test::write(test::run_of({}, 2), directory / "whole.andes");
  const std::string whole = contents(directory / "whole.andes");
  std::string other = whole;
  other[68] = 'X'; // application_id
  store(file, other);
  CHECK(message_of(file) == no_run);
  std::string newer = whole;
  newer[63] = 4; // user_version
  store(file, newer);
  CHECK(message_of(file) == file + ": written by format 4, this andes reads up to 3; install a newer "
                                   "andes");
  newer[63] = 1;
  store(file, newer);
  CHECK(message_of(file) == file + ": written by format 1, this andes reads 2 to 3; run the program again");
  store(file, whole.substr(0, 20000));
  CHECK(message_of(file) == fmt::format("{}: truncated, 20000 of {} bytes are there; copy it again, or run the "
                                        "program again",
                                        file, whole.size()));
  store(file, whole.substr(0, 50));
  CHECK(contains(message_of(file), "truncated, only 50 bytes are there"));
}

TEST_CASE("ranks of messages and of waits are not believed, and their column is named") {
  const TemporaryDirectory directory;
  const auto profile_of = [&](const char* sql) {
    INFO(sql);
    CHECK(changed(directory, sql).empty());
    return read_run(directory / "changed.andes", Detail::tree);
  };
  const char* const sent = "INSERT INTO message (source, destination, messages, bytes) VALUES ";
  using Catch::Contains;
  CHECK_THROWS_WITH(sent_messages(profile_of(fmt::format("{} (7, 0, 1, 8)", sent).c_str())),
                    Contains("damaged, source of messages 7"));
  CHECK_THROWS_WITH(sent_messages(profile_of(fmt::format("{} (0, 7, 1, 8)", sent).c_str())),
                    Contains("damaged, destination of messages 7"));
  CHECK(sent_messages(profile_of(fmt::format("{} (1, -1, 1, 8)", sent).c_str())).size() == 1);
  const char* const waited = "INSERT INTO wait_pair (rank, peer_rank, wait_ns) VALUES ";
  CHECK_THROWS_WITH(wait_pairs(profile_of(fmt::format("{} (-1, 0, 1)", waited).c_str())),
                    Contains("damaged, rank of waits -1"));
  CHECK_THROWS_WITH(wait_pairs(profile_of(fmt::format("{} (0, 2, 1)", waited).c_str())),
                    Contains("damaged, peer_rank of waits 2"));
}

TEST_CASE("indices, orders and numbers of a file are not believed") {
  const TemporaryDirectory directory;
  const auto damaged = [&](const char* sql, const char* what) {
    INFO(sql);
    const std::string message = changed(directory, sql);
    INFO(message);
    CHECK(contains(message, std::string(": damaged, ") + what));
  };
  damaged("UPDATE callpath SET parent = 5 WHERE id = 1", "parent 5 is out of place");
  damaged("UPDATE callpath SET parent = 1 WHERE id = 1", "parent 1 is out of place");
  damaged("UPDATE callpath SET region = 99 WHERE id = 1", "region of call path 99");
  damaged("UPDATE callpath SET id = 77 WHERE id = 5", "call path 77 is out of place");
  damaged("UPDATE region SET id = 77 WHERE id = 5", "region 77 is out of place");
  damaged("UPDATE location SET rank = -1 WHERE id = 0", "rank -1 is out of place");
  damaged("UPDATE location SET rank = 5 WHERE id = 0", "the locations are out of order");
  damaged("UPDATE location SET thread = 3 WHERE id = 0", "rank 0 has no main thread");
  damaged("UPDATE location SET host = 9", "host of location 9");
  damaged("UPDATE location SET wall_ns = 'long'", "wall_ns is not a number");
  damaged("UPDATE location SET compute_ns = 9e999", "compute_ns is not a number");
  damaged("DELETE FROM location", "it has no locations");
  damaged("DELETE FROM location WHERE id = 1", "1 ranks are there, 2 expected");
  damaged("DELETE FROM fact WHERE name = 'wall_ns'", "the time of the run (wall_ns) is missing");
  damaged("UPDATE fact SET value = -1 WHERE name = 'wall_ns'", "the time of the run");
  damaged("INSERT INTO left_out VALUES (99, 'g', 'a.c', 1, 0.5, 0, NULL)", "region of a function without a probe 99");
  damaged("INSERT INTO left_out VALUES (1, 'g', 'a.c', 1, 1.5, 0, NULL)", "share of a function without a probe");
  damaged("DELETE FROM callpath", "it has no call paths");
  damaged("UPDATE statistic SET callpath = 99 WHERE callpath = 0", "call path of value 99");
  damaged("UPDATE statistic SET metric = 99 WHERE metric = 0", "metric 99 is not described");
  damaged("UPDATE statistic SET sum = 'much'", "sum is not a number");
  damaged("UPDATE value SET location = 99 WHERE location = 0", "location of value 99");
  damaged("UPDATE location SET has_values = 2 WHERE id = 0", "has_values 2 is out of place");
  damaged("INSERT INTO value_column VALUES(0, 0, 'd', x'00112233')", "a column of values cannot be");
  damaged("INSERT INTO value_column VALUES(0, 0, 'q', x'00112233')", "a column of values is of no");
  damaged("DROP TABLE statistic", "no such table: statistic");
}

TEST_CASE("names cannot play tricks on a terminal; unknown metrics and facts are passed over") {
  const TemporaryDirectory directory;
  CHECK(changed(directory, "UPDATE metric SET name = 'new_metric' WHERE id = 9;"
                           "INSERT INTO metric VALUES(50, 'another', 's', 'of a later andes');"
                           "INSERT INTO statistic VALUES(0, 50, 1, 1, 1, 1, 1, 0, 0);"
                           "INSERT INTO fact VALUES('unknown', x'00ff')")
            .empty() == false); // a fact that is neither text nor number
  CHECK(changed(directory, "UPDATE metric SET name = 'new_metric' WHERE id = 9;"
                           "INSERT INTO metric VALUES(50, 'another', 's', 'of a later andes');"
                           "INSERT INTO statistic VALUES(0, 50, 1, 1, 1, 1, 1, 0, 0);"
                           "UPDATE region SET name = 'x' || char(27) || '[2J' WHERE id = 1")
            .empty());
  CHECK(read_run(directory / "changed.andes", Detail::tree).regions[1].name == "x\\x1b[2J");
}

TEST_CASE("a file with any byte changed or cut anywhere never crashes the reader") {
  const TemporaryDirectory directory;
  test::write(test::run_of({}, 2), directory / "whole.andes");
  const std::string whole = contents(directory / "whole.andes");
  const std::string file = directory / "changed.andes";
  std::size_t messages = 0;
  for (std::size_t at = 0; at < whole.size(); at += at < 200 ? 1 : 97) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (at % 2 ? 0xff : 0x11));
    store(file, bytes);
    messages += !message_of(file).empty();
  }
  CHECK(messages > 0);
  for (std::size_t size = 0; size < whole.size(); size += 997) {
    store(file, whole.substr(0, size));
    CHECK_FALSE(message_of(file).empty());
  }
}

TEST_CASE("directories stand for the run files in them, each once and in order") {
  const TemporaryDirectory directory;
  std::filesystem::create_directories(directory / "s/deep");
  for (const char* name : {"s/b.andes", "s/deep/a.andes", "s/notes.txt", "s/.andes-1-0"}) store(directory / name, "x");
  const std::string s = directory / "s";
  CHECK(run_files({s}) == std::vector<std::string>{s + "/b.andes", s + "/deep/a.andes"});
  CHECK(run_files({s + "/deep", s + "/b.andes", s}).size() == 2);
  CHECK(run_files({s + "/notes.txt"}).size() == 1);
  CHECK_THROWS_WITH(run_files({s + "/none"}), s + "/none: no such file or directory; name run "
                                                  "files or directories of run files");
}
