// A plug-in for GCC that puts the probe of probe.h into each procedure of a Fortran source, where the preprocessor
// puts it into the text of C (decision 248).
//
// One pass over all functions of the source, when each has its control flow graph and none is optimised yet: so all
// procedures are known when it is decided which get a probe.
#include "preprocessor/plugin/gcc.h"

#include <cstdlib>

#include "monitor/interface/probe.h"
#include "preprocessor/plugin/insert.h"
#include "preprocessor/plugin/names.h"
#include "preprocessor/plugin/purity.h"
#include "preprocessor/plugin/request.h"

int plugin_is_GPL_compatible;

namespace andes::preprocessor::plugin {
namespace {

Request read_request() {
  const char* const path = std::getenv(request_variable);
  std::ifstream file(path ? path : "");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return request_of(text);
}

/// The lines of a source, each file read once.
const std::vector<std::string>& lines_of_file(const std::string& path) {
  static std::map<std::string, std::vector<std::string>> files;
  const auto [at, is_new] = files.try_emplace(path);
  if (is_new) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) at->second.push_back(line);
  }
  return at->second;
}

/// Why a procedure can have no probe; empty: it can.
const char* obstacle_of(tree function, const expanded_location& place) {
  const tree attributes = DECL_ATTRIBUTES(function);
  if (lookup_attribute("omp declare target", attributes) || lookup_attribute("omp target entrypoint", attributes))
    return "device code";
  if (lookup_attribute("omp declare simd", attributes)) return "declare simd";
  if (is_declared_pure(lines_of_file(place.file), unsigned(place.line), IDENTIFIER_POINTER(DECL_NAME(function))))
    return "pure or elemental";
  return "";
}

/// Where the user finds a procedure. A main program without a PROGRAM statement begins where the compiler met its first
/// name, which may be in a file that it includes: it is found by its first statement.
expanded_location place_of(tree function) {
  expanded_location place = expand_location(DECL_SOURCE_LOCATION(function));
  if (std::string_view(IDENTIFIER_POINTER(DECL_NAME(function))) != "MAIN__") return place;
  int first = INT_MAX;
  basic_block block;
  FOR_EACH_BB_FN(block, DECL_STRUCT_FUNCTION(function)) {
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
      const expanded_location at = expand_location(gimple_location(gsi_stmt(i)));
      if (at.file && at.line > 0 && std::string_view(at.file) == main_input_filename) first = std::min(first, at.line);
    }
  }
  if (first == INT_MAX) return place;
  place.file = main_input_filename;
  place.line = first;
  return place;
}

bool gets_probe(tree function, const Request& request) {
  const expanded_location place = expand_location(DECL_SOURCE_LOCATION(function));
  if (!is_users(function) || !place.file || *obstacle_of(function, place)) return false;
  const std::string mangled = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
  const auto excluded = [&](const char* file) {
    return choose(request.selection, {name_of(function)}, file, {mangled}) == Choice::exclude;
  };
  return !excluded(main_input_filename) && !excluded(place.file);
}

/// Debug information repeats the compiler's arguments: without the plug-in, as those of the plain command.
void hide_argument() {
  for (unsigned i = 0; i < save_decoded_options_count; ++i)
    if (save_decoded_options[i].opt_index == OPT_fplugin_) save_decoded_options[i].opt_index = OPT_SPECIAL_ignore;
}

const pass_data description = {SIMPLE_IPA_PASS, "andes", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class ProbePass : public simple_ipa_opt_pass {
public:
  explicit ProbePass(gcc::context* context) : simple_ipa_opt_pass(description, context) {}

  unsigned int execute(function*) override {
    if (!can_insert()) {
      error("probes need x86-64 and assembler in the form of AT&T"); // andes compiles the source without
      return 0;
    }
    const Request request = read_request();
    std::vector<tree> chosen;
    cgraph_node* node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
      const function* const body = DECL_STRUCT_FUNCTION(node->decl);
      if (body && body->cfg && gets_probe(node->decl, request)) chosen.push_back(node->decl);
    }
    for (const tree decl : chosen) {
      const expanded_location place = place_of(decl);
      push_cfun(DECL_STRUCT_FUNCTION(decl));
      insert_probe({name_of(decl), place.file, unsigned(place.line), ANDES_KIND_FUNCTION});
      cgraph_edge::rebuild_edges();
      pop_cfun();
    }
    if (!chosen.empty()) add_support();
    return 0;
  }
};

} // namespace
} // namespace andes::preprocessor::plugin

int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
  using namespace andes::preprocessor::plugin;
  if (!plugin_default_version_check(version, &gcc_version)) return 1;
  if (std::string_view(lang_hooks.name).find("Fortran") == std::string_view::npos) return 0;
  hide_argument();
  register_pass_info pass = {new ProbePass(g), "*free_lang_data", 1, PASS_POS_INSERT_BEFORE};
  register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
  return 0;
}
