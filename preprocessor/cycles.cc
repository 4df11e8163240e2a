// Strongly connected components of the graph of calls, by R. Tarjan, Depth-First Search and Linear Graph Algorithms,
// SIAM J. Computing 1 (1972); without recursion, for chains of calls are as long as the source is.
#include "preprocessor/cycles.h"

#include <algorithm>

namespace andes::preprocessor {
namespace {

class Components {
public:
  explicit Components(const std::vector<Function>& functions)
      : functions_(functions), component_of_(functions.size(), open), number_(functions.size()),
        lowest_(functions.size()) {
    for (unsigned root = 0; root < functions.size(); ++root)
      if (number_[root] == 0) walk_from(root);
  }

  /// Whether they lead to each other.
  bool in_one(unsigned one, unsigned other) const { return component_of_[one] == component_of_[other]; }

private:
  static constexpr unsigned open = ~0U;

  struct Visit {
    unsigned function;
    std::size_t next_call = 0;
  };

  void enter(unsigned function) {
    number_[function] = lowest_[function] = ++entered_;
    waiting_.push_back(function);
    path_.push_back({function});
  }

  void walk_from(unsigned root) {
    enter(root);
    while (!path_.empty()) {
      Visit& visit = path_.back();
      const std::vector<unsigned>& calls = functions_[visit.function].calls;
      if (visit.next_call == calls.size()) {
        leave(visit.function);
        continue;
      }
      const unsigned callee = calls[visit.next_call++];
      if (number_[callee] == 0) enter(callee);
      else if (component_of_[callee] == open)
        lowest_[visit.function] = std::min(lowest_[visit.function], number_[callee]);
    }
  }

  void leave(unsigned function) {
    path_.pop_back();
    if (!path_.empty()) {
      unsigned& above = lowest_[path_.back().function];
      above = std::min(above, lowest_[function]);
    }
    if (lowest_[function] != number_[function]) return;
    unsigned member = open;
    do {
      member = waiting_.back();
      waiting_.pop_back();
      component_of_[member] = function;
    } while (member != function);
  }

  const std::vector<Function>& functions_;
  std::vector<unsigned> component_of_; // named by its first function
  std::vector<unsigned> number_; // in the order of entering, from 1
  std::vector<unsigned> lowest_; // number of a function that is still open and reached from here
  unsigned entered_ = 0;
  std::vector<unsigned> waiting_; // entered, not in a component yet
  std::vector<Visit> path_;
};

} // namespace

std::vector<bool> call_last_in_cycles(const std::vector<Function>& functions) {
  const Components components(functions);
  std::vector<bool> result;
  for (unsigned i = 0; i < functions.size(); ++i)
    result.push_back(
        std::ranges::any_of(functions[i].tail_calls, [&](unsigned callee) { return components.in_one(i, callee); }));
  return result;
}

std::vector<bool> call_themselves(const std::vector<Function>& functions) {
  const Components components(functions);
  std::vector<bool> result;
  for (unsigned i = 0; i < functions.size(); ++i)
    result.push_back(
        std::ranges::any_of(functions[i].calls, [&](unsigned callee) { return components.in_one(i, callee); }));
  return result;
}

} // namespace andes::preprocessor
