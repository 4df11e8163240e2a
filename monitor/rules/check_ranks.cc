// Refuses conditions that can hold for no two events that one rank sees: each rank evaluates the rules over its own
// events, so that a join of the events of two ranks would never find anything.
#include "monitor/rules/check_expression.h"

namespace andes::monitor::rules {
namespace {

/// A parameter of an event that the monitor fills, as far as it is known whose rank it holds.
struct RankParameter {
  std::uint32_t variable;
  RankOf rank;
};

RankParameter rank_parameter(const Checker& checker, const Expression& e) {
  const RankParameter none{0, RankOf::any};
  if (e.op != Operator::parameter) return none;
  const auto variable = index_of(checker.text->variables, e.text);
  if (!variable) return none;
  const std::uint32_t type = checker.rule.types[*variable];
  const Schema& schema = checker.program.schemas[type];
  if (type >= checker.registered || schema.filled == Filled::rules || checker.plan.composed[type]) return none;
  const auto parameter = index_of(schema.parameters, e.parameter);
  return parameter ? RankParameter{*variable, schema.parameters[*parameter].rank} : none;
}

constexpr const char* remedy = "; take a type of event that has both sides, such as point_to_point_operation_group";

} // namespace

void check_ranks(Checker& checker, const Expression& where) {
  if (where.op == Operator::logical_and) {
    for (const Expression& part : where.operands) check_ranks(checker, part);
    return;
  }
  if (where.operands.size() != 2) return;
  const Expression &left = where.operands[0], &right = where.operands[1];
  const RankParameter a = rank_parameter(checker, left), b = rank_parameter(checker, right);
  if (a.variable == b.variable || a.rank == RankOf::any || b.rank == RankOf::any) return;
  const bool differ = where.op == Operator::unequal || where.op == Operator::less || where.op == Operator::greater;
  if (differ && a.rank == RankOf::own && b.rank == RankOf::own)
    checker.error(where.offset, shown(left) + " and " + shown(right) +
                                    " are one rank: each rank looks at its own events alone" + remedy);
  if (where.op == Operator::equal && a.rank != b.rank)
    checker.error(where.offset,
                  "this holds for what a rank sends to itself alone: each rank looks at its own events, " +
                      shown(a.rank == RankOf::own ? left : right) + " is that rank" + remedy);
}

} // namespace andes::monitor::rules
