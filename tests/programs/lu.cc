// LU decomposition with partial pivoting, rows dealt to the ranks in turn (row-cyclic), and the
// solution of a linear system with it.
//
//   lu SIZE [--counts]
//
// Step k: the largest element of column k is found over all ranks (Allreduce of value and row),
// its row changes places with row k (between two ranks, or within one), row k is broadcast, and
// every rank eliminates in its rows below k. The right-hand side travels as one more column.
// The matrix comes from a formula, so every rank makes its rows again at the end and checks the
// residual |A x - b|; b is A times a known vector, so that the solution itself is known too.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <mpi.h>

#include "counts.h"

namespace {

struct Pivot { // laid out as MPI_DOUBLE_INT
  double value;
  int row;
};

struct Check {
  double residual, error;
};

class System {
public:
  System(int size, int rank, int ranks);
  void factorise();
  std::vector<double> solve() const;
  Check check(const std::vector<double>& x) const;

private:
  static double element(int row, int column);
  static double expected(int i) { return 1.0 + 0.25 * (i % 4); }
  double* row(int i) { return &rows_[static_cast<std::size_t>(i / ranks_) * width_]; }
  const double* row(int i) const { return &rows_[static_cast<std::size_t>(i / ranks_) * width_]; }
  int owner(int i) const { return i % ranks_; }
  int first_from(int i) const { return i + (rank_ - i % ranks_ + ranks_) % ranks_; }
  double right_side(int i) const;

  int find_pivot(int k) const;
  void exchange_rows(int k, int pivot);
  void broadcast_row(int k);
  void eliminate(int k);

  int size_, rank_, ranks_;
  std::size_t width_;         // columns with the right-hand side
  std::vector<double> rows_;  // this rank's rows: rank, rank + ranks, ...
  std::vector<double> front_; // the pivot row of this step
};

System::System(int size, int rank, int ranks)
    : size_(size), rank_(rank), ranks_(ranks), width_(static_cast<std::size_t>(size) + 1),
      rows_(static_cast<std::size_t>((size - rank + ranks - 1) / ranks) * width_), front_(width_) {
  counts_visit("System::System");
  for (int i = rank_; i < size_; i += ranks_) {
    for (int j = 0; j < size_; ++j) row(i)[j] = element(i, j);
    row(i)[size_] = right_side(i);
  }
}

/// Pseudo-random in [-1, 1), from row and column alone.
double System::element(int row, int column) {
  std::uint64_t bits = (static_cast<std::uint64_t>(row) << 32) ^ static_cast<std::uint64_t>(column);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u + 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-52 - 1.0;
}

double System::right_side(int i) const {
  double sum = 0.0;
  for (int j = 0; j < size_; ++j) sum += element(i, j) * expected(j);
  return sum;
}

int System::find_pivot(int k) const {
  counts_visit("System::find_pivot");
  Pivot mine{-1.0, k}, largest{0.0, k};
  for (int i = first_from(k); i < size_; i += ranks_)
    if (std::fabs(row(i)[k]) > mine.value) mine = {std::fabs(row(i)[k]), i};
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  counts_call("MPI_Allreduce", 12, 12); // the size of MPI_DOUBLE_INT leaves out the padding
  return largest.row;
}

void System::exchange_rows(int k, int pivot) {
  if (k == pivot) return;
  if (owner(k) == owner(pivot)) {
    if (owner(k) == rank_) std::swap_ranges(row(k), row(k) + width_, row(pivot));
    return;
  }
  if (owner(k) != rank_ && owner(pivot) != rank_) return;
  int mine = owner(k) == rank_ ? k : pivot, other = owner(k) == rank_ ? owner(pivot) : owner(k);
  MPI_Sendrecv_replace(row(mine), static_cast<int>(width_), MPI_DOUBLE, other, 1, other, 1,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  counts_send("MPI_Sendrecv_replace", 1, other, static_cast<long long>(width_ * sizeof(double)));
  counts_receive("MPI_Sendrecv_replace", 0, static_cast<long long>(width_ * sizeof(double)));
}

void System::broadcast_row(int k) {
  counts_visit("System::broadcast_row");
  int count = static_cast<int>(width_) - k;
  if (owner(k) == rank_) std::copy(row(k) + k, row(k) + width_, front_.begin() + k);
  MPI_Bcast(front_.data() + k, count, MPI_DOUBLE, owner(k), MPI_COMM_WORLD);
  counts_call("MPI_Bcast", owner(k) == rank_ ? 8LL * count : 0,
              owner(k) == rank_ ? 0 : 8LL * count);
}

void System::eliminate(int k) {
  counts_visit("System::eliminate");
  for (int i = first_from(k + 1); i < size_; i += ranks_) {
    double* to = row(i);
    const double factor = to[k] / front_[static_cast<std::size_t>(k)];
    to[k] = factor;
    for (std::size_t j = static_cast<std::size_t>(k) + 1; j < width_; ++j)
      to[j] -= factor * front_[j];
  }
}

void System::factorise() {
  counts_visit("System::factorise");
  for (int k = 0; k < size_; ++k) {
    exchange_rows(k, find_pivot(k));
    broadcast_row(k);
    eliminate(k);
  }
}

/// Back substitution: the owner of row k computes x[k] and tells the others.
std::vector<double> System::solve() const {
  counts_visit("System::solve");
  std::vector<double> x(static_cast<std::size_t>(size_));
  for (int k = size_ - 1; k >= 0; --k) {
    double* result = &x[static_cast<std::size_t>(k)];
    if (owner(k) == rank_) {
      double sum = row(k)[size_];
      for (int j = k + 1; j < size_; ++j) sum -= row(k)[j] * x[static_cast<std::size_t>(j)];
      *result = sum / row(k)[k];
    }
    MPI_Bcast(result, 1, MPI_DOUBLE, owner(k), MPI_COMM_WORLD);
    counts_call("MPI_Bcast", owner(k) == rank_ ? 8 : 0, owner(k) == rank_ ? 0 : 8);
  }
  return x;
}

Check System::check(const std::vector<double>& x) const {
  counts_visit("System::check");
  double mine[2] = {0.0, 0.0}, all[2] = {0.0, 0.0};
  for (int i = rank_; i < size_; i += ranks_) {
    double sum = -right_side(i);
    for (int j = 0; j < size_; ++j) sum += element(i, j) * x[static_cast<std::size_t>(j)];
    mine[0] = std::max(mine[0], std::fabs(sum));
    mine[1] = std::max(mine[1], std::fabs(x[static_cast<std::size_t>(i)] - expected(i)));
  }
  MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  counts_call("MPI_Allreduce", 16, 16);
  return {all[0], all[1]};
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int size = argc > 1 ? std::atoi(argv[1]) : 0;
  if (size < 1) {
    if (rank == 0) std::fprintf(stderr, "usage: lu SIZE [--counts]\n");
    MPI_Finalize();
    return 2;
  }
  counts_visit("main");
  System system(size, rank, ranks);
  system.factorise();
  const std::vector<double> x = system.solve();
  const Check result = system.check(x);
  double sum = 0.0;
  for (double value : x) sum += value;
  status = !(result.residual < 1e-9 * size);
  if (rank == 0)
    std::printf("lu: %d x %d: sum of x %.9f, residual %.3e, error %.3e: %s\n", size, size, sum,
                result.residual, result.error, status ? "WRONG" : "right");
  if (argc > 2 && std::strcmp(argv[2], "--counts") == 0) counts_print(rank);
  MPI_Finalize();
  return status;
}
