#include "tests/monitor/sample_trials.h"

#include <cmath>
#include <stdexcept>

namespace andes::test {
namespace {

constexpr double unit_ticks = 2100; // about a microsecond
constexpr std::uint32_t long_block = 1000;

double uniform(Random& random) { // never 0
  return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
}

double exponential(Random& random) { return -std::log(uniform(random)); }

double normal(Random& random) {
  return std::sqrt(2 * exponential(random)) * std::cos(2 * M_PI * uniform(random));
}

/// Large with a chance in a hundred of Percent.
template <int Percent, int Factor> double bimodal(Random& random) {
  return unit_ticks * (uniform(random) < Percent / 100. ? Factor : 1);
}
template <int Tenths> double lognormal(Random& random) {
  return unit_ticks * std::exp(Tenths / 10. * normal(random));
}
double lognormal_mean(double s) { return unit_ticks * std::exp(s * s / 2); }
template <int Tenths> double pareto(Random& random) {
  return unit_ticks * std::pow(uniform(random), -10. / Tenths);
}
double pareto_mean(double index) { return unit_ticks * index / (index - 1); }

struct Tally {
  double truth, visits;
  int count = 0, covered = 0, above = 0, above_normal = 0, reliable = 0;
  double sum = 0, squares = 0, error = 0, width = 0;

  void add(const Estimate& estimate) {
    ++count;
    const double off = estimate.total - truth, rounding = 1e-9 * truth;
    const double error_here = std::sqrt(estimate.variance);
    covered += off <= estimate.below + rounding && -off <= estimate.above + rounding;
    above += -off > estimate.above + rounding;
    above_normal += -off > 1.96 * error_here + rounding;
    reliable += estimate.reliable;
    sum += off;
    squares += off * off;
    error += error_here;
    width += estimate.below + estimate.above;
  }
  Outcome outcome() const {
    const double mean = sum / count;
    const double deviation = std::sqrt(squares / count - mean * mean);
    return {mean / truth,
            mean / visits,
            static_cast<double>(covered) / count,
            static_cast<double>(above) / count,
            static_cast<double>(above_normal) / count,
            error > 0 ? width / (2 * 1.96 * error) : 0,
            deviation > 0 ? error / count / deviation : 0,
            static_cast<double>(reliable) / count};
  }
};

} // namespace

Outcome trials(const Draws& draws, int timed, int count) {
  Random random(static_cast<std::uint64_t>(timed)); // other durations for every size
  const double visits = static_cast<double>(timed) * long_block;
  Tally tally{draws.mean_ticks * visits, visits};
  for (int trial = 0; trial < count; ++trial) {
    Sample sample{};
    for (int i = 0; i < timed; ++i)
      // Whole ticks, rounded at random: the mean stays.
      add(sample, static_cast<std::uint64_t>(draws.draw(random) + uniform(random)), long_block);
    tally.add(estimate(sample, visits));
  }
  return tally.outcome();
}

Outcome trials(const Program& program, int count) {
  double truth = 0;
  for (std::uint64_t ticks : program.ticks) truth += static_cast<double>(ticks);
  Tally tally{truth, static_cast<double>(program.ticks.size())};
  for (int trial = 0; trial < count; ++trial) {
    Sample sample{};
    Blocks blocks{static_cast<std::uint64_t>(trial), 0, 0};
    std::size_t visit = 0, block = 0; // the next visit; the first of the next block
    while (block < program.ticks.size()) {
      visit += next_gap(blocks, program.k[block]);
      if (visit >= program.ticks.size()) break;
      add(sample, program.ticks[visit++], blocks.k);
      block = visit + blocks.rest;
    }
    tally.add(estimate(sample, static_cast<double>(program.ticks.size())));
  }
  return tally.outcome();
}

const std::vector<Draws>& ordinary_draws() {
  static const std::vector<Draws> all{
      {"constant", unit_ticks, [](Random&) { return unit_ticks; }},
      {"bimodal 50/50, x1/x10", unit_ticks * 5.5, bimodal<50, 10>},
      {"bimodal 90/10, x1/x10", unit_ticks * 1.9, bimodal<10, 10>},
      {"bimodal 99/1, x1/x100", unit_ticks * 1.99, bimodal<1, 100>},
      {"exponential", unit_ticks, [](Random& r) { return unit_ticks * exponential(r); }},
      {"gamma, shape 1/2", unit_ticks / 2,
       [](Random& r) {
         const double n = normal(r);
         return unit_ticks * n * n / 2;
       }},
      {"gamma, shape 3", unit_ticks * 3,
       [](Random& r) { return -unit_ticks * std::log(uniform(r) * uniform(r) * uniform(r)); }},
      {"lognormal, s = 1", lognormal_mean(1), lognormal<10>},
  };
  return all;
}

const std::vector<Draws>& pareto_draws() {
  static const std::vector<Draws> all{
      {"pareto, index 1.2", pareto_mean(1.2), pareto<12>},
      {"pareto, index 1.5", pareto_mean(1.5), pareto<15>},
      {"pareto, index 1.8", pareto_mean(1.8), pareto<18>},
  };
  return all;
}

const Draws& draws_of(const std::string& name) {
  static const std::vector<Draws> others{
      {"lognormal, s = 1.5", lognormal_mean(1.5), lognormal<15>},
      {"one in 200 of a pareto tail", 0.995 * unit_ticks + 0.005 * pareto_mean(1.5),
       [](Random& r) { return uniform(r) < 0.005 ? pareto<15>(r) : unit_ticks; }},
      {"20 to 60 ticks", 40, [](Random& r) { return 20 + std::floor(41 * uniform(r)); }},
      {"36 or 72 ticks", 54, [](Random& r) { return uniform(r) < 0.5 ? 36. : 72.; }},
      {"0 or 10 ticks", 1, [](Random& r) { return uniform(r) < 0.9 ? 0. : 10.; }},
  };
  for (const auto* list : {&others, &ordinary_draws(), &pareto_draws()})
    for (const Draws& draws : *list)
      if (draws.name == name) return draws;
  throw std::invalid_argument("no durations are called " + name);
}

std::vector<Program> programs(std::uint32_t k, std::size_t visits) {
  std::vector<Program> all;
  // Rhythms: the durations of one period, most of them short, one in 16 twenty times as long.
  const auto rhythm = [&](const char* name, std::size_t period) {
    Random random(period);
    std::vector<std::uint64_t> of_period(period);
    for (auto& ticks : of_period)
      ticks = static_cast<std::uint64_t>(unit_ticks * exponential(random));
    for (std::size_t i = 0; i < period; i += 16) of_period[i] = 20 * 2100;
    Program program{name, {}, std::vector<std::uint32_t>(visits, k)};
    for (std::size_t i = 0; i < visits; ++i) program.ticks.push_back(of_period[i % period]);
    all.push_back(std::move(program));
  };
  rhythm("period k", k);
  rhythm("period k / 2", k / 2);
  rhythm("period 2 k", 2 * std::size_t{k});
  rhythm("period 3", 3);

  Random random(4);
  Program trend{"trend", {}, std::vector<std::uint32_t>(visits, k)};
  Program noisy{"trend with noise", {}, std::vector<std::uint32_t>(visits, k)};
  Program phases{"two phases, k and 8 k", {}, {}};
  Program changing{"k from 2 to 4 k, block by block", {}, {}};
  Program skewed{"one lognormal program, s = 1.5", {}, std::vector<std::uint32_t>(visits, k)};
  for (std::size_t i = 0; i < visits; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(visits);
    const bool first = i < visits / 2;
    const auto whole = [](double ticks) { return static_cast<std::uint64_t>(ticks); };
    trend.ticks.push_back(whole(unit_ticks * (1 + 9 * part)));
    noisy.ticks.push_back(whole(unit_ticks * (1 + 9 * part) * exponential(random)));
    phases.ticks.push_back(whole(unit_ticks * (first ? 50 : 1) * exponential(random)));
    phases.k.push_back(first ? k : 8 * k);
    changing.ticks.push_back(whole(unit_ticks * exponential(random)));
    changing.k.push_back(2 + static_cast<std::uint32_t>(random() % (4 * k)));
    skewed.ticks.push_back(whole(lognormal<15>(random)));
  }
  for (Program* program : {&trend, &noisy, &phases, &changing, &skewed})
    all.push_back(std::move(*program));
  return all;
}

} // namespace andes::test
