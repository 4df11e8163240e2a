#include "monitor/finish/function_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace andes::monitor {
namespace {

constexpr int most_rounds = 200;
constexpr double error_of_probes = 0.25; // of their cost: half an interval is half of it, as of all counted visits
constexpr double close_enough = 1e-5; // of all time: what no sum differs by more than in the end

/// A sum of own times that something is known of: that of a function, or of a cell.
struct Sum {
  std::vector<std::uint32_t> of; // call paths
  double ticks = 0;
  double variance = 0; // of what is known of it; 0: it must be kept
  double by_itself = 0; // the same, if nothing were known of the other sums
  double slack = 0; // the part of it that is taken for an error of what is known
  double of_parts = 0; // sum of the variances of its parts
};

/// Moves the parts of a sum, each in proportion to its variance; returns by how much it was off.
double approach(Sum& sum, const std::vector<OwnTime>& own, std::vector<double>& ticks) {
  if (!(sum.of_parts > 0)) return 0;
  double now = sum.slack;
  for (const std::uint32_t i : sum.of) now += ticks[i];
  const double off = sum.ticks - now, share = off / (sum.of_parts + sum.variance);
  sum.slack += share * sum.variance;
  for (const std::uint32_t i : sum.of) ticks[i] = std::max(0.0, ticks[i] + share * own[i].variance);
  return std::abs(off);
}

std::vector<Sum> sums_of_functions(const std::vector<OwnTime>& own, const FunctionCounts& counts) {
  std::vector<Sum> sums(counts.samples.size());
  double all = 0;
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    if (own[i].function < 0) continue;
    Sum& sum = sums[static_cast<std::size_t>(own[i].function)];
    sum.of.push_back(i);
    sum.of_parts += own[i].variance;
    all += own[i].ticks;
  }
  const double samples = std::accumulate(counts.samples.begin(), counts.samples.end(), 0.0);
  double sampled = all, of_probes2 = 0;
  for (const double ticks : counts.probes) {
    sampled += ticks;
    of_probes2 += error_of_probes * ticks * error_of_probes * ticks;
  }
  const double unknown = sampled * counts.unknown / (samples + counts.unknown);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double share = counts.samples[i] / samples;
    // As if one more sample had been taken of it, and one of the others: what was not seen may still be something.
    const double shrunk = (counts.samples[i] + 1) / (samples + 2);
    const double of_probes = i < counts.probes.size() ? counts.probes[i] : 0;
    sums[i].ticks = std::max(0.0, share * sampled - of_probes);
    const double of_error = counts.error_of_share * share * sampled, own_cost = error_of_probes * of_probes;
    // What the probes of one function took too much of is missed by all, by their shares.
    const double of_cost2 = share * share * of_probes2 + (1 - 2 * share) * own_cost * own_cost;
    const double others = unknown * unknown + of_error * of_error + of_cost2;
    // Poisson's: as the sum of all is kept, too, both together are the multinomial distribution's.
    sums[i].variance = sampled * sampled * shrunk / samples + others;
    sums[i].by_itself = sampled * sampled * shrunk * (1 - shrunk) / samples + others;
  }
  return sums;
}

std::vector<Sum> sums_of_cells(const std::vector<OwnTime>& own) {
  std::map<std::uint32_t, Sum> cells;
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    if (!(own[i].variance > 0)) continue;
    Sum& sum = cells[own[i].cell];
    sum.of.push_back(i);
    sum.ticks += own[i].ticks;
    sum.of_parts += own[i].variance;
  }
  std::vector<Sum> sums;
  for (auto& [number, sum] : cells) sums.push_back(std::move(sum));
  return sums;
}

/// Keeps the sum where none could be negative.
void keep(const Sum& sum, std::vector<OwnTime>& own) {
  double now = 0;
  for (const std::uint32_t i : sum.of) now += own[i].ticks;
  for (const std::uint32_t i : sum.of) own[i].ticks *= now > 0 ? sum.ticks / now : 1;
}

/// The variance of a part once its sum is known better: of two jointly normal quantities, one given the other.
double variance_within(const OwnTime& part, const Sum& sum) {
  const double after = sum.of_parts * sum.by_itself / (sum.of_parts + sum.by_itself);
  const double share = part.variance / sum.of_parts;
  return part.variance * (1 - share) + share * share * after;
}

} // namespace

std::vector<OwnTime> fit(const std::vector<OwnTime>& own, const FunctionCounts& counts) {
  std::vector<Sum> functions = sums_of_functions(own, counts), cells = sums_of_cells(own);
  std::vector<double> ticks(own.size());
  double all = 0;
  for (std::size_t i = 0; i < own.size(); ++i) all += ticks[i] = own[i].ticks;
  double off = all;
  for (int round = 0; round < most_rounds && off > close_enough * all; ++round) {
    off = 0;
    for (Sum& sum : functions) off = std::max(off, approach(sum, own, ticks));
    for (Sum& sum : cells) off = std::max(off, approach(sum, own, ticks));
  }
  std::vector<OwnTime> fitted = own;
  for (std::size_t i = 0; i < own.size(); ++i) fitted[i].ticks = ticks[i];
  for (const Sum& sum : cells) keep(sum, fitted);
  for (const Sum& sum : functions)
    for (const std::uint32_t i : sum.of)
      if (own[i].variance > 0) fitted[i].variance = variance_within(own[i], sum);
  for (OwnTime& of : fitted) of.variance += of.waits;
  return fitted;
}

} // namespace andes::monitor
