// Functions without a probe: `andes cc` notes in each object what a visit of a function with a probe is expected to do
// in functions without one, and the monitor divides measured time by it at the end of a run.
//
// A note is a text. Its first line is the function: NAME, FILE, LINE, OPERATIONS (expected in its own body), LETTERS
// (p: it has a probe; u: it also calls code whose work is unknown), and without a probe LINKED, its name for calls from
// other sources; a tab behind each. Then follow lines of what it calls and has no probe, itself and through others:
//   + NAME FILE LINE OPERATIONS    a function of the same source, with its operations in a visit of the first one
//   > LINKED TIMES                 a function of another source, called so often; maybe with a probe. `(waits)` is
//                                  a library function that waits (sleep, waitpid, pthread_join)
// Operations say nothing of the time of a function that waits, so it has no shares.
//
// The notes stand in a section of strings that is not loaded, with a zero byte behind each. The linker merges equal
// ones, which headers give several objects; a program without monitor never reads them, and no probe knows of them. At
// the end rank 0 reads them from the files of the modules with probes, and writes shares (table `left_out`), by which
// views multiply own times. So a function that is left out is not silently gone, and costs nothing during the run.
//
// Rejected: a field of the site records, which changes the interface of probes and puts the texts into every program's
// memory. Samples of the instruction pointer give true times, but need signals, which interrupt system calls, or
// perf_event_open, which containers and clusters forbid.
//
// Limits: operations are not time (docs/metrics.md, "Functions without a probe"); a source none of whose functions has
// a probe is compiled as it is and has no notes.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace andes {

inline constexpr const char* left_out_section = ".andes.left_out";
inline constexpr const char* waiting_call = "(waits)"; // no linked name

/// A function of the program, as in the table of sites.
struct NotedFunction {
  std::string name, file;
  unsigned line = 0;
  friend auto operator<=>(const NotedFunction&, const NotedFunction&) = default;
};

struct LeftOutNote {
  struct Part {
    NotedFunction function;
    double operations = 0;
  };
  struct FarCall {
    std::string linked;
    double times = 0;
  };
  NotedFunction function;
  double operations = 0;
  bool has_probe = false, unknown = false;
  std::string linked;
  std::vector<Part> parts;
  std::vector<FarCall> far_calls;
};

namespace left_out {

/// The text up to the next `end`, which is removed with it.
inline std::string_view next(std::string_view& text, char end) {
  const auto size = static_cast<std::size_t>(std::find(text.begin(), text.end(), end) - text.begin());
  const std::string_view part = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return part;
}

inline double number(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

inline NotedFunction function(std::string_view& fields) {
  NotedFunction function;
  function.name = next(fields, '\t');
  function.file = next(fields, '\t');
  function.line = static_cast<unsigned>(number(next(fields, '\t')));
  return function;
}

/// A field; a name cannot contain what separates fields.
inline std::string field(std::string text) {
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == 0) c = ' ';
  return text + '\t';
}

inline std::string field(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g\t", value);
  return text;
}

inline std::string fields(const NotedFunction& function) {
  return field(function.name) + field(function.file) + std::to_string(function.line) + '\t';
}

} // namespace left_out

inline std::string text_of(const LeftOutNote& note) {
  using left_out::field;
  const std::string letters = std::string(note.has_probe ? "p" : "") + (note.unknown ? "u" : "");
  std::string text =
      left_out::fields(note.function) + field(note.operations) + field(letters) + field(note.linked) + '\n';
  for (const LeftOutNote::Part& part : note.parts)
    text += "+\t" + left_out::fields(part.function) + field(part.operations) + '\n';
  for (const LeftOutNote::FarCall& call : note.far_calls) text += ">\t" + field(call.linked) + field(call.times) + '\n';
  return text;
}

/// The reverse. Of a damaged text it gives what can be read.
inline LeftOutNote note_of(std::string_view text) {
  LeftOutNote note;
  std::string_view head = left_out::next(text, '\n');
  note.function = left_out::function(head);
  note.operations = left_out::number(left_out::next(head, '\t'));
  const std::string_view letters = left_out::next(head, '\t');
  note.has_probe = letters.find('p') != letters.npos;
  note.unknown = letters.find('u') != letters.npos;
  note.linked = left_out::next(head, '\t');
  while (!text.empty()) {
    std::string_view line = left_out::next(text, '\n');
    const std::string_view kind = left_out::next(line, '\t');
    if (kind == "+") {
      NotedFunction function = left_out::function(line);
      note.parts.push_back({std::move(function), left_out::number(left_out::next(line, '\t'))});
    } else if (kind == ">") {
      std::string linked(left_out::next(line, '\t'));
      note.far_calls.push_back({std::move(linked), left_out::number(left_out::next(line, '\t'))});
    }
  }
  return note;
}

} // namespace andes
