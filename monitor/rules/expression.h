// Evaluates checked expressions over many combinations of events at once: each operator is a loop
// over arrays, so that walking the expression tree costs little per event.
//
// Invariant: values stay valid until the scratch memory is released to the mark before them.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "monitor/rules/plan.h"

namespace andes::monitor::rules {

/// Number of combinations evaluated together: their arrays fit the cache.
inline constexpr std::size_t block = 512;

/// Combinations of events, one for each variable of a rule.
struct Batch {
  std::size_t count = 0;
  bool dense = false; // one variable only, with consecutive rows from `first`
  std::size_t first = 0;
  std::vector<std::array<std::uint32_t, block>> rows; // by variable; not of a dense batch
};

inline std::size_t row_of(const Batch& batch, std::uint32_t variable, std::size_t i) {
  return batch.dense ? batch.first + i : batch.rows[variable][i];
}

/// Values of one expression; its type says which pointer is valid.
struct Values {
  const std::int64_t* integers = nullptr;
  const double* reals = nullptr;
};

/// Arrays that are allocated like a stack.
template <class T> struct Stack {
  std::deque<std::array<T, block>> arrays;
  std::size_t used = 0;
};

struct Evaluator {
  const Rule& rule;
  Tables& tables;
  const Observer& observer;
  std::unordered_map<std::int64_t, std::int64_t>& call_stack_texts; // by call stack: string number
  std::deque<std::array<std::int64_t, block>> constants; // each filled with its value
  std::deque<std::array<double, block>> real_constants;
  Stack<std::int64_t> integers;
  Stack<double> reals;
  Stack<std::uint8_t> masks;
};

Evaluator evaluator_for(const Rule& rule, Tables& tables, const Observer& observer,
                        std::unordered_map<std::int64_t, std::int64_t>& call_stack_texts);

Values values_of(Evaluator& evaluator, const Node& node, const Batch& batch);

/// Releases all values.
void release(Evaluator& evaluator);

/// Keeps the combinations for which the condition holds, in their order.
void keep(Evaluator& evaluator, const Node& condition, Batch& batch);
/// Keeps the combinations that `mask` marks.
void keep(Batch& batch, const std::uint8_t* mask);

} // namespace andes::monitor::rules
