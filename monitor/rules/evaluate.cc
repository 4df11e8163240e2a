// Evaluates a program: rule by rule. A rule takes the events of its first step in blocks and
// extends them step by step to full combinations, to which its actions apply.
//
// Invariants:
//  - a rule sees the events that existed when it began, with their values at that time: it never
//    sees events that it composes or changes itself;
//  - an event that it deletes takes part in no further combination of this rule or of later ones.
#include <cmath>
#include <new>

#include "monitor/rules/expression.h"
#include "monitor/rules/index.h"

namespace andes::monitor::rules {
namespace {

struct Change {
  std::uint32_t variable, column;
  std::uint32_t row;
  std::int64_t integer;
  double real;
};

/// One rule being evaluated.
struct Run {
  const Program& program;
  const Rule& rule;
  Tables& tables;
  const Observer& observer;
  const Limits& limits;
  Evaluator evaluator;
  std::vector<std::size_t> rows; // by variable: number of events when the rule began
  std::vector<Index> indices;    // by step
  std::vector<Batch> batches;    // by step
  std::vector<Change> changes;
  std::vector<Observation> observations;
  std::uint64_t candidates = 0, composed = 0;
  bool erases = false;
};

bool is_stopped(const Run& run) { return run.candidates > run.limits.candidates || run.composed > run.limits.composed; }

Table& table_of_variable(Run& run, std::uint32_t variable) { return run.tables.tables[run.rule.types[variable]]; }

/// Calls the function with the events of a step's variable, in blocks, without deleted ones and
/// those that fail its own conditions.
template <class Function> void for_events(Run& run, const Step& step, Function function) {
  const Table& table = table_of_variable(run, step.variable);
  const std::size_t rows = run.rows[step.variable];
  Batch batch;
  batch.rows.resize(step.variable + 1);
  for (std::size_t first = 0; first < rows && !is_stopped(run); first += block) {
    batch.dense = true;
    batch.first = first;
    batch.count = std::min(block, rows - first);
    if (!table.deleted.empty()) {
      std::array<std::uint8_t, block> there;
      for (std::size_t i = 0; i < batch.count; ++i) there[i] = !table.deleted[first + i];
      keep(batch, there.data());
    }
    for (const Node& condition : step.own)
      if (batch.count != 0) keep(run.evaluator, condition, batch);
    if (batch.count != 0) function(batch);
  }
}

void add_hashes(Run& run, const Node& node, const Batch& batch, std::uint64_t* hashes) {
  const Values values = values_of(run.evaluator, node, batch);
  for (std::size_t i = 0; i < batch.count; ++i)
    hashes[i] = hash_with(hashes[i], static_cast<std::uint64_t>(node.type == ValueType::real ? ordered(values.reals[i])
                                                                                             : values.integers[i]));
  release(run.evaluator);
}

/// Calls the function with the keys of a window (a time or another value) as ordered integers.
void for_keys(Run& run, const Node& node, const Batch& batch, auto function) {
  const Values values = values_of(run.evaluator, node, batch);
  for (std::size_t i = 0; i < batch.count; ++i)
    function(i, node.type == ValueType::real ? ordered(values.reals[i]) : values.integers[i]);
  release(run.evaluator);
}

Index index_of(Run& run, const Step& step) {
  Index index;
  for_events(run, step, [&](const Batch& batch) {
    std::array<std::uint64_t, block> hashes{};
    for (const Step::Key& key : step.keys) add_hashes(run, key.own, batch, hashes.data());
    const std::size_t base = index.entries.size();
    for (std::size_t i = 0; i < batch.count; ++i)
      index.entries.push_back({hashes[i], 0, static_cast<std::uint32_t>(row_of(batch, step.variable, i))});
    if (step.window)
      for_keys(run, *step.window, batch, [&](std::size_t i, std::int64_t key) { index.entries[base + i].key = key; });
  });
  finish(index);
  return index;
}

/// Drops combinations with an event that was deleted meanwhile, and performs the deletions of those that stay.
void erase(Run& run, Batch& batch) {
  std::array<std::uint8_t, block> there;
  for (std::size_t i = 0; i < batch.count; ++i) {
    there[i] = 1;
    for (std::uint32_t v = 0; v < run.rule.types.size(); ++v) {
      const Table& table = table_of_variable(run, v);
      if (!table.deleted.empty() && table.deleted[row_of(batch, v, i)]) there[i] = 0;
    }
    if (!there[i]) continue;
    for (const CheckedAction& action : run.rule.actions) {
      if (action.kind != ActionKind::erase) continue;
      Table& table = table_of_variable(run, action.variable);
      if (table.deleted.empty()) table.deleted.assign(table.rows, 0);
      table.deleted[row_of(batch, action.variable, i)] = 1;
    }
  }
  keep(batch, there.data());
}

void compose(Run& run, const CheckedAction& action, const Batch& batch) {
  run.composed += batch.count;
  if (run.composed > run.limits.composed) return;
  Table& table = run.tables.tables[action.type];
  const std::size_t first = append(table, batch.count);
  for (const ValueOf& v : action.values) {
    Column& column = table.columns[v.column];
    if (!column.used) continue;
    const Values values = values_of(run.evaluator, v.value, batch);
    for (std::size_t i = 0; i < batch.count; ++i)
      if (column.type == ValueType::real) column.reals[first + i] = values.reals[i];
      else column.integers[first + i] = values.integers[i];
    release(run.evaluator);
  }
}

void change(Run& run, const CheckedAction& action, const Batch& batch) {
  for (const ValueOf& v : action.values) {
    const Values values = values_of(run.evaluator, v.value, batch);
    const bool real = v.value.type == ValueType::real;
    for (std::size_t i = 0; i < batch.count; ++i)
      run.changes.push_back({action.variable, v.column, static_cast<std::uint32_t>(row_of(batch, action.variable, i)),
                             real ? 0 : values.integers[i], real ? values.reals[i] : 0});
    release(run.evaluator);
  }
}

void apply_changes(Run& run) {
  for (const Change& c : run.changes) {
    Table& table = table_of_variable(run, c.variable);
    if (table.columns[c.column].type == ValueType::real) set_real(table, c.row, c.column, c.real);
    else set(table, c.row, c.column, c.integer);
  }
  run.changes.clear();
}

void observe(Run& run, const CheckedAction& action, const Batch& batch) {
  const double* impact = values_of(run.evaluator, action.impact, batch).reals;
  const auto integers = [&](const Node& node) { return values_of(run.evaluator, node, batch).integers; };
  const std::int64_t *rank = integers(action.rank), *thread = integers(action.thread),
                     *call_stack = integers(action.call_stack), *peer_rank = integers(action.peer_rank),
                     *peer_call_stack = integers(action.peer_call_stack), *origin_rank = integers(action.origin_rank),
                     *origin_call_stack = integers(action.origin_call_stack), *instance = integers(action.instance);
  run.observations.clear();
  for (std::size_t i = 0; i < batch.count; ++i)
    if (impact[i] > 0 && std::isfinite(impact[i]))
      run.observations.push_back({action.cause, run.rule.types[0], row_of(batch, 0, i), rank[i], thread[i],
                                  call_stack[i], peer_rank[i], peer_call_stack[i], origin_rank[i], origin_call_stack[i],
                                  instance[i], impact[i]});
  release(run.evaluator);
  if (!run.observations.empty() && run.observer.observe) run.observer.observe(run.observations);
}

void act(Run& run, Batch& batch) {
  if (run.erases) erase(run, batch);
  if (batch.count == 0) return;
  for (const CheckedAction& action : run.rule.actions) switch (action.kind) {
    case ActionKind::compose: compose(run, action, batch); break;
    case ActionKind::change: change(run, action, batch); break;
    case ActionKind::observe: observe(run, action, batch); break;
    case ActionKind::erase: break; // deleted before
    }
  if (run.rule.steps.size() == 1) apply_changes(run); // no later combination contains these events
}

void expand(Run& run, std::size_t number, Batch& batch);

/// Checks the candidates of a step and goes on with those that stay.
void flush(Run& run, std::size_t number, Batch& batch) {
  for (const Node& condition : run.rule.steps[number].conditions)
    if (batch.count != 0) keep(run.evaluator, condition, batch);
  if (batch.count != 0) expand(run, number + 1, batch);
  batch.count = 0;
}

void add_candidate(Run& run, std::size_t number, const Batch& known, std::size_t i, std::uint32_t row) {
  const Step& step = run.rule.steps[number];
  Batch& batch = run.batches[number];
  ++run.candidates;
  for (std::size_t s = 0; s < number; ++s) {
    const std::uint32_t v = run.rule.steps[s].variable;
    const auto known_row = static_cast<std::uint32_t>(row_of(known, v, i));
    // Two variables never refer to the same event.
    if (known_row == row && run.rule.types[v] == run.rule.types[step.variable]) return;
    batch.rows[v][batch.count] = known_row;
  }
  batch.rows[step.variable][batch.count] = row;
  if (++batch.count == block) flush(run, number, batch);
}

/// Combines a batch of the steps before `number` with the events of that step.
void expand(Run& run, std::size_t number, Batch& batch) {
  if (number == run.rule.steps.size()) return act(run, batch);
  const Step& step = run.rule.steps[number];
  const Index& index = run.indices[number];
  std::array<std::uint64_t, block> hashes{};
  std::array<std::int64_t, block> low, high;
  low.fill(INT64_MIN);
  high.fill(INT64_MAX);
  for (const Step::Key& key : step.keys) add_hashes(run, key.known, batch, hashes.data());
  for (const Node& bound : step.low)
    for_keys(run, bound, batch, [&](std::size_t i, std::int64_t key) { low[i] = std::max(low[i], key); });
  for (const Node& bound : step.high)
    for_keys(run, bound, batch, [&](std::size_t i, std::int64_t key) { high[i] = std::min(high[i], key); });
  for (std::size_t i = 0; i < batch.count; ++i) {
    const auto [first, end] = find(index, hashes[i], low[i], high[i]);
    for (std::size_t e = first; e < end && !is_stopped(run); ++e)
      add_candidate(run, number, batch, i, index.entries[e].row);
  }
  flush(run, number, run.batches[number]);
}

void evaluate(Run& run) {
  for (const std::uint32_t type : run.rule.types) run.rows.push_back(run.tables.tables[type].rows);
  for (const CheckedAction& action : run.rule.actions) run.erases |= action.kind == ActionKind::erase;
  for (const Step& step : run.rule.steps) {
    run.batches.emplace_back();
    run.batches.back().rows.resize(run.rule.steps.size() > 1 ? run.rule.types.size() : 0);
    const bool first = run.batches.size() == 1;
    run.indices.push_back(first ? Index{} : index_of(run, step));
  }
  for_events(run, run.rule.steps[0], [&](Batch& batch) { expand(run, 1, batch); });
  apply_changes(run);
}

std::string stopped(const Run& run) {
  if (run.composed > run.limits.composed)
    return run.rule.place + ": rule composes more than " + std::to_string(run.limits.composed) +
           " events and was stopped; add conditions to 'where'";
  return run.rule.place + ": rule combines more than " + std::to_string(run.limits.candidates) +
         " events and was stopped; add equalities or windows to 'where'";
}

} // namespace

Outcome evaluate(const Program& program, Tables& tables, const Observer& observer, const Limits& limits) noexcept {
  Outcome outcome;
  try {
    std::unordered_map<std::int64_t, std::int64_t> texts; // by call stack
    for (const Rule& rule : program.plan->rules) {
      Run run{program, rule, tables, observer, limits, evaluator_for(rule, tables, observer, texts),
              {},      {},   {},     {},       {}};
      evaluate(run);
      if (is_stopped(run)) outcome.stopped.push_back(stopped(run));
    }
  } catch (const std::bad_alloc&) {
    outcome.out_of_memory = true;
  }
  return outcome;
}

} // namespace andes::monitor::rules
