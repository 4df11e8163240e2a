#include "preprocessor/build_stamp.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "common/compiler_words.h"
#include "common/fnv.h"
#include "monitor/interface/build_stamp.h"
#include "preprocessor/compiler.h"
#include "preprocessor/source_state.h"
#include "preprocessor/stamp_object.h"

namespace andes::preprocessor {
namespace {

using std::string_view;

/// Options with which a link is not an ordinary one, or its machine not known for sure.
bool is_out_of_the_ordinary(string_view word) {
  constexpr string_view whole[] = {"-nostdlib", "-ffreestanding", "-m32", "-mx32", "-m16", "-r", "-Wl,-r", "-x"};
  constexpr string_view begin[] = {"-T",           "-target",           "--target",     "-Wl,-T",
                                   "-Wl,--script", "-Wl,--relocatable", "-Wl,--oformat"};
  constexpr string_view headers[] = {".h", ".hh", ".hpp", ".hxx", ".hp", ".H", ".HPP", ".h++", ".tcc"}; // precompiled
  // -xc, a language, and not -xHost of Intel's compilers
  const bool is_language = word.starts_with("-x") && word.size() > 2 && word[2] >= 'a' && word[2] <= 'z';
  return is_language || std::ranges::find(whole, word) != std::end(whole) ||
         std::ranges::any_of(begin, [word](string_view one) { return word.starts_with(one); }) ||
         std::ranges::any_of(headers, [word](string_view one) { return word.ends_with(one); });
}

bool links_ordinarily(const std::vector<std::string>& words, const std::string& directory) {
  const CompilerRequest request = request_of(words, directory);
  return (request.links || request.links_library) && !is_configure_test(request.output, directory) &&
         std::ranges::none_of(words, [&](const std::string& word) {
           return is_out_of_the_ordinary(word) || (word.ends_with(".o") && is_configure_test(word, directory));
         });
}

/// The kind of the objects that are linked: that of the first one, else this machine's if the compiler is. A cross
/// compiler may have any name, also behind a wrapper.
std::optional<ObjectKind> kind_of(const CompilerCommand& command, const Compiler& compiler) {
  for (const std::string& word : command.words)
    if (word.ends_with(".o")) return kind_of_object(word);
  if (!is_compiler(command.words[command.compiler_words - 1]) ||
      (!compiler.target.empty() && !is_of_this_machine(compiler.target)))
    return std::nullopt;
  return own_kind();
}

} // namespace

std::string telling_flags(const std::vector<std::string>& words) {
  constexpr string_view begin[] = {"-O", "-m", "-f", "-std=", "-DNDEBUG"};
  constexpr string_view files[] = {"-prefix-map=", "-fplugin",  "-fdiagnostics", "-fcolor",  "-fmessage-length",
                                   "-fmodules",    "-fmodule-", "-fdebug-",      "-fuse-ld", "-frandom-seed"};
  std::vector<string_view> kept;
  for (const string_view word : words)
    if (std::ranges::any_of(begin, [word](string_view one) { return word.starts_with(one); }) &&
        std::ranges::none_of(files, [word](string_view one) { return word.find(one) != string_view::npos; }) &&
        word.find_first_of("/ \t\n") == string_view::npos)
      kept.push_back(word);
  return fmt::format("{}", fmt::join(kept, " "));
}

std::vector<std::string> with_stamp(const CompilerCommand& command, const std::vector<std::string>& words,
                                    const std::string& kept, std::optional<PrivateDirectory>& place) {
  std::error_code error;
  const std::string directory = std::filesystem::current_path(error).string();
  if (!links_ordinarily(command.words, directory)) return words;
  const Compiler compiler = ask_compiler(command, Language::c);
  const std::optional<ObjectKind> kind = kind_of(command, compiler);
  if (!kind || kind->machine == 0) return words;
  BuildStamp stamp;
  stamp.compiler = compiler.name;
  stamp.flags = telling_flags(command.words);
  if (const std::string tree = tree_of(command, directory); !tree.empty())
    add_source_state(tree, kept.empty() ? "" : fmt::format("{}.tree-{:016x}", kept, fnv_hash(tree)), stamp);
  if (place.emplace().path().empty()) return words;
  const std::string object = place->path() + "/stamp.o";
  if (!write_file(object, stamp_object(*kind, text_of(stamp)))) return words;
  std::vector<std::string> with = words;
  with.push_back(object);
  return with;
}

} // namespace andes::preprocessor
