#include "preprocessor/session.h"

#include <cstdlib>
#include <filesystem>

#include "common/build_record.h"
#include "common/compiler_words.h"
#include "monitor/interface/build_session.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

std::string record; // of the build; empty: there is none
std::string reader; // the socket of its server of readings; empty: there is none

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// A list of LD_PRELOAD without one of its entries.
std::string without(const std::string& list, const std::string& entry) {
  std::string result;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find_first_of(": ", at), list.size());
    if (const std::string one = list.substr(at, end - at); !one.empty() && one != entry)
      result += (result.empty() ? "" : ":") + one;
    at = end + 1;
  }
  return result;
}

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code error;
  return std::filesystem::equivalent(one, other, error);
}

} // namespace

std::vector<std::string> caught_command(const std::vector<std::string>& words) {
  const std::string compiler = variable(build_compiler_variable);
  unsetenv(build_compiler_variable);
  if (compiler.empty() || words.empty()) return {};
  std::vector<std::string> command = words;
  // By the name that the build used, which compilers put into their messages, if it leads there.
  const std::optional<std::string> named = find_program(words[0]);
  if (!named || !is_same_file(*named, compiler)) command[0] = compiler;
  return command;
}

void leave_session() {
  record = variable(build_record_variable);
  reader = variable(build_reader_variable);
  const std::string library = variable(build_library_variable);
  if (const std::string before = variable("LD_PRELOAD"); !library.empty() && !before.empty()) {
    const std::string rest = without(before, library);
    if (rest.empty()) unsetenv("LD_PRELOAD");
    else setenv("LD_PRELOAD", rest.c_str(), 1);
  }
  for (const char* name : {build_library_variable, build_program_variable, build_record_variable, build_reader_variable,
                           build_asking_variable})
    unsetenv(name);
}

const std::string& session_record() { return record; }
const std::string& session_reader() { return reader; }

void note_instrumented(const std::string& source, std::size_t probes, std::size_t functions) {
  if (!record.empty())
    append_record(record.c_str(), record_instrumented, source,
                  std::to_string(probes) + "/" + std::to_string(functions));
}

void note_instrumented(const std::string& source) {
  if (!record.empty()) append_record(record.c_str(), record_instrumented, source);
}

void note_instrumented(const CompilerCommand& command) {
  for (const CompilerCommand::Input& input : command.inputs) note_instrumented(input.path);
  for (const std::string& source : command.fortran) note_instrumented(source);
}

void note_left(const std::string& source, const char* why) {
  if (!record.empty()) append_record(record.c_str(), record_left, source, why);
}

void note_left(const CompilerCommand& command, const char* why) {
  for (const CompilerCommand::Input& input : command.inputs) note_left(input.path, why);
  for (const std::string& source : command.fortran) note_left(source, why);
}

void note_link(const std::vector<std::string>& words) {
  if (record.empty()) return;
  std::error_code error;
  const std::string directory = std::filesystem::current_path(error).string();
  const CompilerRequest request = request_of(words, directory);
  if (!request.links && !request.links_library) return;
  if (is_configure_test(request.output, directory)) return; // SCons keeps its tests
  append_record(record.c_str(), request.links ? record_linked : record_library,
                request.output.empty() ? "a.out" : request.output);
}

} // namespace andes::preprocessor
