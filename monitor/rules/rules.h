// The rule language: rules find in the events of a run why its ranks wait. docs/rules.md describes
// the language; configs/rules has the shipped rules. Rules are compiled to a plan, with
// every error found before the run, then evaluated over tables of events:
//
//   Compiled compiled = compile({shipped_rules()..., {"mine.rules", text}});
//   Tables tables = make_tables(compiled.program);
//   std::size_t row = append(table_of(tables, EventType::lock_operation_group), count);
//   set(table, row, columns::lock_operation_group::exclusive, 1); ...
//   evaluate(compiled.program, tables, {on_observations, text_of_call_stack});
//
// Invariants:
//  - rules are evaluated once each, in the order of the files and of the text; only later rules see
//    the events that a rule composes or changes, so evaluation ends;
//  - same program, same tables: same observations in the same order;
//  - no function here throws or does input and output.
// Decision 80 gives the reasons for the small language.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "monitor/rules/event_types.h"
#include "monitor/rules/tables.h"

namespace andes::monitor::rules {

struct Source {
  std::string name; // file name for messages
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

/// A cause of waiting, named by rules.
struct Cause {
  std::string identifier; // for programs: late_sender
  std::string name, description, advice;
};

/// An observation of a cause: one wait of one location.
struct Observation {
  std::uint32_t cause; // index in Program::causes; among equal impacts the smaller index counts
  std::uint32_t type;  // of the rule's first event: index in Program::schemas
  std::size_t row;     // of the rule's first event
  // The location that is charged, and its call stack.
  std::int64_t rank, thread, call_stack;
  // The rank that it waited for, and the origin of the chain of waits; `none` if not known.
  std::int64_t peer_rank, peer_call_stack, origin_rank, origin_call_stack;
  std::int64_t instance_ns; // enter of the waiting call: observations of one call are alternatives
  double impact_ns;         // > 0
};

struct Plan;

struct Program {
  std::vector<Schema> schemas; // the registered schemas, then those that rules compose
  std::vector<Cause> causes;   // in the order of the rules
  bool joins = false; // a rule combines several events: all events must be evaluated together, not in batches
  std::shared_ptr<const Plan> plan;
};

/// Whether any rule needs the events of this type.
bool reads(const Program& program, EventType type);

/// A type of events that the log lacks.
struct Unlogged {
  std::string type;
  std::string left_out_by; // the word of setting `events` that leaves it out; "": the setting must name the type
};

/// The first such type that rules of the last source read; `events`: the words of that setting.
std::optional<Unlogged> unlogged_type(const Program& program, const std::vector<std::string>& events);

struct Compiled {
  Program program; // valid only if there are no errors
  std::vector<Diagnostic> errors;
};
Compiled compile(const std::vector<Source>& sources,
                 const std::vector<Schema>& schemas = registered_schemas()) noexcept;

/// The shipped rules, in their order.
const std::vector<Source>& shipped_rules();

/// Empty tables for a program's events.
Tables make_tables(const Program& program);

/// The host's side of an evaluation.
struct Observer {
  std::function<void(std::span<const Observation>)> observe; // in batches
  std::function<std::string(std::int64_t)> call_stack_text; // asked once for each call stack
};

/// Limits for one rule; a rule that reaches one stops there and keeps its results.
struct Limits {
  std::uint64_t candidates = 1'000'000'000; // combinations of events examined
  std::uint64_t composed = 100'000'000; // events composed
};

struct Outcome {
  std::vector<std::string> stopped; // for each rule that reached a limit: "FILE:LINE: FACT; REMEDY"
  bool out_of_memory = false; // evaluation ended early
};
Outcome evaluate(const Program& program, Tables& tables, const Observer& observer, const Limits& limits = {}) noexcept;

} // namespace andes::monitor::rules
