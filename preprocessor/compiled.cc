// Compiled without optimisation, so that no function vanishes in its caller; functions that are
// never called may be missing.
#include "preprocessor/compiled.h"

#include "common/private_directory.h"
#include "preprocessor/own_libraries.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

/// The flags without those that name outputs, or would keep debug information out of the object.
std::vector<std::string> plain_flags(const std::vector<std::string>& flags) {
  std::vector<std::string> kept = without_outputs(flags);
  std::erase_if(kept,
                [](const std::string& flag) { return flag.starts_with("-flto") || flag.starts_with("-gsplit-dwarf"); });
  return kept;
}

} // namespace

Compiled compile_and_list(const std::string& compiler, const std::vector<std::string>& flags, const std::string& path) {
  Compiled result;
  const auto list_functions =
      reinterpret_cast<decltype(&andes_compiled_functions)>(debug_info_function("andes_compiled_functions"));
  const PrivateDirectory directory;
  if (directory.path().empty()) return result;
  const std::string object = directory.path() + "/object.o";
  std::vector<std::string> words = plain_flags(flags);
  words.insert(words.begin(), compiler);
  words.insert(words.end(), {"-g", "-O0", "-fno-lto", "-w", "-c", "-o", object, path});
  if (!run(words, directory.path() + "/out", directory.path() + "/err").good()) return result;
  result.good = true;
  list_functions(object, result.functions);
  return result;
}

} // namespace andes::preprocessor
