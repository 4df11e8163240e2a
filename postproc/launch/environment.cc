// Putting the environment of a measured command together.
#include "postproc/launch/environment.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace andes::postproc {
namespace {

/// Lies beside the monitor.
std::string posix_library(const std::string& monitor) {
  return std::filesystem::path(monitor).replace_filename("libandes-posix.so").string();
}

/// The monitor in front of what LD_PRELOAD holds, once; behind it the library that counts calls of the C library.
std::string preload_with(const std::string& library, bool posix_io) {
  const char* present = std::getenv("LD_PRELOAD");
  const std::string posix = posix_library(library);
  std::string result = posix_io ? library + ':' + posix : library;
  std::string rest = present ? present : "";
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of(" :");
    const std::string entry = rest.substr(0, end);
    if (!entry.empty() && entry != library && entry != posix) result += ":" + entry;
    rest = end == std::string::npos ? "" : rest.substr(end + 1);
  }
  return result;
}

} // namespace

std::vector<std::string> monitor_variables(const Installation& installation, const std::string& output,
                                           const Settings& said) {
  std::vector<std::string> variables = settings_variables(said);
  variables.insert(
      variables.begin(),
      {"LD_PRELOAD=" + preload_with(installation.library, value_of(said, "posix_io") == "on"), "ANDES_OUT=" + output});
  return variables;
}

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('=') + 1);
    bool replaced = name.rfind("ANDES_", 0) == 0 && name != "ANDES_LIB=";
    for (const std::string& variable : variables) replaced = replaced || variable.rfind(name, 0) == 0;
    if (!replaced) result.push_back(text);
  }
  result.insert(result.end(), variables.begin(), variables.end());
  return result;
}

} // namespace andes::postproc
