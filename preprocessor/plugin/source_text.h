// The text of Fortran sources, in free and in fixed form: what the compiler drops, and what it keeps no trace of.
//
// Texts of statements are squeezed: without comment, blanks and capitals, since blanks mean nothing in fixed form.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace andes::preprocessor::plugin {

/// The lines of a source, each file read once; none if it cannot be read.
const std::vector<std::string>& lines_of_file(const std::string& path);

/// A line, squeezed.
std::string squeezed(const std::string& line);

/// The statements on line `number` (from 1 on) with those of lines before that it goes on with, squeezed.
std::string statement_at(const std::vector<std::string>& lines, unsigned number);

/// Statements with all lines that they are on.
struct Statement {
  std::string text; // squeezed
  unsigned first = 0, last = 0; // lines
};

/// The statements that line `number` belongs to.
Statement whole_statement_at(const std::vector<std::string>& lines, unsigned number);

/// DO statements. Labelled ones, and those with a name, are as others.
enum class DoForm { none, loop, concurrent };

/// The form of the DO statement in `text`, which may be several statements.
DoForm do_form(std::string_view text);

/// An OpenMP directive.
struct Directive {
  std::string words; // parallel do, critical (queue); empty: there is none, or it ends another one
  unsigned line = 0; // its first line
};

/// The directive that line `number` belongs to.
Directive directive_at(const std::vector<std::string>& lines, unsigned number);

/// The nearest directive above line `number`, with only comments and directives between.
Directive directive_above(const std::vector<std::string>& lines, unsigned number);

} // namespace andes::preprocessor::plugin
