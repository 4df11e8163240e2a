// Plans the order in which a rule looks for its events, and the conditions by which it finds them:
// equalities first, then windows, then small types. A rule that would have to try all combinations
// is refused: in a run of a million messages it would not end.
#include "monitor/rules/plan.h"

namespace andes::monitor::rules {
namespace {

using Mask = std::uint32_t; // set of variables

Mask variables_of(const Node& node) {
  Mask mask = node.op == Operator::parameter ? Mask{1} << node.variable : 0;
  for (const Node& operand : node.operands) mask |= variables_of(operand);
  return mask;
}

bool is_equality(Operator op) { return op == Operator::equal || op == Operator::same; }
bool is_below(Operator op) { return op == Operator::less || op == Operator::less_equal; }
bool is_above(Operator op) { return op == Operator::greater || op == Operator::greater_equal; }
bool within(Mask mask, Mask all) { return (mask & ~all) == 0; }

/// Keys and window by which `variable` can be found when `known` variables are chosen.
Step step_to(std::uint32_t variable, Mask known, const std::vector<Node>& conditions) {
  const Mask own = Mask{1} << variable;
  Step step{variable, {}, {}, {}, {}, {}, {}};
  struct Bound {
    const Node *key, *bound;
    bool low;
  };
  std::vector<Bound> bounds;
  for (const Node& condition : conditions) {
    const Mask mask = variables_of(condition);
    if (mask == own) step.own.push_back(condition);
    else if ((mask & own) && within(mask, known | own)) step.conditions.push_back(condition);
    else continue;
    if (condition.operands.size() != 2) continue;
    for (const bool swapped : {false, true}) {
      const Node& a = condition.operands[swapped ? 1 : 0];
      const Node& b = condition.operands[swapped ? 0 : 1];
      if (variables_of(a) != own || variables_of(b) == 0 || !within(variables_of(b), known)) continue;
      if (is_equality(condition.op)) step.keys.push_back({b, a});
      else if (is_below(condition.op) || is_above(condition.op))
        bounds.push_back({&a, &b, is_above(condition.op) != swapped});
      break;
    }
  }
  // The window's key is the first expression that is bounded on both sides, else the first one.
  for (const Bound& first : bounds) {
    std::vector<Node> low, high;
    for (const Bound& bound : bounds)
      if (*bound.key == *first.key) (bound.low ? low : high).push_back(*bound.bound);
    const bool both = !low.empty() && !high.empty();
    if (step.window && !both) continue;
    step.window = *first.key;
    step.low = std::move(low);
    step.high = std::move(high);
    if (both) break;
  }
  return step;
}

bool is_bounded(const Step& step) { return !step.low.empty() && !step.high.empty(); }

} // namespace

std::optional<std::uint32_t> plan_steps(Rule& rule, const std::vector<Node>& conditions,
                                        const std::vector<Schema>& schemas) {
  const auto count = static_cast<std::uint32_t>(rule.types.size());
  std::optional<std::uint32_t> missing;
  for (std::uint32_t first = 0; first < count; ++first) {
    std::vector<Step> steps = {step_to(first, 0, conditions)};
    Mask known = Mask{1} << first;
    while (steps.size() < count) {
      std::optional<Step> best;
      int best_worth = 0;
      for (std::uint32_t v = 0; v < count; ++v) {
        if (known & Mask{1} << v) continue;
        Step step = step_to(v, known, conditions);
        const int worth = !step.keys.empty() ? 3 : is_bounded(step) ? 2 : schemas[rule.types[v]].small ? 1 : 0;
        if (worth > best_worth) {
          best_worth = worth;
          best = std::move(step);
        }
      }
      if (!best) break;
      known |= Mask{1} << best->variable;
      steps.push_back(std::move(*best));
    }
    if (steps.size() == count) {
      // A condition without events is checked in the first step.
      for (const Node& condition : conditions)
        if (variables_of(condition) == 0) steps[0].own.push_back(condition);
      rule.steps = std::move(steps);
      return {};
    }
    if (!missing)
      for (std::uint32_t v = count; v-- > 0;)
        if (!(known & Mask{1} << v)) missing = v;
  }
  return missing;
}

} // namespace andes::monitor::rules
