#include "monitor/finish/function_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace andes::monitor {
namespace {

constexpr std::size_t most_rounds = 200, fewest_rounds = 20;
constexpr std::size_t most_steps = 2'000'000; // of a call path in a round, some 25 ns each
constexpr double error_of_probes = 0.25; // of their cost: half an interval is half of it, as of all counted visits
constexpr double close_enough = 1e-5; // of all time: what no condition is missed by more than in the end
constexpr double negligible = 1e-7; // of all time: what moves nothing

/// An estimate in a sum of own times, which grows with it (1) or becomes less (-1).
struct Part {
  std::uint32_t path;
  double sign;
};

/// The sum of own times of a function, of which samples tell.
struct Sum {
  std::vector<Part> parts;
  double off = 0; // what it lacks, before
  double variance = 0; // of what is known of it
  double by_itself = 0; // the same, if nothing were known of the other sums
  double of_parts = 0; // sum of the variances of its parts
  double slack = 0; // what is taken for an error of what is known
};

/// Something that must not be negative.
struct Bound {
  std::vector<Part> parts;
  double now = 0; // before
  double of_parts = 0;
  double force = 0; // with which it keeps its parts away
};

class Fit {
public:
  Fit(const std::vector<KnownTime>& known, const FunctionCounts& counts)
      : known_(known), moved_(known.size()), callees_(known.size()) {
    for (std::uint32_t i = 0; i < known.size(); ++i)
      if (known[i].variance > 0 && known[i].parent != i) callees_[known[i].parent].push_back(i);
    know_functions(counts);
    know_bounds();
  }

  std::vector<FittedTime> solve() {
    for (const KnownTime& of : known_) all_ += std::max(0.0, of.own);
    const std::size_t rounds = std::clamp(most_steps / (known_.size() + 1), fewest_rounds, most_rounds);
    double off = all_;
    for (std::size_t round = 0; round < rounds && off > close_enough * all_; ++round) {
      off = 0;
      for (Sum& sum : functions_) off = std::max(off, approach(sum));
      for (Bound& bound : bounds_) off = std::max(off, keep(bound));
    }
    std::vector<FittedTime> fitted(known_.size());
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
      fitted[i].moved = moved_[i];
      fitted[i].own = known_[i].own + moved_[i];
      for (const std::uint32_t callee : callees_[i]) fitted[i].own -= moved_[callee];
      fitted[i].variance = variance_of_estimate(i) + known_[i].waits;
      fitted[i].own_variance = variance_of_own(i);
    }
    divide_variances_of_regions(fitted);
    return fitted;
  }

private:
  void add_part(std::int32_t function, Part part) {
    if (function < 0) return;
    Sum& sum = functions_[static_cast<std::size_t>(function)];
    sum.parts.push_back(part);
    sum.of_parts += known_[part.path].variance;
  }

  void know_functions(const FunctionCounts& counts) {
    functions_.resize(counts.samples.size());
    std::vector<double> own(counts.samples.size());
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
      if (known_[i].function >= 0) own[static_cast<std::size_t>(known_[i].function)] += known_[i].own;
      if (!(known_[i].variance > 0) || known_[i].function == above(i)) continue;
      add_part(known_[i].function, {i, 1});
      add_part(above(i), {i, -1});
    }
    const double samples = std::accumulate(counts.samples.begin(), counts.samples.end(), 0.0);
    double sampled = divided_time(known_), of_probes2 = 0;
    for (const double ticks : counts.probes) {
      sampled += ticks;
      of_probes2 += error_of_probes * ticks * error_of_probes * ticks;
    }
    const double unknown = sampled * counts.unknown / (samples + counts.unknown);
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      const double share = counts.samples[i] / samples;
      // As if one more sample had been taken of it, and one of the others: what was not seen may still be something.
      const double shrunk = (counts.samples[i] + 1) / (samples + 2);
      const double of_probes = i < counts.probes.size() ? counts.probes[i] : 0;
      functions_[i].off = std::max(0.0, share * sampled - of_probes) - own[i];
      const double of_error = counts.error_of_share * share * sampled, own_cost = error_of_probes * of_probes;
      // What the probes of one function took too much of is missed by all, by their shares.
      const double of_cost2 = share * share * of_probes2 + (1 - 2 * share) * own_cost * own_cost;
      const double edges = i < counts.edges.size() ? counts.edges[i] : 0;
      const double others = unknown * unknown + of_error * of_error + of_cost2 + edges * edges;
      // Poisson's: as the sum of all is kept, too, both together are the multinomial distribution's.
      functions_[i].variance = sampled * sampled * shrunk / samples + others;
      functions_[i].by_itself = sampled * sampled * shrunk * (1 - shrunk) / samples + others;
    }
  }

  void know_bounds() {
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
      Bound own = {.parts = {}, .now = known_[i].own};
      if (known_[i].variance > 0) {
        bounds_.push_back({.parts = {{i, 1}}, .now = known_[i].estimated, .of_parts = known_[i].variance});
        own.parts.push_back({i, 1});
      }
      for (const std::uint32_t callee : callees_[i]) own.parts.push_back({callee, -1});
      for (const Part& part : own.parts) own.of_parts += known_[part.path].variance;
      if (!own.parts.empty()) bounds_.push_back(std::move(own));
    }
  }

  double moved(const std::vector<Part>& parts) const {
    double ticks = 0;
    for (const Part& part : parts) ticks += part.sign * moved_[part.path];
    return ticks;
  }

  /// Moves the parts, each in proportion to its variance.
  void move(const std::vector<Part>& parts, double by) {
    for (const Part& part : parts) moved_[part.path] += by * part.sign * known_[part.path].variance;
  }

  /// Returns by how much the sum was off.
  double approach(Sum& sum) {
    if (sum.parts.empty()) return 0;
    const double off = sum.off - moved(sum.parts) - sum.slack, share = off / (sum.of_parts + sum.variance);
    if (std::abs(off) <= negligible * all_) return 0;
    sum.slack += share * sum.variance;
    move(sum.parts, share);
    return std::abs(off);
  }

  /// Returns by how much it was missed, or was kept away too far.
  double keep(Bound& bound) {
    const double step = std::max(-(bound.now + moved(bound.parts)) / bound.of_parts, -bound.force);
    if (std::abs(step) * bound.of_parts <= negligible * all_) return 0;
    bound.force += step;
    move(bound.parts, step);
    return std::abs(step) * bound.of_parts;
  }

  std::int32_t above(std::uint32_t path) const {
    return known_[path].parent == path ? -1 : known_[known_[path].parent].function;
  }

  /// Of a quantity of that variance once the function's sum is known, with which it has that covariance: of two jointly
  /// normal quantities, one given the other.
  double known_better(double variance, double covariance, std::int32_t function) const {
    if (function < 0 || !(covariance > 0)) return variance;
    const Sum& sum = functions_[static_cast<std::size_t>(function)];
    return variance * (1 - covariance / variance * (covariance / (sum.of_parts + sum.by_itself)));
  }

  double variance_of_estimate(std::uint32_t path) const {
    const double variance = known_[path].variance;
    if (!(variance > 0) || known_[path].function == above(path)) return variance;
    return std::min(known_better(variance, variance, known_[path].function),
                    known_better(variance, variance, above(path)));
  }

  double variance_of_own(std::uint32_t path) const {
    const std::int32_t function = known_[path].function;
    double variance = known_[path].variance, waits = known_[path].waits;
    double covariance = function != above(path) ? variance : 0;
    for (const std::uint32_t callee : callees_[path]) {
      variance += known_[callee].variance;
      waits += known_[callee].waits;
      if (known_[callee].function != function) covariance += known_[callee].variance;
    }
    return known_better(variance, covariance, function) + waits;
  }

  /// The call paths of a region whose probe lies in one function, by both.
  using Place = std::pair<std::uint32_t, std::int32_t>;

  Place place_of(std::uint32_t path) const { return {known_[path].region, known_[path].function}; }

  /// Samples tell more of the sum of own times of a region than of each: what one call path is told too long its
  /// others are too short. Its variance is divided among them in proportion to theirs.
  void divide_variances_of_regions(std::vector<FittedTime>& fitted) const {
    struct OfPlace {
      double variance = 0, covariance = 0, waits = 0; // of the sum; with that of the function; what samples do not tell
      double apart = 0; // of own times, each by itself
    };
    std::map<Place, OfPlace> places;
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
      places[place_of(i)].apart += fitted[i].own_variance;
      if (!(known_[i].variance + known_[i].waits > 0) || known_[i].parent == i) continue;
      const std::uint32_t caller = known_[i].parent;
      if (place_of(i) == place_of(caller)) continue; // what moves between the two is in the sum of both
      for (const std::uint32_t path : {i, caller}) {
        OfPlace& place = places[place_of(path)];
        place.variance += known_[i].variance;
        place.waits += known_[i].waits;
        if (known_[i].function != above(i)) place.covariance += known_[i].variance;
      }
    }
    for (auto& [place, of] : places) of.variance = known_better(of.variance, of.covariance, place.second) + of.waits;
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
      const OfPlace& place = places[place_of(i)];
      fitted[i].in_region = place.apart > 0 ? fitted[i].own_variance * std::min(1.0, place.variance / place.apart) : 0;
    }
  }

  const std::vector<KnownTime>& known_;
  double all_ = 0; // of the own times
  std::vector<double> moved_; // by call path
  std::vector<std::vector<std::uint32_t>> callees_; // of each call path those that are estimated
  std::vector<Sum> functions_;
  std::vector<Bound> bounds_;
};

} // namespace

double divided_time(const std::vector<KnownTime>& known) {
  double time = 0;
  for (const KnownTime& of : known) time += of.function < 0 ? std::min(0.0, of.own) : of.own;
  return std::max(0.0, time);
}

std::vector<FittedTime> fit(const std::vector<KnownTime>& known, const FunctionCounts& counts) {
  return Fit(known, counts).solve();
}

} // namespace andes::monitor
