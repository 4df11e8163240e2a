#include "monitor/exchange/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "monitor/exchange/sorted_by_time.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t no_finding = ~std::uint32_t{0}, no_slot = ~std::uint32_t{0};

} // namespace

/// One run. Times in lanes are those that the shifts make of the recorded ones.
class Replaying {
public:
  Replaying(const Replay& of, Shifts& shifts, std::vector<double>& unsure_ns, std::size_t most_bytes)
      : of_(of), shifts_(shifts), unsure_ns_(unsure_ns), most_bytes_(most_bytes), lanes_(of.lanes()),
        findings_(of.findings_), offset_(lanes_), held_(lanes_), entered_(lanes_),
        released_(of.ranks_ * lanes_, -std::numeric_limits<double>::infinity()), waited_(of.ranks_ * findings_),
        in_mpi_(of.ranks_ * findings_, -std::numeric_limits<double>::infinity()),
        deferred_(of.ranks_ * findings_, -std::numeric_limits<double>::infinity()),
        slot_of_(of.span_.dependencies.size(), no_slot), state_of_(of.operations_.size()) {}

  bool run() {
    auto begin = of_.by_begin_.begin();
    for (auto exit = of_.by_exit_.begin(); exit != of_.by_exit_.end();) {
      for (; begin != of_.by_begin_.end() && of_.begin_of(*begin) <= of_.exit_of(*exit); ++begin)
        if (!(of_.is_part(*begin) ? give(*begin) : send(*begin))) return false;
      const auto first = exit;
      const auto same_call = [&](std::uint32_t event) {
        return of_.exit_of(event) == of_.exit_of(*first) && of_.waiting_rank(event) == of_.waiting_rank(*first);
      };
      while (exit != of_.by_exit_.end() && same_call(*exit)) ++exit;
      end_call(&*first, static_cast<std::size_t>(exit - first));
    }
    for (std::size_t rank = 0; rank < of_.ranks_; ++rank)
      for (std::size_t k = 0; k < lanes_; ++k) shift_of(rank)[k] -= offset_[k];
    return true;
  }

private:
  struct OperationState {
    std::uint32_t slot = no_slot, ended = 0;
    std::int64_t last_ns = INT64_MIN; // of the parts that others wait for
  };

  /// Those at an operation whose work is shared, in the lane of that.
  struct Arrivals {
    struct One {
      double ns; // when it has done all that it does before it needs the others: where the operation is completed
      double waited_ns; // before it, for what makes the others wait at it
      double in_mpi_ns; // when it would be there without work since the operation before: its calls take that long
    };
    std::vector<One> all;
    std::size_t summed = 0; // so many have this mean
    double mean_ns = 0;
    double first_start_ns = std::numeric_limits<double>::infinity();
  };

  double time(std::int64_t ns) const { return static_cast<double>(ns - of_.zero_ns_); }
  double* shift_of(std::size_t rank) { return &shifts_[rank * lanes_]; }
  double* shift_of(std::int32_t rank) { return shift_of(static_cast<std::size_t>(rank)); }
  double* slot(std::uint32_t number) { return &slots_[number * lanes_]; }
  std::size_t lane(std::size_t finding, Cure cure) const { return of_.lane(finding, cure); }

  std::uint32_t new_slot() {
    if (!free_.empty()) {
      const std::uint32_t number = free_.back();
      free_.pop_back();
      return number;
    }
    if (!take(lanes_ * sizeof(double) + sizeof(Arrivals))) return no_slot;
    slots_.resize(slots_.size() + lanes_);
    arrivals_.emplace_back();
    return static_cast<std::uint32_t>(arrivals_.size() - 1);
  }

  bool take(std::size_t bytes) {
    bytes_ += bytes;
    return bytes_ <= most_bytes_;
  }

  /// Nobody waits for the operation any more.
  void give_back(std::uint32_t number) {
    std::vector<Arrivals::One>& all = arrivals_[number].all;
    bytes_ -= all.capacity() * sizeof(Arrivals::One);
    std::vector<Arrivals::One>().swap(all);
    free_.push_back(number);
  }

  /// The source's call of a dependency begins.
  bool send(std::uint32_t event) {
    const Dependency& d = of_.span_.dependencies[event];
    const std::uint32_t finding = of_.finding_of_[event];
    if (finding != no_finding && d.source_ns > d.enter_ns && d.source != d.target) take_delay(d, finding);
    const std::uint32_t number = slot_of_[event] = new_slot();
    if (number == no_slot) return false;
    double* const times = slot(number);
    const double* const shift = shift_of(d.source);
    const double source_ns = time(d.source_ns);
    for (std::size_t k = 0; k < lanes_; ++k) times[k] = source_ns - shift[k] + offset_[k];
    return true;
  }

  /// The target waits already: the work for which it waits is taken from the source, as far as this has worked since
  /// another rank held it up.
  void take_delay(const Dependency& d, std::uint32_t finding) {
    double *const source = shift_of(d.source), *const target = shift_of(d.target);
    for (const Cure cure : {Cure::share, Cure::leave_out}) {
      const std::size_t k = lane(finding, cure);
      const double source_time = time(d.source_ns) - source[k], target_time = time(d.enter_ns) - target[k];
      const double work_ns = source_time + offset_[k] - released_[static_cast<std::size_t>(d.source) * lanes_ + k];
      const double delay_ns = std::min(source_time - target_time, work_ns);
      if (delay_ns <= 0) continue;
      if (std::isinf(work_ns)) unsure_ns_[k] += delay_ns;
      source[k] += delay_ns;
      if (cure == Cure::share) offset_[k] += delay_ns / static_cast<double>(of_.ranks_);
    }
  }

  /// A rank begins its part in an operation.
  bool give(std::uint32_t event) {
    const Part& part = of_.part(event);
    OperationState& state = state_of_[operation_of(event)];
    if (state.slot == no_slot) {
      state.slot = new_slot();
      if (state.slot == no_slot) return false;
      std::fill_n(slot(state.slot), lanes_, -std::numeric_limits<double>::infinity());
      arrivals_[state.slot] = {};
    }
    double* const times = slot(state.slot);
    const double* const shift = shift_of(part.rank);
    const double start_ns = time(part.start_ns);
    const Replay::Operation& operation = of_.operations_[operation_of(event)];
    if (operation.finding != no_finding && operation.takers == 1 && part.gives) {
      const Part& taker = of_.part(operation.taker);
      const Dependency late = {part.start_ns, taker.enter_ns, taker.exit_ns, part.rank, taker.rank};
      if (part.start_ns > taker.enter_ns && part.rank != taker.rank) take_delay(late, operation.finding);
    }
    if (operation.finding != no_finding && operation.takers > 1) {
      const std::size_t k = lane(operation.finding, Cure::share);
      std::vector<Arrivals::One>& all = arrivals_[state.slot].all;
      if (all.empty()) {
        if (!take(operation.parts * sizeof(Arrivals::One))) return false;
        all.reserve(operation.parts);
      }
      all.push_back({start_ns - shift[k] + offset_[k] + overlapped_ns(part), waited_of(part.rank)[operation.finding],
                     in_mpi_of(part.rank)[operation.finding]});
      double& first_start_ns = arrivals_[state.slot].first_start_ns;
      first_start_ns = std::min(first_start_ns, start_ns - shift[k] + offset_[k]);
    }
    if (!part.gives) return true;
    state.last_ns = std::max(state.last_ns, part.start_ns);
    for (std::size_t k = 0; k < lanes_; ++k) times[k] = std::max(times[k], start_ns - shift[k] + offset_[k]);
    return true;
  }

  /// What the rank does between the calls that start and complete its part, if these are two.
  static double overlapped_ns(const Part& part) {
    return static_cast<double>(std::max<std::int64_t>(part.enter_ns - part.start_ns, 0));
  }

  /// When the part is completed where the work is shared. What a rank does behind the start stays there.
  static double shared_end_of(Arrivals& arrivals, const Part& part) {
    const double mean_ns = mean_of(arrivals);
    return std::max(mean_ns, arrivals.first_start_ns + overlapped_ns(part));
  }

  /// When all arrive if the work since the last operation of the finding is shared evenly, without the waits that then
  /// vanish. Such a wait made its rank late by no more than it comes behind the first: what it waited for beyond that
  /// has held up all others as well, or was made up for, and is not what they wait for here. What a rank's calls of MPI
  /// take is no work that others could do: it is there no earlier, though it does nothing else.
  static double mean_of(Arrivals& arrivals) {
    if (arrivals.summed == arrivals.all.size()) return arrivals.mean_ns;
    double first_ns = std::numeric_limits<double>::infinity(), sum_ns = 0;
    double in_mpi_ns = -std::numeric_limits<double>::infinity();
    for (const Arrivals::One& one : arrivals.all) first_ns = std::min(first_ns, one.ns);
    for (const Arrivals::One& one : arrivals.all) {
      const double arrival_ns = std::max(one.ns - one.waited_ns, first_ns);
      sum_ns += arrival_ns;
      in_mpi_ns = std::max(in_mpi_ns, std::min(one.in_mpi_ns, arrival_ns));
    }
    arrivals.summed = arrivals.all.size();
    return arrivals.mean_ns = std::max(sum_ns / static_cast<double>(arrivals.summed), in_mpi_ns);
  }

  double* waited_of(std::int32_t rank) { return &waited_[static_cast<std::size_t>(rank) * findings_]; }
  double* in_mpi_of(std::int32_t rank) { return &in_mpi_[static_cast<std::size_t>(rank) * findings_]; }
  std::uint32_t operation_of(std::uint32_t event) const {
    return of_.operation_of_part_[event - of_.span_.dependencies.size()];
  }

  /// A call returns; `events` are all that it waited for.
  void end_call(const std::uint32_t* events, std::size_t count) {
    const std::int32_t rank = of_.waiting_rank(events[0]);
    const std::int64_t enter_ns = of_.enter_of(events[0]), exit_ns = of_.exit_of(events[0]);
    double* const shift = shift_of(rank);
    double* const waited = waited_of(rank);
    for (std::size_t k = 0; k < lanes_; ++k) held_[k] = entered_[k] = time(enter_ns) - shift[k] + offset_[k];
    double* const deferred = &deferred_[static_cast<std::size_t>(rank) * findings_];
    for (std::size_t f = 0; f < findings_; ++f) {
      double& held = held_[lane(f, Cure::earlier)];
      held = std::max(held, std::exchange(deferred[f], -std::numeric_limits<double>::infinity()));
    }
    std::int64_t held_ns = enter_ns; // as recorded
    std::uint32_t shared = no_finding, waits_in = no_finding;
    bool of_all = false;
    double shared_time = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t event = events[i];
      const std::uint32_t finding = of_.finding_of_[event];
      if (finding != no_finding) waits_in = finding;
      if (of_.is_part(event)) {
        OperationState& state = state_of_[operation_of(event)];
        const Replay::Operation& operation = of_.operations_[operation_of(event)];
        if (of_.part(event).takes && state.last_ns != INT64_MIN) { // its own part has begun
          held_ns = std::max(held_ns, std::min(state.last_ns, exit_ns));
          hold(slot(state.slot), state.last_ns > enter_ns ? finding : no_finding, deferred);
        }
        of_all |= operation.givers == of_.ranks_ && operation.takers == of_.ranks_;
        if (operation.finding != no_finding && operation.takers > 1 && state.slot != no_slot) {
          shared = operation.finding;
          shared_time = shared_end_of(arrivals_[state.slot], of_.part(event));
        }
        if (++state.ended == operation.parts && state.slot != no_slot) give_back(state.slot);
      } else if (slot_of_[event] != no_slot) {
        const std::int64_t source_ns = of_.span_.dependencies[event].source_ns;
        held_ns = std::max(held_ns, std::min(source_ns, exit_ns));
        hold(slot(slot_of_[event]), source_ns > enter_ns ? finding : no_finding, deferred);
        free_.push_back(slot_of_[event]);
      }
    }
    if (shared != no_finding) {
      const std::size_t k = lane(shared, Cure::share);
      if (unsure_ns_[k] == 0) unsure_ns_[k] = std::abs(time(held_ns) - shared_time); // the first of the span
      held_[k] = shared_time;
    }
    if (of_all) std::fill_n(waited, findings_, 0.0);
    else if (waits_in != no_finding)
      for (const std::uint32_t f : of_.cured_[waits_in].same_origin)
        waited[f] += held_[lane(f, Cure::share)] - entered_[lane(f, Cure::share)];
    if (shared != no_finding) waited[shared] = 0;
    double* const released = &released_[static_cast<std::size_t>(rank) * lanes_];
    const double own_ns = static_cast<double>(exit_ns - held_ns);
    double* const in_mpi = in_mpi_of(rank);
    if (shared != no_finding) in_mpi[shared] = shared_time;
    for (std::size_t f = 0; f < findings_; ++f) in_mpi[f] += own_ns;
    for (std::size_t k = 0; k < lanes_; ++k) {
      released[k] = held_[k] > entered_[k] ? held_[k] + own_ns : released[k];
      shift[k] = time(held_ns) - held_[k] + offset_[k];
    }
  }

  /// The call is held up until these times, but for the lane in which what came late comes in time.
  void hold(const double* times, std::uint32_t late_in, double* deferred) {
    const std::size_t in_time = late_in == no_finding ? 0 : lane(late_in, Cure::earlier);
    const double kept = held_[in_time];
    for (std::size_t k = 0; k < lanes_; ++k) held_[k] = std::max(held_[k], times[k]);
    if (late_in == no_finding) return;
    held_[in_time] = kept;
    if (of_.cured_[late_in].reorder) deferred[late_in] = std::max(deferred[late_in], times[in_time]);
  }

  const Replay& of_;
  Shifts& shifts_;
  std::vector<double>& unsure_ns_;
  std::size_t most_bytes_, bytes_ = 0; // of slots_ and arrivals_
  std::size_t lanes_, findings_;
  std::vector<double> offset_; // by lane: to be taken off the shifts of all ranks
  std::vector<double> held_; // by lane: until when the current call is held up
  std::vector<double> entered_; // by lane: when the current call was entered
  std::vector<double> released_; // by rank and lane: when it returned from the last call that held it up
  std::vector<double> waited_; // by rank and finding: waits with the same origin, since the last operation of it
  std::vector<double> in_mpi_; // by rank and finding: the end of that, and what calls have taken since, waits apart
  std::vector<double> deferred_; // by rank and finding: until when the next call is held up (CuredFinding::reorder)
  std::vector<double> slots_; // lanes of times
  std::vector<Arrivals> arrivals_; // by slot, of operations
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> slot_of_; // by dependency
  std::vector<OperationState> state_of_;
};

Replay::Replay(ReplaySpan span, std::size_t ranks, std::vector<CuredFinding> findings)
    : span_(std::move(span)), cured_(std::move(findings)), ranks_(ranks), findings_(cured_.size()) {
  const std::size_t events = span_.dependencies.size() + span_.parts.size();
  const auto by_number = [](std::uint32_t a, std::uint32_t b) { return a < b; };
  by_begin_ = sorted_by_time(events, [this](std::uint32_t event) { return begin_of(event); }, by_number);
  by_exit_ = sorted_by_time(
      events, [this](std::uint32_t event) { return exit_of(event); },
      [this](std::uint32_t a, std::uint32_t b) {
        return std::tuple(waiting_rank(a), a) < std::tuple(waiting_rank(b), b);
      });
  if (events > 0) zero_ns_ = begin_of(by_begin_.front());
  number_operations();
  mark_cured();
}

bool Replay::run(Shifts& shifts, std::vector<double>& unsure_ns, std::size_t most_bytes) const {
  unsure_ns.assign(lanes(), 0);
  return Replaying(*this, shifts, unsure_ns, most_bytes).run();
}

std::int64_t Replay::begin_of(std::uint32_t event) const {
  return is_part(event) ? part(event).start_ns : span_.dependencies[event].source_ns;
}
std::int64_t Replay::exit_of(std::uint32_t event) const {
  return is_part(event) ? part(event).exit_ns : span_.dependencies[event].exit_ns;
}
std::int64_t Replay::enter_of(std::uint32_t event) const {
  return is_part(event) ? part(event).enter_ns : span_.dependencies[event].enter_ns;
}
std::int32_t Replay::waiting_rank(std::uint32_t event) const {
  return is_part(event) ? part(event).rank : span_.dependencies[event].target;
}

void Replay::number_operations() {
  std::vector<std::uint32_t> order(span_.parts.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    return std::tuple(span_.parts[a].operation, a) < std::tuple(span_.parts[b].operation, b);
  });
  operation_of_part_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || span_.parts[order[i]].operation != span_.parts[order[i - 1]].operation)
      operations_.push_back({0, 0, 0, 0, no_finding});
    operation_of_part_[order[i]] = static_cast<std::uint32_t>(operations_.size() - 1);
    Operation& operation = operations_.back();
    ++operation.parts;
    operation.givers += span_.parts[order[i]].gives;
    if (!span_.parts[order[i]].takes) continue;
    ++operation.takers;
    operation.taker = static_cast<std::uint32_t>(span_.dependencies.size()) + order[i];
  }
}

void Replay::mark_cured() {
  finding_of_.assign(by_exit_.size(), no_finding);
  const auto key = [](const CuredCall& call) { return std::tuple(call.exit_ns, call.rank, call.enter_ns); };
  std::sort(span_.cured.begin(), span_.cured.end(),
            [&](const CuredCall& a, const CuredCall& b) { return key(a) < key(b); });
  auto cured = span_.cured.begin();
  for (const std::uint32_t event : by_exit_) {
    const auto wanted = std::tuple(exit_of(event), waiting_rank(event), enter_of(event));
    while (cured != span_.cured.end() && key(*cured) < wanted) ++cured;
    if (cured == span_.cured.end()) break;
    if (key(*cured) != wanted) continue;
    finding_of_[event] = cured->finding;
    if (is_part(event)) operations_[operation_of_part_[event - span_.dependencies.size()]].finding = cured->finding;
  }
}

} // namespace andes::monitor
