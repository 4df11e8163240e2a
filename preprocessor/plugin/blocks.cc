// A block is a run of statements in one list, or one statement where there is no list. It becomes
//
//   enter placeholder;  try { statements } finally { leave placeholder }
//
// in which every way out, by EXIT, CYCLE, GOTO or RETURN, passes the end. Decision 248 says why blocks are found here.
//
// Invariants: the body of a parallel region or a task stays a BIND_EXPR, since GCC ignores any other, and the program
// would lose statements; nothing is put between a directive and its loop; blocks that are jumped into get no probe.
#include "preprocessor/plugin/blocks.h"

#include <fmt/core.h>

#include "preprocessor/directive_words.h"
#include "preprocessor/plugin/marks.h"
#include "preprocessor/plugin/placeholders.h"
#include "preprocessor/plugin/source_text.h"
#include "preprocessor/plugin/trees.h"

namespace andes::preprocessor::plugin {
namespace {

/// Statements `first` to `last` of `list`; without a list, what stands in `slot`.
struct Run {
  tree list = NULL_TREE, *slot = nullptr;
  tree first = NULL_TREE, last = NULL_TREE;
};

/// Marks of a file, and which of them have been found among the statements.
struct FileOfMarks {
  Marks marks;
  std::vector<bool> used;
};

std::map<std::string, FileOfMarks>& marks_by_file() {
  static std::map<std::string, FileOfMarks> files;
  return files;
}

FileOfMarks& marks_in(const std::string& file) {
  const auto [at, is_new] = marks_by_file().try_emplace(file);
  if (is_new) {
    at->second.marks = marks_of(lines_of_file(file));
    at->second.used.resize(at->second.marks.all.size());
  }
  return at->second;
}

class Finder {
public:
  Finder(const std::string& name, const Extent& extent, bool loops) : name_(name), extent_(extent), loops_(loops) {}

  std::vector<FoundBlock> find(tree* body, unsigned& next_id) {
    body_ = body;
    walk(body, {});
    std::ranges::for_each(files_, [&](const std::string& file) { place_marks(file); });
    judge_jumps();
    wrap_all(next_id);
    std::vector<FoundBlock> found;
    for (Candidate& one : candidates_) found.push_back(std::move(one.block));
    std::ranges::stable_sort(found, {},
                             [](const FoundBlock& one) { return std::pair(one.facts.file, one.facts.line); });
    return found;
  }

private:
  struct Candidate {
    FoundBlock block;
    Run run;
    bool inside = false; // behind its directive
  };

  /// What surrounds a statement.
  struct Around {
    const char* obstacle = nullptr;
    Place loop; // the innermost loop of the program
  };

  void walk(tree* slot, const Around& around) {
    if (!*slot) return;
    const std::vector<tree> statements = statements_in(*slot);
    const tree list = TREE_CODE(*slot) == STATEMENT_LIST ? *slot : NULL_TREE;
    std::vector<std::size_t> heads(statements.size(),
                                   0); // of a loop: one behind the first statement that belongs to it
    std::vector<bool> of_head(statements.size());
    for (std::size_t i = 0; i < statements.size(); ++i) {
      if (!loops_ || !is_do_loop(statements, i, around)) continue;
      const Place place = own_place(statements[i]);
      const Statement statement = statement_of(place);
      std::size_t first = i;
      while (first > 0 && all_in(statements[first - 1], place.file, statement)) of_head[--first] = true;
      heads[i] = first + 1;
    }
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const tree node = statements[i];
      if (const Place place = own_place(node)) {
        last_ = place;
        files_.insert(place.file);
      }
      if (of_head[i]) continue;
      if (heads[i] > 0) add_loop({list, slot, statements[heads[i] - 1], node}, around);
      else if (TREE_CODE(node) == LOOP_EXPR && is_concurrent(node)) add_concurrent(around);
      else if (is_construct_of_openmp(node) || is_atomic(node) || is_directive_call(node))
        add_construct({list, slot, node, node}, around);
      else
        for (tree* inner : slots_of(node)) walk(inner, around);
    }
  }

  // Loops.

  /// Whether statement `i` is the loop of a DO statement: the last one on the line of that, since bounds may need
  /// loops.
  static bool is_do_loop(const std::vector<tree>& statements, std::size_t i, const Around& around) {
    if (TREE_CODE(statements[i]) != LOOP_EXPR || is_concurrent(statements[i])) return false;
    const Place place = own_place(statements[i]);
    if (!place || place == around.loop) return false;
    for (std::size_t later = i + 1; later < statements.size(); ++later)
      if (TREE_CODE(statements[later]) == LOOP_EXPR && own_place(statements[later]) == place) return false;
    return do_form(statement_of(place).text) == DoForm::loop;
  }

  static Statement statement_of(const Place& place) {
    return whole_statement_at(lines_of_file(place.file), place.line);
  }

  /// The line of the loop, as users name it; 0: none.
  static unsigned line_of(const Place& loop) { return loop ? statement_of(loop).first : 0; }

  /// Whether a tree, which is no label, is of this statement as a whole.
  bool all_in(tree node, const std::string& file, const Statement& statement) const {
    const Sides sides = sides_of(node, {file, statement.first - 1, statement.last + 1}, extent_);
    return TREE_CODE(node) != LABEL_EXPR && sides.inside && !sides.outside;
  }

  /// DO CONCURRENT, and FORALL: iterations are independent.
  static bool is_concurrent(tree loop) {
    for (const tree statement : statements_in(LOOP_EXPR_BODY(loop)))
      if (TREE_CODE(statement) == COND_EXPR) return TREE_CODE(COND_EXPR_COND(statement)) == ANNOTATE_EXPR;
    return false;
  }

  void add_loop(const Run& run, const Around& around) {
    const Place place = own_place(run.last);
    const Place begin{place.file, statement_of(place).first};
    if (loops_) {
      Candidate one =
          candidate(Block::Kind::loop, fmt::format("{}::{{loop:{}}}", name_, begin.line), begin, run, around);
      one.block.facts.around = line_of(around.loop);
      one.block.facts.rounds = rounds_of(run.list, run.last);
      if (one.block.facts.rounds > 0) one.block.round = work_of(LOOP_EXPR_BODY(run.last));
      candidates_.push_back(std::move(one));
    }
    Around inside = around;
    inside.loop = place;
    walk(&LOOP_EXPR_BODY(run.last), inside);
  }

  /// The trees of DO CONCURRENT have the place of a statement in it.
  void add_concurrent(const Around& around) {
    constexpr unsigned most_lines = 8; // between them
    if (!loops_ || !last_) return;
    Place place = last_;
    while (do_form(statement_of(place).text) != DoForm::concurrent) {
      if (place.line == 1 || last_.line - place.line == most_lines) return;
      --place.line;
    }
    place.line = statement_of(place).first;
    Candidate one = candidate(Block::Kind::loop, fmt::format("{}::{{loop:{}}}", name_, place.line), place, {}, around);
    one.block.facts.around = line_of(around.loop);
    one.block.facts.obstacle = "do concurrent: its iterations may run in any order";
    candidates_.push_back(std::move(one));
  }

  // OpenMP.

  void add_construct(const Run& run, const Around& around) {
    const tree node = run.last;
    Place place = own_place(node);
    if (!place) place = first_place(node);
    if (!place) place = last_;
    Directive directive = directive_at(lines_of_file(place.file), place.line);
    if (TREE_CODE(node) == OMP_SECTION) directive = directive_above(lines_of_file(place.file), place.line);
    if (TREE_CODE(node) == OMP_SECTION && directive.words != "section") directive = {"section", place.line};
    const bool is_new = !directive.words.empty() && directives_.insert({place.file, directive.line}).second;
    if (is_new || TREE_CODE(node) == OMP_SECTION) add_directive(directive, place.file, run, around);
    if (is_directive_call(node) || is_atomic(node)) return;
    Around inside = around;
    if (is_for_devices(node)) inside.obstacle = "device code";
    else if (TREE_CODE(node) == OMP_SIMD) inside.obstacle = "inside a simd loop";
    else if (is_untied(node)) inside.obstacle = "inside an untied task";
    if (is_loop_of_openmp(node)) inside.loop = place;
    for (tree* slot : slots_of(node)) walk(slot, inside);
  }

  void add_directive(const Directive& directive, const std::string& file, const Run& run, const Around& around) {
    const std::string name = without_simd(directive.words);
    const DirectiveWord* const meaning = meaning_of(directive.words);
    const bool is_left = !meaning || meaning->obstacle;
    Candidate one = candidate(is_left ? Block::Kind::left : meaning->kind, is_left ? directive.words : name,
                              {file, directive.line}, run, around);
    if (is_left) one.block.facts.obstacle = meaning ? meaning->obstacle : "divides no work";
    else if (is_untied(run.last)) one.block.facts.obstacle = "untied: it may end on another thread";
    one.inside = !is_left && is_inside(name);
    if (one.inside) one.run = {NULL_TREE, &TREE_OPERAND(run.last, 0), NULL_TREE, NULL_TREE};
    candidates_.push_back(std::move(one));
  }

  static bool is_untied(tree node) {
    return TREE_CODE(node) == OMP_TASK && omp_find_clause(OMP_TASK_CLAUSES(node), OMP_CLAUSE_UNTIED);
  }

  // Marks.

  void place_marks(const std::string& file) {
    FileOfMarks& marks = marks_in(file);
    for (std::size_t i = 0; i < marks.marks.all.size(); ++i) {
      const MarkedLines& mark = marks.marks.all[i];
      std::vector<Run> runs;
      std::vector<const char*> obstacles;
      place_mark(body_, file, mark, nullptr, runs, obstacles);
      if (runs.empty()) continue;
      marks.used[i] = true;
      Candidate one = candidate(mark.kind, mark.name, {file, mark.begin}, runs[0], {obstacles[0], {}});
      const std::string above = directive_above(lines_of_file(file), mark.begin).words;
      if (runs.size() > 1 || !is_whole(runs[0], file, mark))
        one.block.facts.obstacle = "begins or ends inside of another statement's block; put both marks into one block";
      else if (is_of_loop(above))
        one.block.facts.obstacle = "stands between a directive and its loop; put it before the directive";
      candidates_.push_back(std::move(one));
    }
  }

  static bool is_of_loop(const std::string& words) {
    const std::string between = " " + words + " ";
    return std::ranges::any_of(
        std::initializer_list<const char*>{" do ", " simd ", " distribute ", " taskloop ", " loop "},
        [&](const char* word) { return between.find(word) != std::string::npos; });
  }

  void place_mark(tree* slot, const std::string& file, const MarkedLines& mark, const char* obstacle,
                  std::vector<Run>& runs, std::vector<const char*>& obstacles) {
    Run run{slot && *slot && TREE_CODE(*slot) == STATEMENT_LIST ? *slot : NULL_TREE, slot, NULL_TREE, NULL_TREE};
    for (const tree node : statements_in(*slot)) {
      const Sides sides = sides_of(node, {file, mark.begin, mark.end}, extent_);
      if (!sides.inside) continue;
      if (!sides.outside) {
        if (!run.first) run.first = node;
        run.last = node;
        continue;
      }
      const char* within = obstacle;
      if (TREE_CODE(node) == LOOP_EXPR && is_concurrent(node))
        within = "do concurrent: its iterations may run in any order";
      if (is_construct_of_openmp(node) && is_for_devices(node)) within = "device code";
      if (TREE_CODE(node) == OMP_SIMD) within = "inside a simd loop";
      if (is_untied(node)) within = "inside an untied task";
      for (tree* inner : slots_of(node)) place_mark(inner, file, mark, within, runs, obstacles);
    }
    if (!run.first) return;
    runs.push_back(run);
    obstacles.push_back(obstacle);
  }

  /// Whether no statement between the first and the last one of a run is outside of the mark's lines.
  bool is_whole(const Run& run, const std::string& file, const MarkedLines& mark) const {
    bool within = false;
    for (const tree node : statements_in(run.list ? run.list : *run.slot)) {
      within = within || node == run.first;
      if (within &&
          (sides_of(node, {file, mark.begin, mark.end}, extent_).outside || TREE_CODE(node) == CASE_LABEL_EXPR))
        return false;
      if (node == run.last) break;
    }
    return true;
  }

  // All of them.

  static Candidate candidate(Block::Kind kind, const std::string& name, const Place& place, const Run& run,
                             const Around& around) {
    Candidate one;
    one.block.facts.kind = kind;
    one.block.facts.name = name;
    one.block.facts.file = place.file;
    one.block.facts.line = place.line;
    if (around.obstacle) one.block.facts.obstacle = around.obstacle;
    one.run = run;
    return one;
  }

  static std::vector<tree> statements_of(const Run& run) {
    if (!run.list) return {*run.slot};
    std::vector<tree> all = statements_in(run.list);
    const auto first = std::ranges::find(all, run.first), last = std::ranges::find(all, run.last);
    return {first, last + 1};
  }

  void judge_jumps() {
    Jumps everywhere;
    add_jumps(*body_, everywhere);
    for (Candidate& one : candidates_) {
      if (!one.block.facts.obstacle.empty()) continue;
      Jumps here;
      for (const tree statement : statements_of(one.run)) add_jumps(statement, here);
      const bool from_outside = std::ranges::any_of(here.labels, [&](tree label) {
        const auto all = everywhere.to.find(label), inside = here.to.find(label);
        return all != everywhere.to.end() && (inside == here.to.end() || inside->second < all->second);
      });
      if (from_outside) one.block.facts.obstacle = "jumped into from outside";
      else if (everywhere.computed &&
               (here.computed || std::ranges::any_of(here.labels, [](tree label) { return !DECL_ARTIFICIAL(label); })))
        one.block.facts.obstacle = "a computed goto leads in or out";
    }
  }

  /// Inner blocks before those around them: constructs and loops, then marks, then what stands behind a directive.
  void wrap_all(unsigned& next_id) {
    const auto is_mark = [](const Candidate& one) {
      return one.block.facts.kind == Block::Kind::region || one.block.facts.kind == Block::Kind::phase;
    };
    std::vector<Candidate*> order;
    for (Candidate& one : candidates_)
      if (!one.inside && !is_mark(one)) order.insert(order.begin(), &one);
    for (Candidate& one : candidates_)
      if (is_mark(one)) order.push_back(&one); // in the order of their ends
    for (std::size_t i = candidates_.size(); i-- > 0;)
      if (candidates_[i].inside) order.push_back(&candidates_[i]);
    for (Candidate* one : order) {
      if (!one->block.facts.obstacle.empty() || one->block.facts.kind == Block::Kind::left) continue;
      one->block.id = next_id++;
      wrap(one->run, one->block.id);
    }
  }

  void wrap(const Run& run, unsigned id) {
    const tree enter = placeholder(Half::enter, id);
    tree body = NULL_TREE, whole = NULL_TREE;
    for (const tree statement : statements_of(run)) append_to_statement_list_force(statement, &body);
    const tree guarded = build2(TRY_FINALLY_EXPR, void_type_node, body, placeholder(Half::leave, id));
    TREE_SIDE_EFFECTS(guarded) = 1;
    if (!run.list) {
      append_to_statement_list_force(enter, &whole);
      append_to_statement_list_force(guarded, &whole);
      *run.slot = build3(BIND_EXPR, void_type_node, NULL_TREE, whole, NULL_TREE);
      TREE_SIDE_EFFECTS(*run.slot) = 1;
      return;
    }
    std::vector<tree> all = statements_in(run.list);
    const auto first = std::ranges::find(all, run.first), last = std::ranges::find(all, run.last);
    const std::vector<tree> moved(first, last + 1);
    const auto hole = all.erase(first, last + 1);
    all.insert(hole, {enter, guarded});
    for (tree_stmt_iterator i = tsi_start(run.list); !tsi_end_p(i);) tsi_delink(&i);
    tree list = run.list;
    for (const tree statement : all) append_to_statement_list_force(statement, &list);
    const tree old_list = run.list; // `run` may be among those that follow
    for (Candidate& other : candidates_) {
      if (other.run.list != old_list) continue;
      if (std::ranges::find(moved, other.run.first) != moved.end()) other.run.first = enter;
      if (std::ranges::find(moved, other.run.last) != moved.end()) other.run.last = guarded;
    }
  }

  const std::string& name_;
  const Extent extent_;
  const bool loops_;
  tree* body_ = nullptr;
  std::vector<Candidate> candidates_;
  std::set<std::pair<std::string, unsigned>> directives_; // that are candidates
  std::set<std::string> files_; // with statements of the function
  Place last_; // of the statement before
};

} // namespace

std::vector<FoundBlock> find_blocks(tree function, const std::string& name, bool loops, unsigned& next_id) {
  return Finder(name, extent_of(function), loops).find(&DECL_SAVED_TREE(function), next_id);
}

std::vector<std::string> complaints_about_marks() {
  std::vector<std::string> lines;
  for (const auto& [file, marks] : marks_by_file()) {
    for (const std::string& complaint : marks.marks.complaints) lines.push_back(fmt::format("{}:{}", file, complaint));
    const std::vector<std::string>& text = lines_of_file(file);
    const bool has_conditions =
        std::ranges::any_of(text, [](const std::string& line) { return line.starts_with("#if"); });
    if (has_conditions) continue; // the statements may be left out
    for (std::size_t i = 0; i < marks.used.size(); ++i)
      if (!marks.used[i])
        lines.push_back(fmt::format(
            "{}:{}: !$andes {} {}: no statement stands between it and its end", file, marks.marks.all[i].begin,
            marks.marks.all[i].kind == Block::Kind::phase ? "phase" : "region", marks.marks.all[i].name));
  }
  return lines;
}

} // namespace andes::preprocessor::plugin
