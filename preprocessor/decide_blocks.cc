// The order of the reasons is that of decide.cc: the reason that is hardest to change comes first.
#include "preprocessor/decide_blocks.h"

#include <fmt/core.h>

#include "preprocessor/decide_small.h"

namespace andes::preprocessor {
namespace {

constexpr const char* not_selected = "not selected";
constexpr const char* not_compiled = "the copy with it does not compile";

/// The operations in all iterations of a loop, if it is as small as a small function.
std::optional<std::size_t> small_loop(const Block& loop, const std::vector<Decision>& decided) {
  if (loop.rounds == 0 || loop.effort.loops || loop.effort.scans || loop.effort.unseen) return std::nullopt;
  std::size_t round = loop.effort.operations;
  for (const unsigned callee : loop.effort.calls) {
    if (!decided[callee].operations) return std::nullopt;
    round += *decided[callee].operations;
  }
  const std::size_t all = round * loop.rounds;
  return all <= small_operations ? std::optional(all) : std::nullopt;
}

} // namespace

std::vector<Decision> decide_blocks(const std::vector<Block>& blocks, const std::vector<Function>& functions,
                                    const std::vector<Decision>& decided, const Selection& selection,
                                    const Options& options, Care care) {
  std::vector<Decision> decisions;
  const std::vector<bool> jumps = must_jump(functions);
  for (const Block& block : blocks) {
    const Function& function = functions[block.function];
    const bool is_loop = block.kind == Block::Kind::loop;
    if ((is_loop && options.loops == Options::Loops::none) || (is_construct(block.kind) && !options.openmp)) {
      decisions.emplace_back();
      continue;
    }
    std::vector<std::string> names = names_of(function);
    names.push_back(block.name);
    const Choice choice = choose(selection, names, block.file, function.mangled);
    std::string why_not = block.obstacle;
    if (why_not.empty() && function.obstacle != Obstacle::none)
      why_not = fmt::format("its function: {}", reason(function.obstacle));
    if (why_not.empty() && care == Care::careful) why_not = not_compiled;
    if (why_not.empty() && block.calls_last && jumps[block.function]) why_not = "tail call in a cycle of calls";
    if (why_not.empty() && is_loop && block.around && options.loops == Options::Loops::outer)
      why_not = fmt::format("inside the loop of line {}", block.around);
    if (why_not.empty() && block.same && decisions[*block.same].probe)
      why_not = fmt::format("the same as {} of line {}", blocks[*block.same].name, blocks[*block.same].line);
    if (why_not.empty() && choice == Choice::exclude) why_not = not_selected;
    if (why_not.empty() && is_loop && choice != Choice::include)
      if (const auto operations = small_loop(block, decided))
        why_not = fmt::format("small ({} iterations, {} operations in all)", block.rounds, *operations);
    decisions.push_back({why_not.empty(), why_not, std::nullopt});
  }
  return decisions;
}

Decisions decide_all(const Regions& regions, const Selection& selection, const Options& options, Care care) {
  std::vector<Decision> functions = decide(regions.functions, selection, care);
  std::vector<Decision> blocks = decide_blocks(regions.blocks, regions.functions, functions, selection, options, care);
  return {std::move(functions), std::move(blocks)};
}

std::vector<std::string> unheeded_blocks(const Regions& regions, const Decisions& decisions, const char* sentinel) {
  std::vector<std::string> lines;
  const Block* dropped = nullptr;
  for (std::size_t i = 0; i < decisions.blocks.size(); ++i) {
    const Block& block = regions.blocks[i];
    const bool is_mark = block.kind == Block::Kind::region || block.kind == Block::Kind::phase;
    if (!is_mark && decisions.blocks[i].reason == not_compiled && !dropped) dropped = &block;
    if (!is_mark || decisions.blocks[i].probe || decisions.blocks[i].reason == not_selected) continue;
    lines.push_back(fmt::format("{}:{}: {} {} \"{}\": {}", block.file, block.line, sentinel,
                                block.kind == Block::Kind::phase ? "phase" : "region", block.name,
                                decisions.blocks[i].reason));
  }
  if (dropped)
    lines.push_back(fmt::format("{}: its {} do not become regions: the copy with them does not compile", dropped->file,
                                is_construct(dropped->kind) ? "OpenMP constructs" : "loops"));
  return lines;
}

} // namespace andes::preprocessor
