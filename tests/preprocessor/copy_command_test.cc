// The command that compiles copies: which words are others, and which are added.
#include <catch2/catch.hpp>

#include "preprocessor/copy_command.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

using Words = std::vector<std::string>;

/// A command whose sources gcc 12 compiles, and whose messages are not coloured.
Compilation compilation_of(Words words) {
  words.insert(words.begin() + 1, "-fdiagnostics-color=never");
  Compilation compilation;
  compilation.command = read_command(words);
  compilation.compiler.version = 12;
  for (const CompilerCommand::Input& input : compilation.command.inputs) compilation.units.push_back({input, {}});
  return compilation;
}

/// One copy for each source but those that `without` names.
CopySet copies_for(const Compilation& compilation, const std::string& without = "") {
  CopySet set;
  for (const TranslationUnit& unit : compilation.units) {
    UnitCopies& copies = set.units.emplace_back();
    if (unit.input.path == without) continue;
    copies.copies.files.push_back({"/t/" + unit.input.path, unit.input.path, "", "", false});
    copies.copies.preamble = "/t/andes.h";
  }
  return set;
}

/// The words without the maps, which have paths of this installation.
Words without_maps(Words words) {
  std::erase_if(words, [](const std::string& word) { return word.find("-prefix-map=") != std::string::npos; });
  return words;
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

TEST_CASE("sources with a copy are replaced, others stay") {
  const Compilation compilation = compilation_of({"gcc", "-c", "a.c", "b.c"});
  CHECK(without_maps(command_for(compilation, copies_for(compilation, "b.c"))) ==
        Words{"gcc", "-fdiagnostics-color=never", "-c", "/t/a.c", "b.c", "-g1"});
}

TEST_CASE("forced headers are replaced by their place in the command") {
  const Compilation compilation = compilation_of({"gcc", "-include", "x.h", "-c", "a.c"});
  CopySet copies = copies_for(compilation);
  copies.units[0].copies.words[3] = "/t/headers/1-x.h";
  CHECK(without_maps(command_for(compilation, copies)) ==
        Words{"gcc", "-fdiagnostics-color=never", "-include", "/t/headers/1-x.h", "-c", "/t/a.c", "-g1"});
}

TEST_CASE("flags are added before the files behind --, quiet copies have -w") {
  const Compilation compilation = compilation_of({"gcc", "-c", "--", "a.c"});
  CopySet copies = copies_for(compilation);
  copies.variant.quiet = true;
  const Words words = command_for(compilation, copies);
  CHECK(without_maps(words) == Words{"gcc", "-fdiagnostics-color=never", "-c", "-g1", "-w", "--", "/t/a.c"});
  CHECK(words[3] == "-fdebug-prefix-map=/t/a.c=a.c");
  CHECK(words[4] == "-fmacro-prefix-map=/t/a.c=a.c");
}

TEST_CASE("copies have debug information of what was inlined, unless the user has chosen or a precompiled header has") {
  const auto flags_of = [](Words words, bool precompiled) {
    words.insert(words.begin(), "gcc");
    const Compilation compilation = compilation_of(std::move(words));
    CopySet copies = copies_for(compilation);
    copies.units[0].copies.use_precompiled = precompiled;
    return command_for(compilation, copies);
  };
  CHECK(has(flags_of({"-O2", "-gz", "-c", "a.c"}, false), "-g1"));
  CHECK_FALSE(has(flags_of({"-O2", "-c", "a.c"}, true), "-g1"));
  for (const char* chosen : {"-g", "-g0", "-ggdb3", "-gdwarf-4", "-gline-tables-only", "-S"})
    CHECK_FALSE(has(flags_of({"-O2", chosen, "-c", "a.c"}, false), "-g1"));
}

TEST_CASE("copies are mapped to what the user's own maps make of the source") {
  Compilation compilation = compilation_of({"gcc", "-ffile-prefix-map=src=S", "-g3", "-c", "src/a.c"});
  CopySet copies = copies_for(compilation);
  copies.units[0].copies.files.push_back({"/t/headers/1-x.h", "src/x.h", "", "", false});
  Words words = command_for(compilation, copies);
  CHECK(has(words, "-fmacro-prefix-map=/t/src/a.c=S/a.c"));
  CHECK(has(words, "-fdebug-prefix-map=/t/headers/1-x.h=S/x.h"));
  compilation.compiler.version = 7; // which has maps for debug information alone
  words = command_for(compilation, copies);
  CHECK(has(words, "-fdebug-prefix-map=/t/src/a.c=S/a.c"));
  CHECK(!has(words, "-fmacro-prefix-map=/t/src/a.c=S/a.c"));
}

TEST_CASE("Clang keeps __FILE__ whole, unless the user maps macros") {
  for (const bool maps : {false, true}) {
    Compilation compilation = compilation_of({"clang", maps ? "-fmacro-prefix-map=a=b" : "-O2", "-flto", "-c", "a.c"});
    compilation.compiler.family = Compiler::Family::clang;
    compilation.compiler.version = 19;
    const Words words = command_for(compilation, copies_for(compilation));
    CHECK(has(words, "-fno-file-reproducible") == !maps);
    CHECK(has(words, "-DANDES_LINK_TIME"));
  }
}
