// Judges all functions by what is left out so far, and again until nothing changes. Each round sees the result of the
// round before, whatever the order of the functions, so that sources with a header in common come to the same result.
#include "preprocessor/decide_usual.h"

#include <algorithm>
#include <utility>

#include "preprocessor/cycles.h"
#include "preprocessor/left_out.h"

namespace andes::preprocessor {
namespace {

/// Iterations from which on a loop counts: those expected of one of unknown length.
constexpr double many_times = 8;

/// A call in the text of another function of the same file.
struct CallFrom {
  unsigned caller = 0;
  double times = 0; // in a visit of it
};

/// Calls of functions with a probe, or of unknown code, in a part of a function.
struct Longer {
  unsigned places = 0;
  unsigned always = 0; // in every visit
  bool several = false; // more than one in a branch, which then is more than an exception
};

class Judging {
public:
  Judging(const std::vector<Function>& functions, const std::vector<Choice>& choices, const std::vector<bool>& kept,
          std::vector<std::optional<Small>>& small)
      : functions_(functions), choices_(choices), kept_(kept), small_(small), called_from_(functions.size()),
        looped_(functions.size()), recursive_(call_themselves(functions)), calls_unknown_(functions.size()),
        known_(functions.size()) {
    for (unsigned i = 0; i < functions.size(); ++i)
      for (const Expected::Call& call : functions[i].expected.calls)
        if (call.function != i && functions[call.function].file == functions[i].file)
          called_from_[call.function].push_back({i, call.times * call.among});
  }

  void judge() {
    find_unknown();
    find_known();
    judge_all(&Judging::short_in_loop);
    judge_all(&Judging::any_reason);
  }

private:
  using Judgement = std::optional<Small> (Judging::*)(unsigned) const;

  void judge_all(Judgement judgement) {
    for (bool changed = true; changed;) {
      find_looped();
      std::vector<std::pair<unsigned, Small>> found;
      for (unsigned i = 0; i < functions_.size(); ++i)
        if (const auto one = may_be_left_out(i) ? (this->*judgement)(i) : std::nullopt) found.emplace_back(i, *one);
      for (const auto& [index, one] : found) small_[index] = one;
      changed = !found.empty();
    }
  }

  bool may_be_left_out(unsigned index) const {
    const Function& function = functions_[index];
    return !small_[index] && !kept_[index] && choices_[index] != Choice::include && !function.is_main &&
           !function.effort.constructs && !recursive_[index];
  }

  void find_looped() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < functions_.size(); ++i) {
        if (looped_[i] || !is_looped(i)) continue;
        looped_[i] = changed = true;
      }
    }
  }

  bool is_looped(unsigned index) const {
    return std::ranges::any_of(called_from_[index], [this](const CallFrom& call) {
      return call.times >= many_times || (small_[call.caller] && looped_[call.caller]);
    });
  }

  std::optional<Small> short_in_loop(unsigned index) const {
    if (!looped_[index]) return std::nullopt;
    const std::optional<double>& operations = known_[index];
    if (!operations || *operations > looped_operations) return std::nullopt;
    return Small{Small::Why::in_loop, unsigned(*operations)};
  }

  std::optional<Small> any_reason(unsigned index) const {
    const Function& function = functions_[index];
    const Effort& effort = function.effort;
    if (const auto small = short_in_loop(index)) return small;
    const bool wants_none = effort.marked_inline && !effort.is_virtual;
    if ((looped_[index] || wants_none) && !effort.loops && !effort.scans) {
      const Longer longer = longer_calls(function);
      const double operations = own(function);
      if (!longer.always && !longer.several && longer.places <= usual_places &&
          operations <= (wants_none ? usual_operations_marked : usual_operations))
        return Small{longer.places ? Small::Why::usual : Small::Why::containers, unsigned(operations)};
    }
    if ((wants_none || effort.local) && is_only_repeated(index)) return Small{Small::Why::repeated, 0};
    if (looped_[index] && hands_on(function)) return Small{Small::Why::hands_on, unsigned(own(function))};
    return std::nullopt;
  }

  /// Finds functions left out so far that call code of unknown work, themselves or through others of them: it may wait.
  void find_unknown() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < functions_.size(); ++i)
        if (small_[i] && !calls_unknown_[i] && does_unknown(functions_[i])) calls_unknown_[i] = changed = true;
    }
  }

  bool does_unknown(const Function& function) const { return function.effort.obscure || hides_unknown(function); }

  /// Whether it calls such functions.
  bool hides_unknown(const Function& function) const {
    return std::ranges::any_of(function.expected.calls,
                               [this](const Expected::Call& call) { return calls_unknown_[call.function]; });
  }

  /// Finds the operations of visits with all functions that they call, which may be left out with their callers.
  void find_known() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < functions_.size(); ++i)
        if (!known_[i] && (known_[i] = known_work(i))) changed = true;
    }
  }

  /// Nothing if it is not known (yet).
  std::optional<double> known_work(unsigned index) const {
    const Function& function = functions_[index];
    if (small_[index] && is_whole(*small_[index])) return small_[index]->operations;
    const Effort& effort = function.effort;
    if (!may_be_left_out(index) || (effort.obscure && !effort.guessed) || effort.long_loops) return std::nullopt;
    double sum = effort.likely;
    for (const Expected::Call& call : function.expected.calls) {
      if (!known_[call.function]) return std::nullopt;
      sum += call.times * *known_[call.function];
    }
    return sum;
  }

  /// The operations of a visit with those of functions without a probe.
  double own(const Function& function) const {
    double sum = function.effort.likely;
    for (const Expected::Call& call : function.expected.calls)
      if (small_[call.function]) sum += call.times * small_[call.function]->operations;
    return sum;
  }

  bool is_longer(const Step& step) const {
    if (step.kind == Step::Kind::unknown_call) return true;
    const std::optional<Small>& callee = small_[step.function];
    return !callee || callee->why == Small::Why::recursive || callee->why == Small::Why::repeated ||
           callee->why == Small::Why::hands_on || calls_unknown_[step.function];
  }

  Longer longer_calls(const Function& function) const {
    std::size_t at = 0;
    return longer_calls(function.effort.steps, at);
  }

  /// Of the steps from `at` on to the end of the way that they are on.
  Longer longer_calls(const std::vector<Step>& steps, std::size_t& at) const {
    Longer sum;
    for (; at < steps.size(); ++at) {
      if (steps[at].kind == Step::Kind::otherwise || steps[at].kind == Step::Kind::end) break;
      if (steps[at].kind != Step::Kind::branch) {
        sum.always += is_longer(steps[at]);
        sum.places += is_longer(steps[at]);
        continue;
      }
      const Longer one = longer_calls(steps, ++at);
      const Longer other = longer_calls(steps, ++at);
      sum.places += one.places + other.places;
      sum.always += std::min(one.always, other.always);
      sum.several = sum.several || one.several || other.several || std::max(one.always, other.always) > 1;
    }
    return sum;
  }

  /// Whether a loop of a function that hardly does anything else calls it, and nothing else of the file does. Not what
  /// may take long by itself.
  bool is_only_repeated(unsigned index) const {
    if (functions_[index].effort.long_loops || does_unknown(functions_[index])) return false;
    if (called_from_[index].size() != 1 || called_from_[index][0].times < many_times) return false;
    const Function& caller = functions_[called_from_[index][0].caller];
    std::size_t size = caller.effort.size;
    for (const unsigned callee : caller.effort.places) {
      if (callee == index) continue;
      if (!small_[callee]) return false;
      size += functions_[callee].effort.size;
    }
    return !caller.is_main && !caller.effort.obscure && size <= repeating_operations;
  }

  /// Whether a visit is one of another function of the program, and hardly anything else: of one of this source with a
  /// probe, or of another source (docs/decisions/0322). Libraries go by names of Fortran's external procedures, too.
  bool hands_on(const Function& function) const {
    const Effort& effort = function.effort;
    const std::vector<Expected::FarCall>& far = function.expected.far_calls;
    if (effort.loops || effort.scans || function.expected.unknown || own(function) > short_operations) return false;
    if (far.size() > 1 || (!far.empty() && (far[0].function == waiting_call || far[0].function.ends_with('_'))))
      return false;
    if (hides_unknown(function)) return false;
    const Longer longer = longer_calls(function);
    return longer.places == 1 && longer.always == 1;
  }

  const std::vector<Function>& functions_;
  const std::vector<Choice>& choices_;
  const std::vector<bool>& kept_;
  std::vector<std::optional<Small>>& small_;
  std::vector<std::vector<CallFrom>> called_from_; // of each function, in its file
  std::vector<bool> looped_; // a loop of its file calls it
  const std::vector<bool> recursive_;
  std::vector<bool> calls_unknown_;
  std::vector<std::optional<double>> known_; // operations of a visit with all functions that it calls
};

} // namespace

void add_usually_short(const std::vector<Function>& functions, const std::vector<Choice>& choices,
                       const std::vector<bool>& kept, std::vector<std::optional<Small>>& small) {
  Judging(functions, choices, kept, small).judge();
}

} // namespace andes::preprocessor
