#include "monitor/rules/expression.h"

#include <algorithm>

namespace andes::monitor::rules {
namespace {

template <class T> T* take(Stack<T>& stack) {
  if (stack.used == stack.arrays.size()) stack.arrays.emplace_back();
  return stack.arrays[stack.used++].data();
}

const double* array_of(const Values& values, double) { return values.reals; }
const std::int64_t* array_of(const Values& values, std::int64_t) { return values.integers; }

Values parameter(Evaluator& evaluator, const Node& node, const Batch& batch) {
  const Column& column = evaluator.tables.tables[evaluator.rule.types[node.variable]].columns[node.column];
  const auto gathered = [&](const auto& all, auto* result) {
    const auto& rows = batch.rows[node.variable];
    for (std::size_t i = 0; i < batch.count; ++i) result[i] = all[rows[i]];
    return result;
  };
  if (node.type == ValueType::real)
    return {nullptr, batch.dense ? column.reals.data() + batch.first : gathered(column.reals, take(evaluator.reals))};
  return {batch.dense ? column.integers.data() + batch.first : gathered(column.integers, take(evaluator.integers)),
          nullptr};
}

template <class T, class Function>
void combine(T* result, const T* other, std::size_t count, Function function) {
  for (std::size_t i = 0; i < count; ++i) result[i] = function(result[i], other[i]);
}

/// result = result op other. Whole numbers wrap around.
template <class T> void combine(Operator op, T* result, const T* other, std::size_t count) {
  using Unsigned = std::conditional_t<std::is_same_v<T, double>, double, std::uint64_t>;
  const auto u = [](T x) { return static_cast<Unsigned>(x); };
  const auto t = [](Unsigned x) { return static_cast<T>(x); };
  switch (op) {
  case Operator::add: return combine(result, other, count, [&](T a, T b) { return t(u(a) + u(b)); });
  case Operator::subtract: return combine(result, other, count, [&](T a, T b) { return t(u(a) - u(b)); });
  case Operator::multiply: return combine(result, other, count, [&](T a, T b) { return t(u(a) * u(b)); });
  case Operator::minimum: return combine(result, other, count, [](T a, T b) { return std::min(a, b); });
  case Operator::maximum: return combine(result, other, count, [](T a, T b) { return std::max(a, b); });
  default: return;
  }
}

template <class T>
const T* arithmetic(Evaluator& evaluator, Stack<T>& stack, const Node& node, const Batch& batch) {
  T* result = take(stack);
  const std::size_t integers = evaluator.integers.used, reals = evaluator.reals.used;
  const T* first = array_of(values_of(evaluator, node.operands[0], batch), T{});
  if (node.op == Operator::negate)
    for (std::size_t i = 0; i < batch.count; ++i)
      if constexpr (std::is_same_v<T, double>) result[i] = -first[i];
      else result[i] = static_cast<T>(0 - static_cast<std::uint64_t>(first[i]));
  else std::copy_n(first, batch.count, result);
  for (std::size_t k = 1; k < node.operands.size(); ++k) {
    const T* other = array_of(values_of(evaluator, node.operands[k], batch), T{});
    if constexpr (std::is_same_v<T, double>)
      if (node.op == Operator::divide) combine(result, other, batch.count, [](double a, double b) { return a / b; });
    combine(node.op, result, other, batch.count);
    evaluator.integers.used = integers;
    evaluator.reals.used = reals;
  }
  evaluator.integers.used = integers;
  evaluator.reals.used = reals;
  return result;
}

/// Numbers of the texts of call stacks: the host is asked once for each.
const std::int64_t* call_stack_texts(Evaluator& evaluator, const Node& node, const Batch& batch) {
  std::int64_t* result = take(evaluator.integers);
  const std::int64_t* stacks = values_of(evaluator, node.operands[0], batch).integers;
  for (std::size_t i = 0; i < batch.count; ++i) {
    const auto [entry, is_new] = evaluator.call_stack_texts.try_emplace(stacks[i], 0);
    if (is_new && stacks[i] != none && evaluator.observer.call_stack_text)
      entry->second = intern(evaluator.tables.strings, evaluator.observer.call_stack_text(stacks[i]));
    result[i] = entry->second;
  }
  return result;
}

template <class T>
void compare(Operator op, const T* a, const T* b, std::size_t count, std::uint8_t* mask) {
  const auto each = [&](auto holds) {
    for (std::size_t i = 0; i < count; ++i) mask[i] = holds(a[i], b[i]);
  };
  switch (op) {
  case Operator::same:
  case Operator::equal: return each([](T x, T y) { return x == y; });
  case Operator::unequal: return each([](T x, T y) { return x != y; });
  case Operator::less: return each([](T x, T y) { return x < y; });
  case Operator::less_equal: return each([](T x, T y) { return x <= y; });
  case Operator::greater: return each([](T x, T y) { return x > y; });
  case Operator::greater_equal: return each([](T x, T y) { return x >= y; });
  default: return;
  }
}

const std::uint8_t* mask_of(Evaluator& evaluator, const Node& node, const Batch& batch) {
  std::uint8_t* mask = take(evaluator.masks);
  switch (node.op) {
  case Operator::logical_not: {
    const std::uint8_t* other = mask_of(evaluator, node.operands[0], batch);
    for (std::size_t i = 0; i < batch.count; ++i) mask[i] = !other[i];
    break;
  }
  case Operator::logical_and:
  case Operator::logical_or: {
    const bool both = node.op == Operator::logical_and;
    std::fill_n(mask, batch.count, both ? 1 : 0);
    for (const Node& operand : node.operands) {
      const std::size_t masks = evaluator.masks.used;
      const std::uint8_t* other = mask_of(evaluator, operand, batch);
      for (std::size_t i = 0; i < batch.count; ++i)
        mask[i] = static_cast<std::uint8_t>(both ? mask[i] & other[i] : mask[i] | other[i]);
      evaluator.masks.used = masks;
    }
    break;
  }
  default: {
    const std::size_t integers = evaluator.integers.used, reals = evaluator.reals.used;
    const Values a = values_of(evaluator, node.operands[0], batch);
    const Values b = values_of(evaluator, node.operands[1], batch);
    if (node.operands[0].type == ValueType::real) compare(node.op, a.reals, b.reals, batch.count, mask);
    else compare(node.op, a.integers, b.integers, batch.count, mask);
    evaluator.integers.used = integers;
    evaluator.reals.used = reals;
  }
  }
  return mask;
}

} // namespace

Evaluator evaluator_for(const Rule& rule, Tables& tables, const Observer& observer,
                        std::unordered_map<std::int64_t, std::int64_t>& texts) {
  Evaluator evaluator{rule, tables, observer, texts, {}, {}, {}, {}, {}};
  for (const Constant& constant : rule.constants) {
    evaluator.constants.emplace_back().fill(constant.integer);
    evaluator.real_constants.emplace_back().fill(constant.real);
  }
  return evaluator;
}

Values values_of(Evaluator& evaluator, const Node& node, const Batch& batch) {
  switch (node.op) {
  case Operator::integer:
  case Operator::real:
  case Operator::string:
    return {evaluator.constants[node.constant].data(), evaluator.real_constants[node.constant].data()};
  case Operator::parameter: return parameter(evaluator, node, batch);
  case Operator::as_text: return {call_stack_texts(evaluator, node, batch), nullptr};
  case Operator::as_real: {
    double* result = take(evaluator.reals);
    const std::int64_t* integers = values_of(evaluator, node.operands[0], batch).integers;
    for (std::size_t i = 0; i < batch.count; ++i) result[i] = static_cast<double>(integers[i]);
    return {nullptr, result};
  }
  default:
    if (node.type == ValueType::real) return {nullptr, arithmetic(evaluator, evaluator.reals, node, batch)};
    return {arithmetic(evaluator, evaluator.integers, node, batch), nullptr};
  }
}

void release(Evaluator& evaluator) { evaluator.integers.used = evaluator.reals.used = evaluator.masks.used = 0; }

void keep(Batch& batch, const std::uint8_t* mask) {
  const std::size_t before = batch.count;
  if (std::find(mask, mask + before, 0) == mask + before) return;
  std::size_t kept = 0;
  for (auto& rows : batch.rows) {
    kept = 0;
    for (std::size_t i = 0; i < before; ++i) { // written without a branch: the outcome is not predictable
      rows[kept] = batch.dense ? static_cast<std::uint32_t>(batch.first + i) : rows[i];
      kept += mask[i];
    }
  }
  batch.count = kept;
  batch.dense = false;
}

void keep(Evaluator& evaluator, const Node& condition, Batch& batch) {
  if (condition.op == Operator::logical_and) {
    for (const Node& operand : condition.operands)
      if (batch.count != 0) keep(evaluator, operand, batch);
  } else {
    keep(batch, mask_of(evaluator, condition, batch));
    release(evaluator);
  }
}

} // namespace andes::monitor::rules
