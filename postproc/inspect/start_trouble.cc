#include "postproc/inspect/start_trouble.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/inspect/elf_file.h"
#include "postproc/inspect/linked_libraries.h"

namespace andes::postproc {
namespace {

bool is_executable(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

/// The first directory of PATH in which `test` holds of the name's path; empty: none.
std::string find_in_path(const std::string& name, const std::function<bool(const std::string&)>& test) {
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable ? variable : "/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string_view directory = rest.substr(0, colon);
    const std::string path = (directory.empty() ? "." : std::string(directory)) + "/" + name;
    if (test(path)) return path;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return "";
}

bool is_file(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

StartTrouble not_found(const std::string& word) {
  if (word.find('/') != std::string::npos) return {"no such file", "check its path and the working directory", true};
  if (is_file(word))
    return {"no such program in PATH", fmt::format("write ./{} for the one in this directory", word), true};
  return {"no such program in PATH", "check its name, or write its path", true};
}

std::optional<StartTrouble> trouble_of_access(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return not_found(path);
    return StartTrouble{std::strerror(errno), "check its path"};
  }
  if (S_ISDIR(status.st_mode)) return StartTrouble{"it is a directory", "name the program in it"};
  if (!S_ISREG(status.st_mode)) return StartTrouble{"it is no file", "name a program"};
  if (access(path.c_str(), X_OK) == 0) return std::nullopt;
  if (!(status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)))
    return StartTrouble{"it is not executable", fmt::format("chmod +x {}, if it is a program", path)};
  return StartTrouble{"this user may not execute it", "ask its owner for permission"};
}

std::optional<StartTrouble> trouble_of_script(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || line.rfind("#!", 0) != 0)
    return StartTrouble{"it is neither a program for this system nor a script with #! in its first line",
                        "build it, or name its interpreter before it", false, true};
  const std::size_t begin = std::min(line.find_first_not_of(" \t", 2), line.size());
  const std::string interpreter = line.substr(begin, line.find_first_of(" \t\r", begin) - begin);
  if (is_file(interpreter)) return std::nullopt;
  return StartTrouble{fmt::format("its interpreter {} is not there", interpreter), "correct its first line"};
}

std::optional<StartTrouble> trouble_of_elf(const ElfFile& file, const std::string& path) {
  const ElfFile& own = own_program();
  const std::string theirs = machine_name(file.machine(), file.bits()), ours = machine_name(own.machine(), own.bits());
  if (file.size() < file.loaded_bytes())
    return StartTrouble{fmt::format("truncated, {} of {} bytes are there", file.size(), file.loaded_bytes()),
                        "copy it again, or build it again"};
  if (!file.is_linked()) return StartTrouble{"it is an object file, not a program", "link it"};
  if (file.machine() != own.machine() && !(own.machine() == EM_X86_64 && file.machine() == EM_386))
    return StartTrouble{fmt::format("it was built for {}, this machine is {}", theirs, ours), "build it here"};
  const std::string loader = file.interpreter();
  if (!loader.empty() && !is_file(loader))
    return StartTrouble{fmt::format("the dynamic loader {} that it asks for is not there", loader),
                        "build it here, or install that C library"};
  const LinkedLibraries libraries = linked_libraries(path);
  if (!libraries.missing.empty())
    return StartTrouble{
        fmt::format("the librar{} {} that it needs {} not found", libraries.missing.size() == 1 ? "y" : "ies",
                    fmt::join(libraries.missing, ", "), libraries.missing.size() == 1 ? "is" : "are"),
        "load its module, add its directory to LD_LIBRARY_PATH, or link with -Wl,-rpath,DIRECTORY", true};
  if (!libraries.missing_versions.empty())
    return StartTrouble{fmt::format("it needs {}, newer than the libraries of this machine",
                                    fmt::join(libraries.missing_versions, ", ")),
                        "build it here"};
  return std::nullopt;
}

} // namespace

std::string find_executable(const std::string& word) {
  if (word.empty()) return "";
  if (word.find('/') != std::string::npos) return is_executable(word) ? word : "";
  return find_in_path(word, is_executable);
}

std::string path_of_binary(const std::string& word) {
  const std::string path = find_executable(word);
  char begin[SELFMAG] = {};
  std::ifstream(path, std::ios::binary).read(begin, SELFMAG);
  return std::memcmp(begin, ELFMAG, SELFMAG) == 0 ? path : "";
}

std::optional<StartTrouble> start_trouble(const std::string& word) {
  std::string path = word;
  if (word.find('/') == std::string::npos) {
    path = find_executable(word);
    if (path.empty()) path = find_in_path(word, is_file);
    if (path.empty()) return not_found(word);
  }
  if (const auto trouble = trouble_of_access(path)) return trouble;
  const auto file = ElfFile::open(path);
  return file ? trouble_of_elf(*file, path) : trouble_of_script(path);
}

} // namespace andes::postproc
