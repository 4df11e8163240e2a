// Tables, and one pass over the words. GCC's and Clang's options; wrappers hand on what they do not know.
#include "common/compiler_words.h"

namespace andes {
namespace {

using std::string_view;

// clang-format off
constexpr string_view compilers[] = {
    "cc", "c++", "CC", "gcc", "g++", "clang", "clang++", "gfortran", "flang", "flang-new", "f77", "f90", "f95", "ftn",
    "mpicc", "mpicxx", "mpic++", "mpiCC", "mpif77", "mpif90", "mpifort",
    "icc", "icpc", "icx", "icpx", "ifort", "ifx",
    "mpiicc", "mpiicpc", "mpiicx", "mpiicpx", "mpiifort", "mpiifx", "mpigcc", "mpigxx",
    "nvc", "nvc++", "nvfortran", "pgcc", "pgc++", "pgfortran", "amdclang", "amdclang++", "amdflang",
    "armclang", "armclang++", "armflang"};
constexpr string_view mpi_endings[] = {
    ".openmpi", ".mpich", ".mpich2", ".mvapich", ".mvapich2", "-openmpi", "-mpich", "-mvapich2"};
#if defined(__x86_64__)
constexpr string_view machine = "x86_64-";
#elif defined(__aarch64__)
constexpr string_view machine = "aarch64-";
#else
constexpr string_view machine = "no machine-";
#endif
constexpr string_view launchers[] = {"ccache", "sccache", "distcc", "icecc"};

constexpr string_view separate[] = {
    "-o", "-x", "-I", "-D", "-U", "-L", "-l", "-u", "-T", "-A", "-B", "-F", "-V", "-b", "-z",
    "-e", "-G", "-MF", "-MT", "-MQ", "-MJ", "-include", "-imacros", "-isystem", "-iquote",
    "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-imultilib",
    "-imultiarch", "-cxx-isystem", "--sysroot", "--param", "-aux-info", "-dumpbase",
    "-dumpbase-ext", "-dumpdir", "-wrapper", "-specs", "-Xlinker", "-Xassembler",
    "-Xpreprocessor", "-Xclang", "-Xanalyzer", "-Xopenmp-target", "-mllvm", "-target", "-arch",
    "-gcc-toolchain", "-rpath", "-framework", "-ivfsoverlay", "-include-pch",
    "-working-directory", "-install_name", "-undefined", "-resource-dir",
    "-serialize-diagnostics", "-J"};

constexpr string_view questions[] = {
    "-E", "-M", "-MM", "-fsyntax-only", "-###", "--preprocess", "--dependencies", "--user-dependencies", "--version",
    "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs", "--target-help", "--analyze", "-cc1", "-cc1as",
    "-show", "-compile_info", "-compile-info", "-link_info", "-link-info"};
constexpr string_view questions_begin[] = {
    "-print-", "--print-", "-showme", "--showme", "--help", "--show"};

// With these nothing is linked: objects, assembler text, modules of C++ (Clang), header units (GCC) are made.
constexpr string_view before_link[] = {"-c", "-S", "-r", "--compile", "--assemble", "--precompile", "-fmodule-header"};

constexpr string_view fortran_endings[] = { // GCC's; capital ones are preprocessed first
    "f", "for", "ftn", "fpp", "f90", "f95", "f03", "f08", "F", "FOR", "FTN", "FPP", "F90", "F95", "F03", "F08"};
constexpr string_view cxx_endings[] = {"cc", "cp", "cxx", "cpp", "CPP", "c++", "C"};

// Names of tests without ending; directories that hold nothing but tests.
constexpr string_view test_names[] = {"conftest", "_configtest"};
constexpr string_view test_directories[] = {
    "/CMakeFiles/CMakeScratch/", "/CMakeFiles/CMakeTmp/", "/CMakeFiles/_CMakeLTOTest-", "/CompilerIdC/",
    "/CompilerIdCXX/", "/CompilerIdFortran/", "/meson-private/", "/.conf_check_", "/.sconf_temp/", "/config.tests/",
    "/ffconf."};
// clang-format on

template <std::size_t n> bool is_in(const string_view (&list)[n], string_view word) {
  for (const string_view one : list)
    if (one == word) return true;
  return false;
}

template <std::size_t n> bool begins_as(const string_view (&list)[n], string_view word) {
  for (const string_view one : list)
    if (word.starts_with(one)) return true;
  return false;
}

/// Behind the last `c`; all of `text` without one.
string_view behind(string_view text, char c) {
  const std::size_t at = text.rfind(c);
  if (at != string_view::npos) text.remove_prefix(at + 1);
  return text;
}

/// Whether compilers' names may end so: in -12, -19.1, .openmpi.
bool is_variant(string_view end) {
  if (end.empty() || is_in(mpi_endings, end)) return true;
  if (end.size() < 2 || end.front() != '-') return false;
  end.remove_prefix(1);
  return end.find_first_not_of("0123456789.") == string_view::npos;
}

/// SCons names its tests from the directory that it was started in: .sconf_temp/conftest_1.c.
bool is_in_test_directory(string_view path) {
  for (const string_view directory : test_directories)
    if (path.find(directory) != string_view::npos || path.starts_with(directory.substr(1))) return true;
  return false;
}

/// Meson asks about standards in a directory that Python makes: /tmp/tmpxg4jn4as/testfile.cpp.
bool is_of_meson(string_view path, string_view name) {
  constexpr std::size_t length = string_view("tmpxg4jn4as").size();
  const std::size_t slash = path.rfind('/');
  if (name != "testfile" || slash == string_view::npos) return false;
  const string_view place = behind(path.substr(0, slash), '/');
  return place.starts_with("tmp") && place.size() == length;
}

/// A file NAME.gch, or one in the directory NAME.gch, where GCC takes the one that fits.
bool is_precompiled_header(string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.ends_with(".gch") || (slash != string_view::npos && path.substr(0, slash).ends_with(".gch"));
}

} // namespace

bool is_compiler(string_view path) {
  string_view name = behind(path, '/');
  if (is_of_this_machine(name)) { // a triple, x86_64-linux-gnu-
    constexpr string_view system = "linux-";
    const std::size_t at = name.find(system);
    if (at == string_view::npos) return false;
    name.remove_prefix(at + system.size());
    if (name.starts_with("gnu-")) name.remove_prefix(4);
  }
  for (const string_view compiler : compilers) {
    if (!name.starts_with(compiler)) continue;
    string_view rest = name;
    rest.remove_prefix(compiler.size());
    if (is_variant(rest)) return true;
  }
  return false;
}

bool is_of_this_machine(string_view triple) { return triple.starts_with(machine); }

bool is_compiler_launcher(string_view path) { return is_in(launchers, behind(path, '/')); }

SourceKind source_kind(string_view path) {
  const string_view name = behind(path, '/');
  const string_view ending = behind(name, '.');
  if (ending.size() == name.size()) return SourceKind::none;
  if (ending == "c") return SourceKind::c;
  if (is_in(cxx_endings, ending)) return SourceKind::cxx;
  return is_in(fortran_endings, ending) ? SourceKind::fortran : SourceKind::none;
}

bool is_preprocessed(string_view path) {
  const string_view name = behind(path, '/');
  const string_view ending = behind(name, '.');
  return ending.size() != name.size() && (ending == "i" || ending == "ii");
}

bool takes_next_word(string_view option) { return is_in(separate, option); }

bool is_question(string_view option) { return is_in(questions, option) || begins_as(questions_begin, option); }

bool is_configure_test(string_view path, string_view directory) {
  string_view name = behind(path, '/');
  const std::size_t dot = name.rfind('.');
  if (dot != string_view::npos) name.remove_suffix(name.size() - dot);
  const bool of_config_guess = name == "dummy" && path.find("/cg") != string_view::npos;
  if (is_in(test_names, name) || of_config_guess || is_of_meson(path, name)) return true;
  if (path == "/dev/null" || is_in_test_directory(path)) return true;
  // A directory has no slash at its end here, as it has in the list.
  for (string_view pattern : test_directories) {
    if (directory.find(pattern) != string_view::npos) return true;
    if (pattern.ends_with('/')) pattern.remove_suffix(1);
    if (directory.ends_with(pattern)) return true;
  }
  return false;
}

CompilerRequest request_of(const char* const* words, string_view directory) {
  CompilerRequest request;
  bool sources = false, inputs = false, stops_before_link = false, shared = false;
  bool forced = false, forced_source = false, header = false; // by -x
  const char* const* word = words + 1;
  if (words[0] && is_compiler_launcher(words[0]) && *word) ++word;
  for (; *word; ++word) {
    const string_view text = *word;
    if (text.empty() || text.front() != '-' || text == "-") {
      if (text.starts_with('@')) sources = inputs = true; // whatever is in the file
      const bool source = forced ? forced_source : source_kind(text) != SourceKind::none || is_preprocessed(text);
      if (source && (text == "-" || is_configure_test(text, directory))) return {};
      sources = sources || source;
      inputs = inputs || !text.empty();
      continue;
    }
    if (is_question(text)) return {};
    if (is_in(before_link, text) || text.starts_with("-fmodule-header=")) stops_before_link = true;
    if (text == "-shared") shared = true;
    string_view value = word[1] ? string_view(word[1]) : string_view();
    const bool next = takes_next_word(text);
    if (text.starts_with("-x") && text.size() > 2) value = string_view(*word + 2);
    if (text.starts_with("-x")) {
      forced = value != "none";
      header = header || value.ends_with("-header");
      forced_source = !value.ends_with("-header") && !value.starts_with("assembler");
    }
    if (text == "-o") request.output = value;
    else if (text.starts_with("-o") && text.size() > 2) request.output = string_view(*word + 2);
    if (next && word[1]) ++word;
  }
  request.compiles = sources;
  request.links = inputs && !stops_before_link && !shared;
  request.links_library = inputs && !stops_before_link && shared;
  request.precompiles = header && !sources && is_precompiled_header(request.output);
  return request;
}

} // namespace andes
