#include "preprocessor/plugin/insert.h"

#include "monitor/interface/probe.h"
#include "preprocessor/plugin/placeholders.h"
#include "preprocessor/plugin/statements.h"
#include "slow_text.h"

namespace andes::preprocessor::plugin {
namespace {

Here way_to_view() { return (flag_pic && !flag_pie) || flag_lto ? Here::operand : Here::by_offset; }

/// A string of the program, as a pointer to its first character.
tree string_address(const std::string& text) { return build_string_literal(text.size() + 1, text.c_str()); }

/// struct andes_site, as far as a static one must be laid out.
tree site_type() {
  static tree type;
  if (type) return type;
  type = make_node(RECORD_TYPE);
  tree fields = NULL_TREE;
  const tree pointer = build_pointer_type(build_qualified_type(char_type_node, TYPE_QUAL_CONST));
  const std::pair<const char*, tree> members[] = {{"version", uint32_type_node},
                                                  {"region", uint32_type_node},
                                                  {"kind", uint32_type_node},
                                                  {"line", uint32_type_node},
                                                  {"file", pointer},
                                                  {"name", pointer}};
  for (const auto& [name, member] : members) {
    const tree field = build_decl(BUILTINS_LOCATION, FIELD_DECL, get_identifier(name), member);
    DECL_CONTEXT(field) = type;
    DECL_CHAIN(field) = fields;
    fields = field;
  }
  TYPE_FIELDS(type) = fields;
  TYPE_ARTIFICIAL(type) = 1;
  layout_type(type);
  return type;
}
static_assert(sizeof(andes_site) == 32 && offsetof(andes_site, region) == 24);

tree field_named(const char* name) {
  tree field = TYPE_FIELDS(site_type());
  while (DECL_NAME(field) != get_identifier(name)) field = DECL_CHAIN(field);
  return field;
}

/// A variable of andes in the object, which debug information does not have.
tree variable(const char* name, tree type) {
  const tree decl = build_decl(BUILTINS_LOCATION, VAR_DECL, get_identifier(name), type);
  DECL_ARTIFICIAL(decl) = 1;
  DECL_IGNORED_P(decl) = 1;
  TREE_USED(decl) = 1;
  TREE_ADDRESSABLE(decl) = 1;
  return decl;
}

tree make_site(const SiteFacts& facts) {
  const tree decl = variable("andes_site", site_type());
  DECL_NAME(decl) = create_tmp_var_name("andes_site");
  TREE_STATIC(decl) = 1;
  vec<constructor_elt, va_gc>* values = nullptr;
  const auto number = [](unsigned value) { return build_int_cst(uint32_type_node, value); };
  CONSTRUCTOR_APPEND_ELT(values, field_named("name"), string_address(facts.name));
  CONSTRUCTOR_APPEND_ELT(values, field_named("file"), string_address(facts.file));
  CONSTRUCTOR_APPEND_ELT(values, field_named("line"), number(facts.line));
  CONSTRUCTOR_APPEND_ELT(values, field_named("kind"), number(facts.kind));
  CONSTRUCTOR_APPEND_ELT(values, field_named("region"), number(ANDES_REGION_UNKNOWN));
  CONSTRUCTOR_APPEND_ELT(values, field_named("version"), number(ANDES_PROBE_VERSION));
  DECL_INITIAL(decl) = build_constructor(site_type(), values);
  TREE_CONSTANT(DECL_INITIAL(decl)) = TREE_STATIC(DECL_INITIAL(decl)) = 1;
  varpool_node::finalize_decl(decl);
  varpool_node::get(decl)->analyze();
  return decl;
}

/// Bytes of andes_here, which the assembler text defines, from `offset` on.
tree view_member(std::size_t offset, tree type) {
  static tree view;
  if (!view) {
    view = variable("andes_here", build_array_type_nelts(char_type_node, sizeof(andes_view)));
    DECL_EXTERNAL(view) = 1;
    TREE_PUBLIC(view) = 1;
    DECL_VISIBILITY(view) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(view) = 1;
    set_decl_tls_model(view, TLS_MODEL_INITIAL_EXEC);
    varpool_node::get_create(view);
  }
  return build2(MEM_REF, type, build_fold_addr_expr(view), build_int_cst(ptr_type_node, offset));
}

/// Operands of a statement, or what it clobbers.
struct Operands {
  vec<tree, va_gc>* all = nullptr;
  void add(const char* constraint, tree value) {
    vec_safe_push(all,
                  build_tree_list(build_tree_list(NULL_TREE, build_string(strlen(constraint), constraint)), value));
  }
  void add_clobber(const char* name) {
    vec_safe_push(all, build_tree_list(NULL_TREE, build_string(strlen(name), name)));
  }
};

// Registers that are not kept, as ANDES_NOT_KEPT.
void add_not_kept(Operands& clobbers) {
  static const char* const names[] = {"xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",
                                      "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31",
                                      "k1",    "k2",    "k3",    "k4",    "k5",    "k6",    "k7"};
  if (TARGET_AVX512F)
    for (const char* name : names) clobbers.add_clobber(name);
}

gasm* statement(const std::string& text, const Operands& outputs, const Operands& inputs, Operands clobbers,
                location_t place) {
  clobbers.add_clobber("memory");
  clobbers.add_clobber("cc");
  add_not_kept(clobbers);
  gasm* made = gimple_build_asm_vec(text.c_str(), inputs.all, outputs.all, clobbers.all, nullptr);
  gimple_asm_set_volatile(made, true);
  gimple_asm_set_inline(made, true);
  gimple_set_location(made, place);
  return made;
}

tree memory_at(tree base, int offset) {
  return build2(MEM_REF, long_unsigned_type_node, base, build_int_cst(ptr_type_node, offset));
}

/// __builtin_dwarf_cfa, which the Fortran front end does not declare.
tree frame_address_builtin() {
  if (!builtin_decl_explicit(BUILT_IN_DWARF_CFA)) {
    const tree decl = build_fn_decl("__builtin_dwarf_cfa", build_function_type_list(ptr_type_node, NULL_TREE));
    set_decl_built_in_function(decl, BUILT_IN_NORMAL, BUILT_IN_DWARF_CFA);
    TREE_NOTHROW(decl) = 1;
    set_builtin_decl(BUILT_IN_DWARF_CFA, decl, true);
  }
  return builtin_decl_explicit(BUILT_IN_DWARF_CFA);
}

/// Leaves the address of the function's frame in a variable, which is returned.
tree find_frame(gimple_seq& statements, location_t place) {
  const tree base = create_tmp_var(build_pointer_type(long_unsigned_type_node));
  gcall* const cfa = gimple_build_call(frame_address_builtin(), 0);
  gimple_call_set_lhs(cfa, base);
  gimple_set_location(cfa, place);
  gimple_seq_add_stmt(&statements, cfa);
  return base;
}

/// The statements that enter the region of `site`, and leave the frame in `frame`.
gimple_seq entry(tree site, tree frame, location_t place) {
  gimple_seq statements = nullptr;
  const tree base = find_frame(statements, place), here = create_tmp_var(long_unsigned_type_node);
  Operands outputs, inputs, clobbers;
  outputs.add("=&r", frame);
  outputs.add("=&r", here);
  inputs.add("m", build3(COMPONENT_REF, uint32_type_node, site, field_named("region"), NULL_TREE));
  inputs.add("m", memory_at(base, -8));
  if (way_to_view() == Here::operand) {
    inputs.add("m", view_member(offsetof(andes_view, regions), uint32_type_node));
    inputs.add("m", view_member(offsetof(andes_view, location), ptr_type_node));
  }
  for (const char* name : {"rax", "rdx", "r10", "r11"}) clobbers.add_clobber(name);
  gimple_seq_add_stmt(&statements, statement(enter_text(way_to_view()), outputs, inputs, clobbers, place));
  return statements;
}

/// The same for a step of a phase, by a call: andes_enter_phase of probe.h.
gimple_seq entry_of_phase(tree site, tree frame, location_t place) {
  static const char* const name = "andes_text_enter_phase_slow";
  gimple_seq statements = nullptr;
  const tree type = build_function_type_list(long_unsigned_type_node, ptr_type_node, ptr_type_node, ptr_type_node,
                                             long_unsigned_type_node, NULL_TREE);
  const tree decl = build_fn_decl(name, type);
  DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED(decl) = 1;
  const tree base = find_frame(statements, place), caller = create_tmp_var(long_unsigned_type_node);
  gimple_seq_add_stmt(&statements, gimple_build_assign(caller, memory_at(base, -8)));
  gcall* const call =
      gimple_build_call(decl, 4, build_fold_addr_expr(site), build_int_cst(ptr_type_node, 0), base, caller);
  gimple_call_set_lhs(call, frame);
  gimple_call_set_nothrow(call, true);
  gimple_seq_add_stmt(&statements, call);
  for (gimple_stmt_iterator i = gsi_start(statements); !gsi_end_p(i); gsi_next(&i))
    gimple_set_location(gsi_stmt(i), place);
  return statements;
}

gasm* exit_statement(tree frame, location_t place) {
  Operands outputs, inputs, clobbers;
  outputs.add("=&r", create_tmp_var(long_unsigned_type_node));
  inputs.add("r", frame);
  if (way_to_view() == Here::operand) inputs.add("m", view_member(offsetof(andes_view, location), ptr_type_node));
  for (const char* name : {"rax", "rdx", "r11"}) clobbers.add_clobber(name);
  return statement(leave_text(way_to_view()), outputs, inputs, clobbers, place);
}

/// Puts in front of `before` what leaves the visit if it is measured.
void insert_exit(gimple* before, tree frame, location_t place) {
  gimple_stmt_iterator at = gsi_for_stmt(before);
  const tree is_measured = create_tmp_var(boolean_type_node), number = create_tmp_var(long_integer_type_node),
             expected = create_tmp_var(long_integer_type_node);
  gimple_seq test = nullptr;
  gimple_seq_add_stmt(&test, gimple_build_assign(is_measured, NE_EXPR, frame, build_int_cst(TREE_TYPE(frame), 0)));
  gimple_seq_add_stmt(&test, gimple_build_assign(number, NOP_EXPR, is_measured));
  gcall* const expect =
      gimple_build_call(builtin_decl_explicit(BUILT_IN_EXPECT), 2, number, build_int_cst(long_integer_type_node, 0));
  gimple_call_set_lhs(expect, expected);
  gimple_seq_add_stmt(&test, expect);
  for (gimple_stmt_iterator i = gsi_start(test); !gsi_end_p(i); gsi_next(&i)) gimple_set_location(gsi_stmt(i), place);
  gsi_insert_seq_before(&at, test, GSI_SAME_STMT);
  gcond* const condition =
      gimple_build_cond(NE_EXPR, expected, build_int_cst(long_integer_type_node, 0), NULL_TREE, NULL_TREE);
  gimple_set_location(condition, place);
  const basic_block measured =
      insert_cond_bb(gimple_bb(before), expect, condition, profile_probability::uninitialized());
  gimple_stmt_iterator end = gsi_last_bb(measured);
  gsi_insert_after(&end, exit_statement(frame, place), GSI_NEW_STMT);
}

} // namespace

bool can_insert() { return TARGET_64BIT && !TARGET_X32 && ix86_asm_dialect == ASM_ATT; }

void insert_probe(const SiteFacts& facts) {
  const tree frame = create_tmp_var(long_unsigned_type_node, "andes_frame");
  DECL_IGNORED_P(frame) = 1;
  std::vector<gimple*> returns;
  edge way;
  edge_iterator i;
  FOR_EACH_EDGE(way, i, EXIT_BLOCK_PTR_FOR_FN(cfun)->preds) {
    gimple* const last = last_stmt(way->src);
    if (last && gimple_code(last) == GIMPLE_RETURN) returns.push_back(last);
  }
  for (gimple* const last : returns) insert_exit(last, frame, cfun->function_end_locus);
  gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)),
                                   entry(make_site(facts), frame, DECL_SOURCE_LOCATION(current_function_decl)));
}

bool replace_placeholders(const std::map<unsigned, SiteFacts>& sites) {
  static std::map<unsigned, tree> made; // a block may have come into several functions
  std::vector<std::pair<gimple*, FoundHalf>> found;
  basic_block block;
  FOR_EACH_BB_FN(block, cfun) {
    for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
      if (const std::optional<FoundHalf> half = is_placeholder(gsi_stmt(i))) found.emplace_back(gsi_stmt(i), *half);
  }
  std::map<unsigned, tree> frames;
  for (const auto& [statement, half] : found) {
    const auto facts = sites.find(half.id);
    const location_t place = gimple_location(statement);
    if (facts != sites.end()) {
      tree& frame = frames[half.id];
      if (!frame) {
        frame = create_tmp_var(long_unsigned_type_node, "andes_frame");
        DECL_IGNORED_P(frame) = 1;
      }
      if (half.half == Half::enter) {
        tree& site = made[half.id];
        if (!site) site = make_site(facts->second);
        gimple_stmt_iterator at = gsi_for_stmt(statement);
        const bool is_phase = facts->second.kind == ANDES_KIND_PHASE;
        gsi_insert_seq_before(&at, (is_phase ? entry_of_phase : entry)(site, frame, place), GSI_SAME_STMT);
      } else {
        insert_exit(statement, frame, place);
      }
    }
    gimple_stmt_iterator at = gsi_for_stmt(statement);
    gsi_remove(&at, true);
  }
  return !found.empty();
}

void add_support() { symtab->finalize_toplevel_asm(build_string(sizeof slow_text - 1, slow_text)); }

} // namespace andes::preprocessor::plugin
