// A plug-in for GCC that puts the probe of probe.h into each procedure of a Fortran source, and into parts of it, where
// the preprocessor puts it into the text of C (decision 248).
//
// Procedures are looked at one by one when the front end has made its trees of them (procedures.h). One pass over all
// functions of the source, when each has its control flow graph and none is optimised yet, decides and inserts: so all
// procedures are known when it is decided which get a probe.
#include "preprocessor/plugin/gcc.h"

#include <cstdlib>

#include "monitor/interface/probe.h"
#include "preprocessor/decide_blocks.h"
#include "preprocessor/left_out.h"
#include "preprocessor/plugin/insert.h"
#include "preprocessor/plugin/procedures.h"
#include "preprocessor/plugin/report.h"
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

/// The user's rules. What is out is out with all that its source includes.
Selection selection_for_source(Selection selection) {
  if (choose(selection, std::vector<std::string>(), main_input_filename) == Choice::exclude)
    selection.rules.push_back({false, true, "*"});
  return selection;
}

unsigned kind_of(Block::Kind kind) {
  switch (kind) {
  case Block::Kind::loop: return ANDES_KIND_LOOP;
  case Block::Kind::phase: return ANDES_KIND_PHASE;
  case Block::Kind::parallel: return ANDES_KIND_PARALLEL;
  case Block::Kind::workshare: return ANDES_KIND_WORKSHARE;
  case Block::Kind::task: return ANDES_KIND_TASK;
  case Block::Kind::critical: return ANDES_KIND_CRITICAL;
  case Block::Kind::region:
  case Block::Kind::wait:
  case Block::Kind::left: break;
  }
  return ANDES_KIND_BLOCK;
}

/// Puts the probes of blocks in the place of their placeholders, wherever OpenMP has brought them.
void insert_blocks(const Source& source, const Decisions& decisions) {
  std::map<unsigned, SiteFacts> sites;
  for (std::size_t i = 0; i < source.placeholders.size(); ++i) {
    const Block& block = source.regions.blocks[i];
    if (source.placeholders[i] > 0 && decisions.blocks[i].probe)
      sites[source.placeholders[i]] = {block.name, block.file, block.line, kind_of(block.kind)};
  }
  cgraph_node* node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
    function* const body = DECL_STRUCT_FUNCTION(node->decl);
    if (!body || !body->cfg) continue;
    push_cfun(body);
    if (replace_placeholders(sites)) cgraph_edge::rebuild_edges();
    pop_cfun();
  }
}

void insert_functions(const Source& source, const Decisions& decisions) {
  for (std::size_t i = 0; i < source.functions.size(); ++i) {
    if (!decisions.functions[i].probe) continue;
    const Function& facts = source.regions.functions[i];
    push_cfun(DECL_STRUCT_FUNCTION(source.functions[i]));
    insert_probe({facts.name, facts.file, facts.line, ANDES_KIND_FUNCTION});
    cgraph_edge::rebuild_edges();
    pop_cfun();
  }
}

/// Debug information repeats the compiler's arguments: without the plug-in, as those of the plain command.
void hide_argument() {
  for (unsigned i = 0; i < save_decoded_options_count; ++i)
    if (save_decoded_options[i].opt_index == OPT_fplugin_) save_decoded_options[i].opt_index = OPT_SPECIAL_ignore;
}

const pass_data description = {SIMPLE_IPA_PASS, "andes", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

class ProbePass : public simple_ipa_opt_pass {
public:
  ProbePass(gcc::context* context, const Request& request)
      : simple_ipa_opt_pass(description, context), request_(request) {}

  unsigned int execute(function*) override {
    if (!can_insert()) {
      error("%s", refusal); // andes compiles the source without
      return 0;
    }
    const Source source = collected_source();
    Options options;
    options.loops = request_.loops;
    options.openmp = request_.openmp;
    const Decisions decisions = decide_all(source.regions, selection_for_source(request_.selection), options);
    insert_blocks(source, decisions);
    insert_functions(source, decisions);
    const auto has_probe = [](const Decision& decision) { return decision.probe; };
    if (std::ranges::any_of(decisions.functions, has_probe) || std::ranges::any_of(decisions.blocks, has_probe))
      add_support();
    for (const std::string& note : left_out_statements(source.regions.functions, decisions.functions))
      symtab->finalize_toplevel_asm(build_string(note.size(), note.c_str()));
    answer(source.regions, main_input_filename, decisions, request_.explain);
    return 0;
  }

private:
  const Request request_;
};

} // namespace
} // namespace andes::preprocessor::plugin

int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
  using namespace andes::preprocessor::plugin;
  if (!plugin_default_version_check(version, &gcc_version)) return 1;
  if (std::string_view(lang_hooks.name).find("Fortran") == std::string_view::npos) return 0;
  hide_argument();
  const Request request = read_request();
  watch_procedures(request);
  register_pass_info pass = {new ProbePass(g, request), "*free_lang_data", 1, PASS_POS_INSERT_BEFORE};
  register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
  return 0;
}
