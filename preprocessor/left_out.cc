#include "preprocessor/left_out.h"

#include <algorithm>
#include <map>

#include "preprocessor/object_note.h"

namespace andes::preprocessor {
namespace {

/// What a visit of a function does in itself and in functions without a probe.
struct Contents {
  double own = 0; // operations
  std::map<unsigned, double> parts; // operations in functions of this source
  std::map<std::string, double> far_calls; // calls of functions of other sources
  bool unknown = false;

  double total() const {
    double sum = own;
    for (const auto& [function, operations] : parts) sum += operations;
    return sum;
  }
};

/// Adds up what functions contain, each once.
class Summing {
public:
  Summing(const std::vector<Function>& functions, const std::vector<Decision>& decisions)
      : functions_(functions), decisions_(decisions), states_(functions.size()), contents_(functions.size()) {}

  const Contents& of(unsigned index) {
    if (states_[index] != State::unknown) return contents_[index];
    states_[index] = State::open;
    const Expected& expected = functions_[index].expected;
    Contents contents;
    contents.own = expected.operations;
    contents.unknown = expected.unknown;
    for (const Expected::FarCall& call : expected.far_calls) contents.far_calls[call.function] += call.times;
    for (const Expected::Call& call : expected.calls) {
      if (decisions_[call.function].probe) continue;
      const Contents& callee = of(call.function);
      if (states_[call.function] == State::open) continue; // recursion: how deep is not known
      contents.parts[call.function] += call.times * callee.own;
      for (const auto& [function, operations] : callee.parts) contents.parts[function] += call.times * operations;
      for (const auto& [function, times] : callee.far_calls) contents.far_calls[function] += call.times * times;
      contents.unknown |= callee.unknown;
    }
    contents_[index] = std::move(contents);
    states_[index] = State::known;
    return contents_[index];
  }

private:
  enum class State { unknown, open, known };
  const std::vector<Function>& functions_;
  const std::vector<Decision>& decisions_;
  std::vector<State> states_;
  std::vector<Contents> contents_;
};

NotedFunction noted(const Function& function) { return {function.name, function.file, function.line}; }

LeftOutNote note_of(const std::vector<Function>& functions, unsigned index, const Contents& contents, bool has_probe) {
  constexpr double least = 1e-3; // of the whole visit
  LeftOutNote note;
  note.function = noted(functions[index]);
  if (!has_probe)
    note.linked = functions[index].symbol.empty() ? linked_name(functions[index].name, functions[index].signature)
                                                  : functions[index].symbol;
  note.operations = contents.own;
  note.has_probe = has_probe;
  note.unknown = contents.unknown;
  for (const auto& [part, operations] : contents.parts)
    if (operations >= least * contents.total()) note.parts.push_back({noted(functions[part]), operations});
  for (const auto& [name, times] : contents.far_calls) note.far_calls.push_back({name, times});
  return note;
}

} // namespace

std::vector<std::vector<LeftOutShare>> left_out_shares(const std::vector<Function>& functions,
                                                       const std::vector<Decision>& decisions) {
  constexpr double least = 0.01;
  Summing all(functions, decisions);
  std::vector<std::vector<LeftOutShare>> shares(functions.size());
  for (unsigned i = 0; i < functions.size(); ++i) {
    if (!decisions[i].probe) continue;
    const Contents& contents = all.of(i);
    if (contents.far_calls.contains(waiting_call)) continue;
    for (const auto& [part, operations] : contents.parts)
      if (operations >= least * contents.total())
        shares[part].push_back({i, operations / contents.total(), contents.unknown});
  }
  for (std::vector<LeftOutShare>& of_one : shares)
    std::ranges::stable_sort(of_one, std::greater(), &LeftOutShare::share);
  return shares;
}

std::vector<std::string> left_out_statements(const std::vector<Function>& functions,
                                             const std::vector<Decision>& decisions) {
  Summing all(functions, decisions);
  std::vector<std::string> statements;
  for (unsigned i = 0; i < functions.size(); ++i) {
    if (!decisions[i].probe && !functions[i].is_external) continue;
    const Contents& contents = all.of(i);
    if (decisions[i].probe && contents.parts.empty() && contents.far_calls.empty()) continue;
    const LeftOutNote note = note_of(functions, i, contents, decisions[i].probe);
    statements.push_back(object_note(left_out_section, text_of(note)));
  }
  return statements;
}

} // namespace andes::preprocessor
