// andes build: runs a build command in whose processes compilers are caught (preprocessor/intercept), and says at its
// end what has come of it. The record of the build lies in a private directory; a build inside of another one writes to
// the record of the outer one, and counts its own part of it.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <elf.h>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>

#include "common/compiler_words.h"
#include "common/message.h"
#include "common/private_directory.h"
#include "monitor/interface/build_session.h"
#include "preprocessor/build_summary.h"
#include "preprocessor/commands.h"
#include "preprocessor/options.h"
#include "preprocessor/process.h"
#include "preprocessor/reading_server.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {
namespace {

namespace fs = std::filesystem;

void print_help() {
  fmt::print("Usage: andes build [OPTIONS] -- COMMAND...\n"
             "Runs a build (make, cmake, ninja, a script), in which C, C++ and Fortran compilers and MPI wrappers\n"
             "compile with probes, as by andes cc.\n\n"
             "{}\n"
             "Examples:\n"
             "  andes build -- make -j4\n"
             "  andes build -- cmake -B build && andes build -- cmake --build build\n"
             "  andes build --loops outer -- ./build.sh\n",
             options_help());
}

fs::path self() {
  std::error_code failed;
  const fs::path path = fs::read_symlink("/proc/self/exe", failed);
  if (failed) refuse("/proc/self/exe", failed.message(), "andes needs a mounted /proc");
  return path;
}

std::string library() {
  const std::string path = (self().parent_path() / ANDES_TO_BUILD_LIBRARY).lexically_normal().string();
  if (access(path.c_str(), R_OK) != 0) refuse(path, "not there", "build or install all of andes");
  if (path.find_first_of(" :") != std::string::npos) // the dynamic linker knows no quoting
    refuse(path, "a path with blanks or colons cannot be preloaded", "move andes to a path without them");
  return path;
}

/// Whether nothing can be preloaded into it: a program without the dynamic linker.
bool is_static(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(std::streamoff(header.e_phoff + i * header.e_phentsize));
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment) || segment.p_type == PT_INTERP) return false;
  }
  return true;
}

/// Hands the options on to every `andes cc` of the build, which runs in other directories.
void export_options(const Settings& said) {
  for (const auto& [key, value] : said) {
    const bool names_file = key == "config" || (key == "select" && value != "all" && value != "default");
    std::error_code ignored;
    const std::string text = names_file ? fs::absolute(value, ignored).string() : value;
    setenv(key == "config" ? build_file_variable : variable_of(key).c_str(), text.c_str(), 1);
  }
}

void put_in_front(const char* name, const std::string& entry) {
  const char* before = std::getenv(name);
  const bool is_there = before && (":" + std::string(before) + ":").find(":" + entry + ":") != std::string::npos;
  if (!is_there) setenv(name, (before && *before ? entry + ":" + before : entry).c_str(), 1);
}

timespec begin_of_build;

/// Whether a program or shared library is newer than the begin of the build. File systems count time in steps.
bool was_made(const std::string& path) {
  constexpr long step_seconds = 2;
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && (facts.st_mode & S_IXUSR) &&
         facts.st_mtim.tv_sec + step_seconds >= begin_of_build.tv_sec;
}

void say_summary(const BuildSummary& summary, const Ended& ended) {
  if (!summary.instrumented.empty() || !summary.left.empty() || !summary.programs.empty() || !summary.libraries.empty())
    say("build: {}", summary_line(summary));
  else if (!ended.good()) say("build: the command failed before it had compiled a source; its own messages say why");
  else if (summary.asked)
    say("build: compilers were only asked questions, as by configure; put andes build -- before the command that "
        "compiles, too");
  else
    say("build: no compiler was caught that compiles a source; if all was up to date, but built without andes, remove "
        "it "
        "(make clean), else name andes' own compilers: CC=andes-mpicc CXX=andes-mpicxx FC=andes-mpifort");
}

/// Runs the command with its compilers caught, and says what has come of it.
Ended run_recorded(const std::vector<std::string>& words, const Options& options) {
  const PrivateDirectory directory;
  const char* outer = std::getenv(build_record_variable);
  const std::string record = outer ? outer : directory.path() + "/record";
  const std::size_t before = outer ? read_file(record).value_or("").size() : 0;
  if (!outer && !write_file(record, ""))
    refuse(record, fmt::format("cannot be written: {}", std::strerror(errno)), "make room, or set TMPDIR");
  setenv(build_record_variable, record.c_str(), 1);
  std::optional<ReadingServer> server;
  if (!outer && options.reading_server) server.emplace(directory.path());
  if (server) setenv(build_reader_variable, server->path().c_str(), 1);
  setenv(build_program_variable, self().c_str(), 1);
  setenv(build_library_variable, library().c_str(), 1);
  put_in_front("LD_PRELOAD", library());
  // Programs with AddressSanitizer that the build runs want its library to be the first.
  put_in_front("ASAN_OPTIONS", "verify_asan_link_order=0");
  clock_gettime(CLOCK_REALTIME, &begin_of_build);
  const Ended ended = run(words);
  if (!ended.started) refuse(words[0], "cannot be started", "check the command after --");
  const std::string all = read_file(record).value_or("");
  say_summary(read_record(std::string_view(all).substr(std::min(before, all.size())), was_made), ended);
  return ended;
}

} // namespace

int build(const std::vector<std::string>& arguments) {
  const auto dashes = std::ranges::find(arguments, "--");
  const LeadingOptions leading = read_leading_options({arguments.begin(), dashes}, "build");
  if (leading.said.count("help")) {
    print_help();
    return 0;
  }
  std::vector<std::string> words(arguments.begin() + long(leading.words), arguments.end());
  if (!words.empty() && words[0] == "--") words.erase(words.begin());
  if (words.empty()) refuse("build", "no command given", "write andes build -- make");
  const Options options = read_options(leading.said, environ);
  load_selection(options.select); // whatever is wrong is said here, once
  const std::optional<std::string> program = find_program(words[0]);
  if (!program) refuse(words[0], "no such program", "check the command after --");
  if (is_compiler(words[0]) || is_compiler_launcher(words[0])) words.insert(words.begin(), {self().string(), "cc"});
  else if (is_static(*program))
    say("{}: linked statically, so the compilers that it starts cannot be caught; name andes' wrappers as compilers: "
        "CC=andes-mpicc, CXX=andes-mpicxx, FC=andes-mpifort",
        words[0]);

  export_options(leading.said);
  return leave_as(run_recorded(words, options));
}

} // namespace andes::preprocessor
