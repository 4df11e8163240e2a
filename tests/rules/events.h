// Events made by hand for the tests of rules, parameters by their names.
#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "monitor/rules/rules.h"

namespace andes::monitor::rules {

using Value = std::variant<std::int64_t, double, std::string>;

/// Integers of any kind, reals and strings as values.
struct Given {
  std::string name;
  Value value;
  Given(std::string n, int v) : name(std::move(n)), value(std::int64_t{v}) {}
  Given(std::string n, long v) : name(std::move(n)), value(std::int64_t{v}) {}
  Given(std::string n, double v) : name(std::move(n)), value(v) {}
  Given(std::string n, const char* v) : name(std::move(n)), value(std::string(v)) {}
};

/// A program over one or more texts, its tables, and what it observes.
struct Trial {
  Program program;
  Tables tables;
  std::vector<Observation> seen;
  Outcome outcome;
};

/// Compiles texts that must have no errors.
Trial trial(const std::vector<Source>& sources);
Trial trial(const std::string& text);

/// Adds an event; returns its row.
std::size_t add(Trial& trial, const std::string& type, const std::vector<Given>& parameters);

/// Evaluates, call stack n being "main > n".
void run(Trial& trial, const Limits& limits = {});

/// One line an observation, in their order: cause, nanoseconds, "at rank N", "for rank N" (the
/// peer).
std::vector<std::string> seen_lines(const Trial& trial);

/// Value of a column that some rule reads.
std::int64_t integer(const Trial& trial, const std::string& type, const std::string& parameter,
                     std::size_t row);
std::string text(const Trial& trial, const std::string& type, const std::string& parameter,
                 std::size_t row);
std::size_t rows(const Trial& trial, const std::string& type);

/// All errors of a text, as they are printed.
std::string errors_of(const std::string& text);

} // namespace andes::monitor::rules
