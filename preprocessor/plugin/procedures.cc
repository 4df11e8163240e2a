#include "preprocessor/plugin/procedures.h"

#include "preprocessor/plugin/blocks.h"
#include "preprocessor/plugin/names.h"
#include "preprocessor/plugin/purity.h"
#include "preprocessor/plugin/source_text.h"
#include "preprocessor/plugin/type_tables.h"
#include "preprocessor/plugin/work.h"

namespace andes::preprocessor::plugin {
namespace {

struct Procedure {
  tree decl = NULL_TREE; // kept by the call graph
  Work work;
  std::vector<FoundBlock> blocks;
};

std::vector<Procedure> procedures;
Request wishes;
int (*next_hook)(tree*, gimple_seq*, gimple_seq*) = nullptr;

void look_at(tree function) {
  static unsigned next_id = 1;
  Procedure procedure;
  procedure.decl = function;
  procedure.work = work_of(DECL_SAVED_TREE(function));
  procedure.blocks = find_blocks(function, name_of(function), wishes.loops != Options::Loops::none, next_id);
  procedures.push_back(std::move(procedure));
}

/// The compiler asks this of each tree that it makes intermediate code of: first of a function's body as a whole.
int on_tree(tree* node, gimple_seq* before, gimple_seq* behind) {
  const tree function = current_function_decl;
  if (function && node == &DECL_SAVED_TREE(function) && !DECL_ARTIFICIAL(function) &&
      (procedures.empty() || procedures.back().decl != function))
    look_at(function);
  return next_hook(node, before, behind);
}

/// Why a procedure can have no probe.
Obstacle obstacle_of(tree function, const expanded_location& place) {
  const tree attributes = DECL_ATTRIBUTES(function);
  if (lookup_attribute("omp declare target", attributes) || lookup_attribute("omp target entrypoint", attributes))
    return Obstacle::device;
  if (lookup_attribute("omp declare simd", attributes)) return Obstacle::declare_simd;
  if (is_declared_pure(lines_of_file(place.file), unsigned(place.line), IDENTIFIER_POINTER(DECL_NAME(function))))
    return Obstacle::pure;
  return Obstacle::none;
}

bool is_unnamed(tree function) { return std::string_view(IDENTIFIER_POINTER(DECL_NAME(function))) == "MAIN__"; }

/// Where the user finds a procedure. A main program without a PROGRAM statement begins where the compiler met its first
/// name, which may be in a file that it includes: it is found by its first statement.
expanded_location place_of(tree function) {
  expanded_location place = expand_location(DECL_SOURCE_LOCATION(function));
  if (!is_unnamed(function)) return place;
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

Function function_of(const Procedure& procedure) {
  const tree decl = procedure.decl;
  const expanded_location declared = expand_location(DECL_SOURCE_LOCATION(decl)), place = place_of(decl);
  Function function;
  function.name = name_of(decl);
  function.symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
  function.mangled = {function.symbol};
  function.file = place.file;
  function.line = unsigned(place.line);
  function.in = function.file == main_input_filename ? 0 : 1;
  function.obstacle = obstacle_of(decl, declared);
  function.effort = procedure.work.effort;
  function.expected = procedure.work.expected;
  function.effort.likely = function.expected.operations;
  function.is_external = TREE_PUBLIC(decl);
  function.is_main = function.symbol == "MAIN__";
  function.effort.local = !TREE_PUBLIC(decl) && !cgraph_node::get(decl)->address_taken && !TREE_ADDRESSABLE(decl);
  return function;
}

using Indices = std::map<std::string, unsigned>;

/// The calls with their procedures. A call through the table of a type is one of the only procedure that the source has
/// for the binding, if the type itself has it: other sources may extend the type, but mostly they do not
/// (docs/decisions/0327). Else it may lead anywhere, most likely to what the type itself has.
struct Called {
  std::vector<Work::Call> certain, likely;
};

Called called(const std::vector<Work::Call>& calls, const TypeTables& tables, const Indices& indices) {
  Called all;
  for (Work::Call call : calls) {
    if (call.by_table.table.empty()) {
      all.certain.push_back(call);
      continue;
    }
    const std::set<std::string> possible = tables.procedures(call.by_table);
    const std::string own = tables.own_procedure(call.by_table);
    call.linked = possible.size() == 1 ? *possible.begin() : own;
    (possible.size() == 1 && !own.empty() && indices.contains(own) ? all.certain : all.likely).push_back(call);
  }
  return all;
}

/// Puts calls into the effort of a function, or of a part of it.
void add_calls(Effort& effort, const Called& calls, const Indices& indices) {
  for (const Work::Call& call : calls.certain) {
    const auto callee = indices.find(call.linked);
    if (callee == indices.end()) {
      effort.unseen = true;
      continue;
    }
    effort.places.push_back(callee->second);
    effort.calls.insert(effort.calls.end(), call.counted, callee->second);
    effort.steps.push_back({Step::Kind::call, callee->second});
  }
  effort.unseen |= !calls.likely.empty();
  effort.obscure = effort.unseen;
  if (effort.obscure) effort.steps.push_back({Step::Kind::unknown_call});
}

void add_expected(Function& function, const Called& calls, const Indices& indices) {
  function.expected.unknown |= !calls.likely.empty();
  for (const Work::Call& call : calls.likely)
    if (const auto callee = indices.find(call.linked); callee != indices.end())
      function.expected.calls.push_back({callee->second, call.times});
  for (const Work::Call& call : calls.certain) {
    const auto callee = indices.find(call.linked);
    if (callee == indices.end()) {
      function.expected.far_calls.push_back({call.linked, call.times});
      continue;
    }
    function.calls.push_back(callee->second);
    function.expected.calls.push_back({callee->second, call.times});
  }
}

} // namespace

void watch_procedures(const Request& request) {
  wishes = request;
  next_hook = lang_hooks.gimplify_expr;
  lang_hooks.gimplify_expr = on_tree;
}

Source collected_source() {
  std::set<tree> with_body;
  cgraph_node* node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
    const function* const body = DECL_STRUCT_FUNCTION(node->decl);
    if (body && body->cfg) with_body.insert(node->decl);
  }
  std::vector<std::pair<Function, const Procedure*>> all;
  for (const Procedure& procedure : procedures)
    if (with_body.count(procedure.decl) && is_users(procedure.decl) &&
        expand_location(DECL_SOURCE_LOCATION(procedure.decl)).file)
      all.emplace_back(function_of(procedure), &procedure);
  std::ranges::stable_sort(all, {}, [](const auto& one) { return std::pair(one.first.file, one.first.line); });
  Source source;
  Indices indices;
  const TypeTables tables;
  for (const auto& [facts, procedure] : all) {
    indices[facts.symbol] = unsigned(source.functions.size());
    source.functions.push_back(procedure->decl);
    source.regions.functions.push_back(facts);
  }
  for (unsigned i = 0; i < all.size(); ++i) {
    Function& facts = source.regions.functions[i];
    const Called calls = called(all[i].second->work.calls, tables, indices);
    add_calls(facts.effort, calls, indices);
    add_expected(facts, calls, indices);
    for (const FoundBlock& found : all[i].second->blocks) {
      source.regions.blocks.push_back(found.facts);
      Block& block = source.regions.blocks.back();
      block.function = i;
      block.in = block.file == main_input_filename ? 0 : 1;
      block.effort = found.round.effort;
      add_calls(block.effort, called(found.round.calls, tables, indices), indices);
      source.placeholders.push_back(found.id);
    }
  }
  source.regions.complaints = complaints_about_marks();
  return source;
}

} // namespace andes::preprocessor::plugin
