// What is said of a build, from lines that many processes have appended.
#include "preprocessor/build_summary.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>
#include <vector>

#include "common/build_record.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

bool always(const std::string&) { return true; }
bool never(const std::string&) { return false; }

} // namespace

TEST_CASE("a source counts once, and as instrumented if one of its objects is") {
  const BuildSummary summary = read_record("left\t/a/x.c\tfree-standing\n"
                                           "instrumented\t/a/./x.c\t1/2\n"
                                           "instrumented\t/a/y.c\t\n"
                                           "left\t/a/z.c\tno function needs a probe\n"
                                           "left\t/a/t.c\tno function needs a probe\n"
                                           "left\t/a/u.c\tnot selected\n"
                                           "linked\t/a/prog\t\n"
                                           "linked\t/a/b/../prog\t\n",
                                           always);
  CHECK(summary_line(summary) ==
        "2 sources instrumented, 3 left as they are (no function needs a probe: 2, not selected: 1), "
        "1 program linked (prog)");
}

TEST_CASE("a compiler that was only asked stands in a record that is empty") {
  const std::string record = "build-summary-test-record-" + std::to_string(getpid());
  const auto text = [&] {
    std::ifstream file(record);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  std::ofstream(record).close();
  CHECK_FALSE(read_record(text(), always).asked);
  begin_record(record.c_str(), record_asked, "/usr/bin/gcc");
  begin_record(record.c_str(), record_asked, "/usr/bin/g++");
  CHECK(text() == "asked\t/usr/bin/gcc\t\n");
  CHECK(read_record(text(), always).asked);
  std::filesystem::remove(record);
}

TEST_CASE("links that failed do not count, nor do lines that are cut off") {
  CHECK(summary_line(read_record("linked\t/a/prog\t\ninstr", never)) == "0 sources instrumented, 0 programs linked");
  CHECK(summary_line(read_record("left\t/a.c\tnot selected", always)) ==
        "0 sources instrumented, 1 left as it is (not selected: 1), 0 programs linked");
}

TEST_CASE("shared libraries are named behind programs, or in their place") {
  CHECK(summary_line(read_record("instrumented\t/a.c\t1/1\nlibrary\t/b/a.so\t\n", always)) ==
        "1 source instrumented, 1 shared library linked (a.so)");
  CHECK(summary_line(
            read_record("linked\t/prog\t\nlibrary\t/b/a.so\t\nlibrary\t/c.so\t\nlibrary\t/b/./a.so\t\n", always)) ==
        "0 sources instrumented, 1 program linked (prog), 2 shared libraries linked (a.so, c.so)");
  CHECK(summary_line(read_record("library\t/a.so\t\n", never)) == "0 sources instrumented, 0 programs linked");
}

TEST_CASE("many programs are not named") {
  CHECK(summary_line(read_record("linked\ta\t\nlinked\tb\t\nlinked\tc\t\nlinked\td\t\n", always)) ==
        "0 sources instrumented, 4 programs linked");
}

TEST_CASE("lines that are appended at the same time stay whole") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("andes-record-" + std::to_string(getpid()));
  std::ofstream(path).flush();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        append_record(path.c_str(), record_left, "/dir/with\tand\n/" + std::string(100, 'x') + std::to_string(i),
                      "why");
    });
  for (std::thread& thread : threads) thread.join();
  append_record(path.c_str(), record_left, "relative.c", "other");
  append_record((path.string() + ".none").c_str(), record_left, "x", "why"); // no such file: nothing happens
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(path);
  const BuildSummary summary = read_record(text, always);
  CHECK(summary.left.size() == 201);
  CHECK(summary.left.at((std::filesystem::current_path() / "relative.c").string()) == "other");
  CHECK(text.find("/dir/with and /xxx") != std::string::npos);
}
