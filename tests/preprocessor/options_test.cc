// Options of the preprocessor: where they are said, in which order, and what is wrong with bad
// ones.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "common/message.h"
#include "preprocessor/options.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

/// Options of `andes cc WORDS` with `variables` in the environment.
Options options_of(const std::vector<std::string>& words, std::vector<const char*> variables = {}) {
  variables.push_back(nullptr);
  return read_options(read_leading_options(words).said, variables.data());
}

std::string complaint(const std::vector<std::string>& words, const std::vector<const char*>& variables = {}) {
  try {
    options_of(words, variables);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

/// A settings file for one test.
class File {
public:
  explicit File(const std::string& text) { std::ofstream(path()) << text; }
  ~File() { std::filesystem::remove(path()); }
  File(const File&) = delete;
  static std::string path() { return std::filesystem::temp_directory_path() / ("options-" + std::to_string(getpid())); }
};

using Headers = Options::Headers;
using Loops = Options::Loops;

} // namespace

TEST_CASE("the defaults") {
  const Options options = options_of({"gcc", "-c", "a.c"});
  CHECK(options.select == "default");
  CHECK(options.headers == Headers::own);
  CHECK(options.third_party.size() > 5);
  CHECK_FALSE(options.hooks);
  CHECK(options.loops == Loops::none);
  CHECK(options.openmp);
  CHECK(options.reading_server);
}

TEST_CASE("options end where the compiler begins") {
  const std::vector<std::string> words{"--headers", "none", "--loops=all",  "--hooks",
                                       "gcc",       "-c",   "--select=all", "a.c"};
  CHECK(read_leading_options(words).words == 4);
  const Options options = options_of(words);
  CHECK(options.headers == Headers::none);
  CHECK(options.loops == Loops::all);
  CHECK(options.hooks);
  CHECK(options.select == "default");
  CHECK_FALSE(options_of({"--hooks=off", "gcc"}, {"ANDES_HOOKS=on"}).hooks);
  CHECK_FALSE(options_of({"--openmp", "off", "gcc"}, {"ANDES_OPENMP=on"}).openmp);
  CHECK_FALSE(options_of({"gcc"}, {"ANDES_READING_SERVER=off"}).reading_server);
  CHECK(options_of({"--select", "a", "--select=b", "gcc"}).select == "b");
  CHECK(options_of({"--third-party", "lib,ext vendor", "gcc"}).third_party ==
        std::vector<std::string>{"lib", "ext", "vendor"});
}

TEST_CASE("the command line comes before the environment, that before the file") {
  const File file("headers all ; of everybody\nloops outer\nselect only.txt\n");
  const std::string name = "ANDES_BUILD=" + File::path();
  const Options options = options_of({"--loops", "all", "gcc"}, {"ANDES_LOOPS=none", "ANDES_SELECT=all", name.c_str()});
  CHECK(options.loops == Loops::all);
  CHECK(options.select == "all");
  CHECK(options.headers == Headers::all);
  CHECK(options_of({"--config", File::path(), "gcc"}, {"ANDES_BUILD=/nowhere"}).loops == Loops::outer);
}

TEST_CASE("a selection file that a settings file names stands beside it") {
  const File file("select only.txt\n");
  CHECK(options_of({"--config", File::path(), "gcc"}).select == std::filesystem::temp_directory_path() / "only.txt");
}

TEST_CASE("settings of the monitor and variables of strangers are passed over, misspelt ones not") {
  CHECK(complaint({"gcc"}, {"ANDES_RECURSION=deep", "ANDES_OUT=a", "ANDES_PID=1", "ANDES_CLUSTER_HOME=/x",
                            "ANDES_HEADERS=", "OTHER=1"}) == "");
  CHECK(complaint({"gcc"}, {"ANDES_HEADER=all"}) ==
        "ANDES_HEADER: unknown setting; did you mean ANDES_HEADERS? (configs/build.info lists all)");
}

TEST_CASE("complaints of options") {
  CHECK(complaint({"--headers", "some", "gcc"}) == "--headers: \"some\" is not allowed; give none or own or all");
  CHECK(complaint({"--hedaers=all", "gcc"}) == "--hedaers: not an option of cc; did you mean --headers?");
  CHECK(complaint({"-O2", "gcc"}) == "-O2: not an option of cc; write andes cc [OPTIONS] COMPILER "
                                     "ARGS (andes cc --help lists them)");
  CHECK(complaint({"--select"}) == "--select: no value; write --select VALUE before the compiler");
  CHECK(complaint({"gcc"}, {"ANDES_LOOPS=inner"}) ==
        "ANDES_LOOPS: \"inner\" is not allowed; give none or outer or all");
  CHECK(complaint({"gcc"}, {"ANDES_BUILD=/nowhere/b.info"}) ==
        "/nowhere/b.info: cannot be read: No such file or directory; --config takes a settings "
        "file");
  const File file("recursion full\n");
  CHECK(complaint({"--config", File::path(), "gcc"}) ==
        File::path() + ": recursion: a setting of andes run; give it there (configs/andes.info "
                       "lists all)");
}

TEST_CASE("the shipped settings file has every key with its default") {
  const Settings shipped = read_settings_file(ANDES_CONFIGS "/build.info", build_list);
  CHECK(shipped.size() == std::size(build_settings));
  for (const Setting& setting : build_settings) {
    INFO(setting.key);
    REQUIRE(shipped.count(setting.key) == 1);
    CHECK(shipped.at(setting.key) == setting.fallback);
  }
}
