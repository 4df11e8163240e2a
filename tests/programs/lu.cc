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
  void make_row(int i, double* out) const;
  int find_pivot(int k) const;
  void exchange_rows(int k, int pivot);
  void broadcast_row(int k);
  void eliminate(int k);

  int size_, rank_, ranks_;
  std::size_t width_; // columns with the right-hand side
  std::vector<double> values_;
  std::vector<double*> rows_; // this rank's rows: rank, rank + ranks, ...
  std::vector<double> front_; // the pivot row of this step
};

System::System(int size, int rank, int ranks)
    : size_(size), rank_(rank), ranks_(ranks), width_(static_cast<std::size_t>(size) + 1),
      values_(static_cast<std::size_t>((size - rank + ranks - 1) / ranks) * width_),
      front_(width_) {
  counts_visit("System::System");
  for (std::size_t at = 0; at < values_.size(); at += width_) rows_.push_back(&values_[at]);
  for (int i = rank_; i < size_; i += ranks_) make_row(i, rows_[i / ranks_]);
}

/// Row i of the matrix, pseudo-random in [-1, 1) from row and column alone, with its right-hand
/// side for the solution 1, 1.25, 1.5, 1.75, 1, ... behind it.
void System::make_row(int i, double* out) const {
  counts_visit("System::make_row");
  double sum = 0.0;
  for (int j = 0; j < size_; ++j) {
    std::uint64_t bits = (static_cast<std::uint64_t>(i) << 32) ^ static_cast<std::uint64_t>(j);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u + 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    out[j] = static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-52 - 1.0;
    sum += out[j] * (1.0 + 0.25 * (j % 4));
  }
  out[size_] = sum;
}

int System::find_pivot(int k) const {
  counts_visit("System::find_pivot");
  Pivot mine{-1.0, k}, largest{0.0, k};
  for (int i = k + (rank_ - k % ranks_ + ranks_) % ranks_; i < size_; i += ranks_)
    if (const double value = std::fabs(rows_[i / ranks_][k]); value > mine.value) mine = {value, i};
  MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  counts_call("MPI_Allreduce", 12, 12); // the size of MPI_DOUBLE_INT leaves out the padding
  return largest.row;
}

void System::exchange_rows(int k, int pivot) {
  const int here = k % ranks_, there = pivot % ranks_;
  if (k == pivot || (here != rank_ && there != rank_)) return;
  if (here == there) {
    std::swap_ranges(rows_[k / ranks_], rows_[k / ranks_] + width_, rows_[pivot / ranks_]);
    return;
  }
  double* mine = rows_[(here == rank_ ? k : pivot) / ranks_];
  const int other = here == rank_ ? there : here;
  MPI_Sendrecv_replace(mine, static_cast<int>(width_), MPI_DOUBLE, other, 1, other, 1,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  counts_send("MPI_Sendrecv_replace", 1, other, static_cast<long long>(width_ * sizeof(double)));
  counts_receive("MPI_Sendrecv_replace", 0, static_cast<long long>(width_ * sizeof(double)));
}

void System::broadcast_row(int k) {
  counts_visit("System::broadcast_row");
  const int count = static_cast<int>(width_) - k, owner = k % ranks_;
  if (owner == rank_)
    std::copy(rows_[k / ranks_] + k, rows_[k / ranks_] + width_, front_.begin() + k);
  MPI_Bcast(front_.data() + k, count, MPI_DOUBLE, owner, MPI_COMM_WORLD);
  counts_call("MPI_Bcast", owner == rank_ ? 8LL * count : 0, owner == rank_ ? 0 : 8LL * count);
}

void System::eliminate(int k) {
  counts_visit("System::eliminate");
  for (int i = k + 1 + (rank_ - (k + 1) % ranks_ + ranks_) % ranks_; i < size_; i += ranks_) {
    double* to = rows_[i / ranks_];
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
    const int owner = k % ranks_;
    if (owner == rank_) {
      const double* row = rows_[k / ranks_];
      double sum = row[size_];
      for (int j = k + 1; j < size_; ++j) sum -= row[j] * x[static_cast<std::size_t>(j)];
      *result = sum / row[k];
    }
    MPI_Bcast(result, 1, MPI_DOUBLE, owner, MPI_COMM_WORLD);
    counts_call("MPI_Bcast", owner == rank_ ? 8 : 0, owner == rank_ ? 0 : 8);
  }
  return x;
}

Check System::check(const std::vector<double>& x) const {
  counts_visit("System::check");
  double mine[2] = {0.0, 0.0}, all[2] = {0.0, 0.0};
  std::vector<double> row(width_);
  for (int i = rank_; i < size_; i += ranks_) {
    make_row(i, row.data());
    double sum = -row[width_ - 1];
    for (std::size_t j = 0; j + 1 < width_; ++j) sum += row[j] * x[j];
    mine[0] = std::max(mine[0], std::fabs(sum));
    mine[1] = std::max(mine[1], std::fabs(x[static_cast<std::size_t>(i)] - (1.0 + 0.25 * (i % 4))));
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
