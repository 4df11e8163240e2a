// Gibbs sampler: independent chains that sample a bivariate normal distribution.
//
//   gibbs CHAINS STEPS [--counts]
//
// The chains are dealt to the ranks in turn and nothing is communicated but the results. A chain
// makes a random number of steps, STEPS on average, so that the work of the ranks differs by
// chance alone. Each chain has its own generator, seeded with its number: the sample is the same
// whatever the number of ranks. Checked: the number of steps, and means, variances and
// correlation against those of the distribution, within four standard errors.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <mpi.h>

#include "counts.h"

namespace {

constexpr double correlation = 0.5;

/// xorshift64*, uniform numbers and normal ones by Marsaglia's polar method.
class Random {
public:
  explicit Random(std::uint64_t seed) : bits_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {
    for (int i = 0; i < 8; ++i) next();
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double normal();

private:
  std::uint64_t next() {
    bits_ ^= bits_ >> 12;
    bits_ ^= bits_ << 25;
    bits_ ^= bits_ >> 27;
    return bits_ * 0x2545f4914f6cdd1du;
  }
  std::uint64_t bits_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double u, v, s;
  do {
    u = 2.0 * uniform() - 1.0;
    v = 2.0 * uniform() - 1.0;
    s = u * u + v * v;
  } while (s >= 1.0 || s == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(s) / s);
  spare_ = v * factor;
  has_spare_ = true;
  return u * factor;
}

/// Sums over a sample: steps, x, y, x^2, y^2, x y.
struct Sums {
  double steps, x, y, xx, yy, xy;
};

struct State {
  double x, y;
};

void sweep(Random& random, State& state, int times) {
  const double spread = std::sqrt(1.0 - correlation * correlation);
  for (int i = 0; i < times; ++i) {
    state.x = correlation * state.y + spread * random.normal();
    state.y = correlation * state.x + spread * random.normal();
  }
}

State burn_in(Random& random) {
  counts_visit("burn_in");
  State state{3.0, -3.0};
  sweep(random, state, 100);
  return state;
}

void sample(Random& random, State& state, int steps, Sums& sums) {
  counts_visit("sample");
  for (int i = 0; i < steps; ++i) {
    for (int thin = 0; thin < 4; ++thin) { // every fifth state is nearly independent
      const double spread = std::sqrt(1.0 - correlation * correlation);
      state.x = correlation * state.y + spread * random.normal();
      state.y = correlation * state.x + spread * random.normal();
    }
    sums.steps += 1.0;
    sums.x += state.x;
    sums.y += state.y;
    sums.xx += state.x * state.x;
    sums.yy += state.y * state.y;
    sums.xy += state.x * state.y;
  }
}

void run_chain(int chain, int steps, Sums& sums) {
  counts_visit("run_chain");
  Random random(static_cast<std::uint64_t>(chain) + 1);
  const int length = static_cast<int>(steps * (0.5 + random.uniform()));
  State state = burn_in(random);
  sample(random, state, length, sums);
}

Sums run_chains(int rank, int ranks, int chains, int steps) {
  counts_visit("run_chains");
  Sums sums{};
  for (int chain = rank; chain < chains; chain += ranks) run_chain(chain, steps, sums);
  return sums;
}

Sums collect(const Sums& mine, int rank) {
  counts_visit("collect");
  Sums all{};
  MPI_Reduce(&mine, &all, 6, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  counts_call("MPI_Reduce", 48, rank == 0 ? 48 : 0);
  return all;
}

/// Prints the estimates; returns whether they are right.
bool judge(const Sums& s) {
  counts_visit("judge");
  const double n = s.steps, mean_x = s.x / n, mean_y = s.y / n;
  const double var_x = s.xx / n - mean_x * mean_x, var_y = s.yy / n - mean_y * mean_y;
  const double r = (s.xy / n - mean_x * mean_y) / std::sqrt(var_x * var_y);
  const double mean_error = 4.0 / std::sqrt(n), square_error = 4.0 * std::sqrt(2.0 / n);
  const bool right = std::fabs(mean_x) < mean_error && std::fabs(mean_y) < mean_error &&
                     std::fabs(var_x - 1.0) < square_error &&
                     std::fabs(var_y - 1.0) < square_error &&
                     std::fabs(r - correlation) < mean_error;
  std::printf("gibbs: %.0f samples: means %.6f %.6f, variances %.6f %.6f, correlation %.6f: %s\n",
              n, mean_x, mean_y, var_x, var_y, r, right ? "right" : "WRONG");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int chains = argc > 2 ? std::atoi(argv[1]) : 0, steps = argc > 2 ? std::atoi(argv[2]) : 0;
  if (chains < 1 || steps < 1) {
    if (rank == 0) std::fprintf(stderr, "usage: gibbs CHAINS STEPS [--counts]\n");
    MPI_Finalize();
    return 2;
  }
  counts_visit("main");
  const Sums all = collect(run_chains(rank, ranks, chains, steps), rank);
  if (rank == 0) status = !judge(all);
  if (argc > 3 && std::strcmp(argv[3], "--counts") == 0) counts_print(rank);
  MPI_Finalize();
  return status;
}
