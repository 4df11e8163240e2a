// find_gains: rank 0 learns what there is and makes a plan; each rank sends its operations to the ranks that replay
// their spans; two rounds of replays; the last span's rank has the end of all ranks.
#include "monitor/exchange/gains.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "common/index.h"
#include "monitor/exchange/wire.h"

namespace andes::monitor {
namespace {

constexpr std::size_t most_findings = 8;
constexpr std::size_t most_sums = 64; // findings that one rank names
constexpr double least_share = 0.002; // of the time of all ranks: what shorter waits gain is of no interest
constexpr std::size_t samples = 64; // of the times of a rank's operations

struct Summary {
  std::int64_t begin_ns, end_ns;
  std::uint64_t operations;
  std::uint32_t single_thread, whole;
};

/// Waits of a finding whose chains began at one place.
struct FindingSum {
  FindingKey finding;
  Origin origin;
  double wait_ns;
};
using FindingSums = std::map<std::pair<FindingKey, Origin>, double>;

/// The same on all ranks.
struct Plan {
  std::string missing;
  std::vector<FindingKey> findings;
  std::vector<Origin> origins; // of each finding where most of its waits began
  std::vector<std::int64_t> bounds_ns; // between spans; one less than there are spans

  std::size_t spans() const { return bounds_ns.size() + 1; }
  std::size_t span_at(std::int64_t ns) const {
    return static_cast<std::size_t>(std::upper_bound(bounds_ns.begin(), bounds_ns.end(), ns) - bounds_ns.begin());
  }
};

/// The longest first.
std::vector<FindingSum> longest(const FindingSums& by_origin, std::size_t most) {
  std::vector<FindingSum> sums;
  for (const auto& [key, wait_ns] : by_origin) sums.push_back({key.first, key.second, wait_ns});
  std::stable_sort(sums.begin(), sums.end(),
                   [](const FindingSum& a, const FindingSum& b) { return a.wait_ns > b.wait_ns; });
  if (sums.size() > most) sums.resize(most);
  return sums;
}

/// The sums over origins, each with the origin of its largest part.
std::vector<FindingSum> longest_findings(const FindingSums& by_origin, std::size_t most) {
  FindingSums by_finding;
  for (const FindingSum& sum : longest(by_origin, by_origin.size())) { // of each finding the largest part first
    const auto found = by_finding.lower_bound({sum.finding, {INT32_MIN, 0, 0}});
    const bool known = found != by_finding.end() && found->first.first == sum.finding;
    by_finding[{sum.finding, known ? found->first.second : sum.origin}] += sum.wait_ns;
  }
  return longest(by_finding, most);
}

Parcel summary_of(const ReplayedRank& own) {
  const std::size_t dependencies = own.log.dependencies.size(), operations = dependencies + own.log.parts.size();
  FindingSums by_origin;
  for (const ReplayedWait& wait : own.waits) by_origin[{wait.finding, wait.origin}] += wait.wait_ns;
  std::vector<std::int64_t> exits_ns;
  for (std::size_t i = 0; i < std::min(samples, operations); ++i) {
    const std::size_t one = i * operations / std::min(samples, operations);
    exits_ns.push_back(one < dependencies ? own.log.dependencies[one].exit_ns
                                          : own.log.parts[one - dependencies].exit_ns);
  }
  Parcel parcel;
  put(parcel, Summary{own.begin_ns, own.end_ns, operations, own.single_thread, own.whole});
  put_all(parcel, longest(by_origin, most_sums));
  put_all(parcel, exits_ns);
  return parcel;
}

/// The plan, from the summaries of all ranks.
Plan plan_of(const std::vector<Parcel>& summaries, std::uint64_t in_span) {
  FindingSums by_origin;
  std::vector<std::pair<std::int64_t, double>> exits; // each with the operations that it stands for
  std::int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  bool single_thread = true, whole = true;
  double operations = 0;
  for (const Parcel& parcel : summaries) {
    Unpacking in(parcel);
    const auto summary = in.take<Summary>();
    for (const FindingSum& sum : in.take_all<FindingSum>()) by_origin[{sum.finding, sum.origin}] += sum.wait_ns;
    const auto exits_ns = in.take_all<std::int64_t>();
    if (!in.good()) continue;
    single_thread &= summary.single_thread != 0;
    whole &= summary.whole != 0;
    operations += static_cast<double>(summary.operations);
    for (const std::int64_t ns : exits_ns)
      exits.emplace_back(bounded_ns(ns),
                         static_cast<double>(summary.operations) / static_cast<double>(exits_ns.size()));
    if (summary.end_ns == INT64_MIN) continue; // a rank of which nothing is left
    begin_ns = std::min(begin_ns, bounded_ns(summary.begin_ns));
    end_ns = std::max(end_ns, bounded_ns(summary.end_ns));
  }
  Plan plan;
  if (!whole) plan.missing = "the log does not have all operations";
  else if (!single_thread) plan.missing = "several threads of a rank call MPI";
  else if (end_ns < begin_ns) plan.missing = "the ranks' ends are not known";
  if (!plan.missing.empty()) return plan;
  const double all_ns = static_cast<double>(end_ns - begin_ns) * static_cast<double>(summaries.size());
  for (const FindingSum& sum : longest_findings(by_origin, most_findings)) {
    if (sum.wait_ns < least_share * all_ns) continue;
    plan.findings.push_back(sum.finding);
    plan.origins.push_back(sum.origin);
  }
  std::sort(exits.begin(), exits.end());
  const auto wanted = static_cast<std::size_t>(operations / static_cast<double>(in_span));
  const std::size_t spans = std::clamp(wanted, std::size_t{1}, summaries.size());
  double passed = 0;
  for (const auto& [ns, weight] : exits) {
    passed += weight;
    const double due = operations * static_cast<double>(plan.spans()) / static_cast<double>(spans);
    if (passed >= due && plan.spans() < spans) plan.bounds_ns.push_back(ns);
  }
  return plan;
}

class Gaining {
public:
  Gaining(ReplayedRank own, AllToAll& ranks, std::uint64_t in_span)
      : own_(std::move(own)), ranks_(ranks), size_(at(ranks.size())), in_span_(in_span) {}

  Gains find() {
    agree();
    Gains gains;
    gains.missing = plan_.missing;
    if (ranks_.failed()) gains.missing = "the other ranks did not take part in the exchange in time";
    if (plan_.findings.empty() || !gains.missing.empty()) return gains;
    distribute();
    replay_all();
    std::vector<std::uint64_t> failed = {failed_ ? 1u : 0u};
    ranks_.largest(failed);
    if (ranks_.failed()) gains.missing = "the other ranks did not take part in the exchange in time";
    else if (failed[0]) gains.missing = "too many messages were on their way at once";
    else collect(gains);
    return gains;
  }

private:
  /// Each span has a rank; the ranks of several spans are spread evenly.
  std::size_t rank_of(std::size_t span) const { return span * size_ / plan_.spans(); }
  std::size_t last_rank() const { return rank_of(plan_.spans() - 1); }
  bool is_last() const { return replay_ && own_span_ + 1 == plan_.spans(); }

  /// All ranks get the plan that rank 0 makes.
  void agree() {
    std::vector<Parcel> parcels(size_);
    parcels[0] = summary_of(own_);
    parcels = ranks_.exchange(parcels);
    std::vector<Parcel> plans(size_);
    if (ranks_.rank() == 0 && !ranks_.failed()) {
      const Plan plan = plan_of(parcels, in_span_);
      Parcel& parcel = plans[0];
      put_all(parcel, std::vector<char>(plan.missing.begin(), plan.missing.end()));
      put_all(parcel, plan.findings);
      put_all(parcel, plan.origins);
      put_all(parcel, plan.bounds_ns);
      for (std::size_t rank = 1; rank < size_; ++rank) plans[rank] = parcel;
    }
    plans = ranks_.exchange(plans);
    Unpacking in(plans[0]);
    const auto missing = in.take_all<char>();
    plan_.missing.assign(missing.begin(), missing.end());
    plan_.findings = in.take_all<FindingKey>();
    plan_.origins = in.take_all<Origin>();
    plan_.bounds_ns = in.take_all<std::int64_t>();
    if (!in.good() || plan_.findings.size() > most_findings || plan_.spans() > size_ ||
        plan_.origins.size() != plan_.findings.size())
      plan_ = {};
  }

  std::uint32_t number_of(const FindingKey& finding) const {
    const auto found = std::find(plan_.findings.begin(), plan_.findings.end(), finding);
    return static_cast<std::uint32_t>(found - plan_.findings.begin());
  }

  /// Sends the operations to the ranks that replay them, and gets those of the own span.
  void distribute() {
    std::vector<ReplaySpan> to(plan_.spans());
    const std::size_t usual = own_.log.dependencies.size() / to.size(); // spans are of equal size over all ranks
    for (ReplaySpan& span : to) span.dependencies.reserve(usual + usual / 4);
    for (const Dependency& one : own_.log.dependencies) to[plan_.span_at(one.exit_ns)].dependencies.push_back(one);
    for (const Part& one : own_.log.parts) to[plan_.span_at(one.last_ns)].parts.push_back(one);
    for (const ReplayedWait& wait : own_.waits) {
      const std::uint32_t finding = number_of(wait.finding);
      if (finding == plan_.findings.size()) continue;
      CuredCall call = wait.call;
      call.finding = finding;
      const std::size_t last = plan_.span_at(call.exit_ns); // an operation may end in a later span than it is replayed
      for (std::size_t span = plan_.span_at(call.enter_ns); span <= last; ++span) to[span].cured.push_back(call);
    }
    own_.log = {};
    own_.waits = {};
    std::vector<Parcel> parcels(size_);
    for (std::size_t span = 0; span < to.size(); ++span) {
      Parcel& parcel = parcels[rank_of(span)];
      put(parcel, own_.end_ns);
      put_all(parcel, to[span].dependencies);
      put_all(parcel, to[span].parts);
      put_all(parcel, to[span].cured);
      to[span] = {};
    }
    parcels = ranks_.exchange(parcels);
    for (own_span_ = 0; own_span_ < plan_.spans(); ++own_span_)
      if (rank_of(own_span_) == at(ranks_.rank())) break;
    if (own_span_ == plan_.spans() || ranks_.failed()) return;
    ReplaySpan span;
    for (Parcel& parcel : parcels) {
      read(parcel, span);
      Parcel().swap(parcel);
    }
    std::vector<CuredFinding> findings(plan_.findings.size());
    for (std::size_t one = 0; one < findings.size(); ++one) {
      findings[one].reorder = plan_.findings[one].cause == own_.wrong_order;
      for (std::uint32_t other = 0; other < findings.size(); ++other)
        // Of one rank's work the call that came late may be this one or the next.
        if (plan_.origins[one].rank == plan_.origins[other].rank ||
            plan_.origins[one].path == plan_.origins[other].path)
          findings[one].same_origin.push_back(other);
    }
    replay_.emplace(std::move(span), size_, std::move(findings));
  }

  /// What is damaged is left out.
  void read(const Parcel& parcel, ReplaySpan& span) {
    Unpacking in(parcel);
    const auto ranks = static_cast<std::int32_t>(size_);
    const auto is_rank = [ranks](std::int32_t rank) { return rank >= 0 && rank < ranks; };
    const auto bound = [](auto&... ns) { ((ns = bounded_ns(ns)), ...); };
    const auto end_ns = in.take<std::int64_t>();
    ends_ns_.push_back(in.good() ? end_ns : INT64_MIN);
    for (Dependency one : in.take_all<Dependency>()) {
      bound(one.source_ns, one.enter_ns, one.exit_ns);
      one.source_ns = std::min(one.source_ns, one.exit_ns);
      if (is_rank(one.source) && is_rank(one.target)) span.dependencies.push_back(one);
    }
    for (Part one : in.take_all<Part>()) {
      bound(one.start_ns, one.enter_ns, one.exit_ns, one.last_ns);
      one.start_ns = std::min(one.start_ns, one.exit_ns);
      if (is_rank(one.rank)) span.parts.push_back(one);
    }
    for (const CuredCall& one : in.take_all<CuredCall>())
      if (is_rank(one.rank) && one.finding < plan_.findings.size()) span.cured.push_back(one);
  }

  std::size_t lanes() const { return plan_.findings.size() * cure_count; }

  void replay_all() {
    shifts_.assign(size_ * lanes(), 0);
    if (replay_) failed_ = !replay_->run(shifts_, unsure_ns_);
    if (plan_.spans() > 1) {
      const Shifts begin = estimated_begin();
      if (replay_ && own_span_ > 0) { // the first one began with these shifts
        shifts_ = begin;
        failed_ |= !replay_->run(shifts_, unsure_ns_);
      }
      compare(begin);
    }
  }

  /// What the first round found at the end of the span before, and beyond that the least that the spans before that
  /// one shift all ranks by.
  Shifts estimated_begin() {
    std::vector<Parcel> parcels(size_);
    if (replay_) {
      std::vector<double> least(shifts_.begin(), shifts_.begin() + static_cast<std::ptrdiff_t>(lanes()));
      for (std::size_t i = 0; i < shifts_.size(); ++i) least[i % lanes()] = std::min(least[i % lanes()], shifts_[i]);
      for (std::size_t span = own_span_ + 1; span < plan_.spans(); ++span)
        put_all(parcels[rank_of(span)], span == own_span_ + 1 ? shifts_ : least);
    }
    parcels = ranks_.exchange(parcels);
    Shifts begin(size_ * lanes());
    if (!replay_) return begin;
    for (const Parcel& parcel : parcels) {
      if (parcel.empty()) continue;
      const auto shifts = Unpacking(parcel).take_all<double>();
      if (shifts.size() != lanes() && shifts.size() != begin.size()) continue;
      for (std::size_t i = 0; i < begin.size(); ++i) begin[i] += shifts[shifts.size() == lanes() ? i % lanes() : i];
    }
    return begin;
  }

  /// The difference between what the second round began with and what it should have begun with: its middle over
  /// ranks is added to the shifts, the rest may be an error.
  void compare(const Shifts& begin) {
    std::vector<Parcel> parcels(size_);
    if (replay_ && !is_last()) put_all(parcels[rank_of(own_span_ + 1)], shifts_);
    parcels = ranks_.exchange(parcels);
    std::vector<Parcel> differences(size_);
    for (const Parcel& parcel : parcels) {
      if (!replay_ || parcel.empty()) continue;
      const auto before = Unpacking(parcel).take_all<double>();
      if (before.size() != begin.size()) continue;
      std::vector<double> low(lanes(), std::numeric_limits<double>::infinity()), high(lanes(), -low[0]);
      for (std::size_t i = 0; i < begin.size(); ++i) {
        low[i % lanes()] = std::min(low[i % lanes()], before[i] - begin[i]);
        high[i % lanes()] = std::max(high[i % lanes()], before[i] - begin[i]);
      }
      for (std::size_t k = 0; k < lanes(); ++k) low[k] -= unsure_ns_[k], high[k] += unsure_ns_[k];
      put_all(differences[last_rank()], low);
      put_all(differences[last_rank()], high);
    }
    differences = ranks_.exchange(differences);
    middle_.assign(lanes(), 0);
    error_.assign(lanes(), 0);
    for (const Parcel& parcel : differences) {
      if (parcel.empty()) continue;
      Unpacking in(parcel);
      const auto low = in.take_all<double>(), high = in.take_all<double>();
      for (std::size_t k = 0; in.good() && k < std::min(lanes(), high.size()); ++k) {
        middle_[k] += (low[k] + high[k]) / 2;
        error_[k] += (high[k] - low[k]) / 2;
      }
    }
  }

  /// Rank 0 gets the gains from the rank that replayed the last span.
  void collect(Gains& gains) {
    std::vector<Parcel> parcels(size_);
    if (is_last()) put_all(parcels[0], result());
    parcels = ranks_.exchange(parcels);
    for (const Parcel& parcel : parcels)
      if (!parcel.empty()) gains.all = Unpacking(parcel).take_all<FindingGain>();
  }

  std::vector<FindingGain> result() const {
    std::vector<FindingGain> all;
    for (std::size_t f = 0; f < plan_.findings.size(); ++f) {
      FindingGain gain;
      gain.finding = plan_.findings[f];
      for (std::size_t cure = 0; cure < cure_count; ++cure) {
        const std::size_t k = replay_->lane(f, static_cast<Cure>(cure));
        std::int64_t last_ns = INT64_MIN;
        for (const std::int64_t end_ns : ends_ns_) last_ns = std::max(last_ns, end_ns);
        double gain_ns = std::numeric_limits<double>::infinity(); // of the rank that is last then
        for (std::size_t rank = 0; rank < ends_ns_.size(); ++rank)
          if (ends_ns_[rank] != INT64_MIN)
            gain_ns = std::min(gain_ns, static_cast<double>(last_ns - ends_ns_[rank]) + shifts_[rank * lanes() + k]);
        gain.gain_ns[cure] = gain_ns + (middle_.empty() ? 0 : middle_[k]);
        gain.error_ns[cure] = error_.empty() ? 0 : error_[k];
      }
      all.push_back(gain);
    }
    return all;
  }

  ReplayedRank own_;
  AllToAll& ranks_;
  std::size_t size_;
  std::uint64_t in_span_;
  Plan plan_;
  std::size_t own_span_ = 0; // of replay_
  std::optional<Replay> replay_; // of the span that this rank replays, if it has one
  std::vector<std::int64_t> ends_ns_; // by rank
  Shifts shifts_; // at the end of the own span
  std::vector<double> unsure_ns_;
  std::vector<double> middle_, error_; // by lane, of the whole run; empty: there is one span
  bool failed_ = false;
};

} // namespace

Gains find_gains(ReplayedRank own, AllToAll& ranks, std::uint64_t in_span) {
  return Gaining(std::move(own), ranks, in_span).find();
}

} // namespace andes::monitor
