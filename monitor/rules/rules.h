// The rule language: rules that find in the events of a run why its ranks wait. docs/rules.md has
// the language; configs/rules the rules that come with andes. Rules are compiled to a plan, with
// every error found before the run, then evaluated over tables of events:
//
//   Compiled compiled = compile({shipped_rules()..., {"mine.rules", text}});
//   Tables tables = make_tables(compiled.program);
//   std::size_t row = append(table_of(tables, EventType::lock_operation_group), count);
//   set(table, row, columns::lock_operation_group::exclusive, 1); ...
//   evaluate(compiled.program, tables, {on_observations, text_of_call_stack});
//
// Invariants:
//  - rules are evaluated once each, in the order of the files and of the text; what a rule composes
//    and changes is seen by later rules only, so evaluation ends;
//  - same program, same tables: same observations in the same order;
//  - no function here throws or does input and output.
// Decision 80 says why the language is so small.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "monitor/rules/event_types.h"
#include "monitor/rules/tables.h"

namespace andes::rules {

struct Source {
  std::string name; // file, as messages shall call it
  std::string text;
};

/// An error in a rule file.
struct Diagnostic {
  std::string file;
  std::uint32_t line, column; // from 1; columns count characters
  std::string message;        // object, fact, remedy in one line
  std::string source_line;
};

/// "FILE:LINE:COLUMN: MESSAGE", the line of the text, and a line with a caret.
std::string text_of(const Diagnostic& diagnostic);

/// Why ranks wait, as rules name it.
struct Cause {
  std::string identifier; // for programs: late_sender
  std::string name, description, advice;
};

/// How a cause was seen: one wait of one location.
struct Observation {
  std::uint32_t cause; // index in Program::causes; of equal impacts the smaller one shall count
  std::uint32_t type;  // of the rule's first event: index in Program::schemas
  std::size_t row;     // of the rule's first event
  // Whom it is charged to, and where that was.
  std::int64_t rank, thread, call_stack;
  // Whom it waited for, and who began the chain of waits; `none` where not known.
  std::int64_t peer_rank, peer_call_stack, origin_rank, origin_call_stack;
  std::int64_t instance_ns; // enter of the call that waits: those of one call are alternatives
  double impact_ns;         // > 0
};

struct Plan;

struct Program {
  std::vector<Schema> schemas; // the registered ones, then those that rules compose
  std::vector<Cause> causes;   // in the order of the rules
  bool joins = false; // a rule looks at several events: evaluate all events at once, not in batches
  std::shared_ptr<const Plan> plan;
};

/// Whether any rule needs the events of this type.
bool reads(const Program& program, EventType type);

struct Compiled {
  Program program; // to be used only if there are no errors
  std::vector<Diagnostic> errors;
};
Compiled compile(const std::vector<Source>& sources,
                 const std::vector<Schema>& schemas = registered_schemas()) noexcept;

/// The rules that come with andes, in their order.
const std::vector<Source>& shipped_rules();

/// Empty tables for a program's events.
Tables make_tables(const Program& program);

/// The host's side of an evaluation.
struct Observer {
  std::function<void(std::span<const Observation>)> observe; // in batches
  std::function<std::string(std::int64_t)> call_stack_text;  // asked once for each call stack
};

/// What one rule may cost; a rule that reaches a limit stops there, with what it has found.
struct Limits {
  std::uint64_t candidates = 1'000'000'000; // combinations of events examined
  std::uint64_t composed = 100'000'000;     // events composed
};

struct Outcome {
  std::vector<std::string> stopped; // for each rule that reached a limit: "FILE:LINE: FACT; REMEDY"
  bool out_of_memory = false;       // evaluation ended early
};
Outcome evaluate(const Program& program, Tables& tables, const Observer& observer,
                 const Limits& limits = {}) noexcept;

} // namespace andes::rules
