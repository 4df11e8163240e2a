// Arguments for Clang. Its own builtin headers replace the real compiler's (those use builtins that
// Clang lacks), the rest of the directories stay as they are and in their order.
//
// For GCC and its wrappers Clang pretends to be GCC 10, without __clang__: GCC does not compile code under `#ifdef
// __clang__`, so probes would go to the wrong functions. If that fails, Clang reads once more as itself. All
// warnings are off, in collect.cc also those that are errors by default: Clang only has to find functions; the real
// compiler judges the source.
#include "preprocessor/parse.h"

#include <algorithm>

namespace andes::preprocessor {

std::vector<std::string> clang_arguments(const CompilerCommand& command, const Compiler& compiler,
                                         const CompilerCommand::Input& input, bool as_gcc) {
  const bool cxx = input.language == Language::cxx;
  std::vector<std::string> words{
      "clang", "-x", cxx ? "c++" : "c", "-fsyntax-only", "-w", "-resource-dir", ANDES_CLANG_RESOURCES};
  const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  // GCC's omp.h (the only one in its directory) gives the attribute arguments; Clang knows none.
  add({"-D__malloc__(...)=__malloc__"});
  if (as_gcc) {
    // 10.2.0: with 11 and later glibc uses attributes that Clang does not know. GCC's _FloatN are
    // keywords in C, which Clang lacks.
    add({"-fgnuc-version=10.2.0", "-U__clang__", "-U__clang_major__", "-U__clang_minor__", "-U__clang_patchlevel__",
         "-U__clang_version__", "-U__llvm__"});
    // Builtins of GCC that Clang lacks, for reading: their types are right.
    add({"-D__builtin_shuffle(vector,...)=(vector)", "-D__builtin_has_attribute(...)=0",
         "-D__builtin_speculation_safe_value(value,...)=(value)", "-D__builtin_va_arg_pack()=0",
         "-D__builtin_va_arg_pack_len()=0", "-D__builtin_apply_args()=((void*)0)", "-D__builtin_apply(...)=((void*)0)",
         "-D__builtin_return(value)=__builtin_unreachable()"});
    if (!cxx)
      add({"-D_Float32=float", "-D_Float64=double", "-D_Float32x=double", "-D_Float64x=long double",
           "-D_Float128=__float128"});
  }
  if (compiler.asked) {
    const bool has_target = std::ranges::any_of(command.parse_flags, [](const std::string& flag) {
      return flag == "-target" || flag.starts_with("--target=");
    });
    if (!compiler.target.empty() && !has_target) add({"--target=" + compiler.target});
    if (!compiler.standard.empty() && !command.has_standard) add({"-std=" + compiler.standard});
    for (const std::string& macro : compiler.macros) {
      add({"-D" + macro});
      if (macro.starts_with("_OPENMP=")) add({"-fopenmp"}); // set by any flag, or by a wrapper
    }
  }
  for (const std::string& flag : command.parse_flags)
    if (flag != "-fopenmp" || !compiler.asked) add({flag}); // -fno-openmp may follow it
  if (compiler.asked) {
    const auto is_own = [&](const std::string& directory) {
      return std::ranges::find(compiler.own, directory) != compiler.own.end();
    };
    add({"-nostdinc", "-nostdinc++"});
    bool own_added = false;
    for (const std::string& directory : compiler.directories) {
      if (!is_own(directory)) {
        add({"-isystem", directory});
      } else {
        if (!own_added) add({"-isystem", ANDES_CLANG_RESOURCES "/include"});
        add({"-idirafter", directory}); // omp.h is only there
        own_added = true;
      }
    }
    if (!own_added) add({"-isystem", ANDES_CLANG_RESOURCES "/include"});
  }
  // Headers with bodies for fortified calls use builtins that Clang lacks.
  add({"-U_FORTIFY_SOURCE", "--", input.path});
  return words;
}

Reading reading_of(const Options& options, const Selection& selection) {
  return {options.headers, options.third_party, true, wants_mangled_names(selection)};
}

Source read_source(const CompilerCommand& command, Compiler& compiler, const CompilerCommand::Input& input,
                   Reading reading) {
  const auto is_gcc = [&] { return compiler.family == Compiler::Family::gcc; };
  const auto read = [&](bool as_gcc) {
    reading.bare_names = is_gcc();
    return collect(clang_arguments(command, compiler, input, as_gcc), reading);
  };
  Source source = read(is_gcc());
  if (source.error.empty()) return source;
  const std::string first_error = source.error;
  if (compiler.remembered) { // the answer may be outdated
    const Compiler now = ask_compiler(command, input.language, true);
    const bool changed = now.directories != compiler.directories || now.macros != compiler.macros ||
                         now.target != compiler.target || now.standard != compiler.standard;
    compiler = now;
    compiler.remembered = false;
    if (changed) source = read(is_gcc());
  }
  if (!source.error.empty() && reading.headers != Options::Headers::none) {
    reading.headers = Options::Headers::none;
    source = read(is_gcc());
    source.headers_error = first_error;
  }
  if (!source.error.empty() && is_gcc()) source = read(false); // Clang may succeed as itself
  if (!source.error.empty()) source.error = first_error;
  return source;
}

} // namespace andes::preprocessor
