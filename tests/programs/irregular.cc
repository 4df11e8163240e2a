// Load imbalance: the Mandelbrot set with rows dealt to the ranks in blocks. The rows in the
// middle of the picture cost far more than those at its edges, so the ranks in the middle work
// while the others wait for them in MPI_Gatherv.
//
//   irregular SIZE LIMIT [--counts]
//
// Checked: the set is symmetric about the real axis and the rows lie symmetrically too, with
// coordinates that are exact negatives; so every row must have exactly the sum of its mirror
// image. The total is an integer, the same for any number of ranks.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include <mpi.h>

#include "counts.h"

namespace {

struct Picture {
  int size, limit;
};

struct Block {
  int first, rows;
};

Block block_of(const Picture& picture, int rank, int ranks) {
  const auto edge = [&](int r) { return static_cast<int>(1LL * picture.size * r / ranks); };
  return {edge(rank), edge(rank + 1) - edge(rank)};
}

inline int escape_time(double re, double im, int limit) {
  double x = 0.0, y = 0.0;
  int n = 0;
  while (n < limit && x * x + y * y <= 4.0) {
    const double next = x * x - y * y + re;
    y = 2.0 * x * y + im;
    x = next;
    ++n;
  }
  return n;
}

/// Sum of the escape times of a row. The imaginary part of row i is that of row size-1-i, negated.
long long render_row(const Picture& picture, int row) {
  counts_visit("render_row");
  const double im = (2 * row - picture.size + 1) * 1.25 / picture.size;
  long long sum = 0;
  for (int column = 0; column < picture.size; ++column)
    sum += escape_time(-2.0 + 2.5 * column / picture.size, im, picture.limit);
  return sum;
}

std::vector<long long> render_block(const Picture& picture, Block block) {
  counts_visit("render_block");
  std::vector<long long> sums;
  for (int i = 0; i < block.rows; ++i) sums.push_back(render_row(picture, block.first + i));
  return sums;
}

std::vector<long long> gather(const Picture& picture, const std::vector<long long>& mine, int rank,
                              int ranks) {
  counts_visit("gather");
  std::vector<int> counts, places;
  std::vector<long long> all;
  if (rank == 0) {
    for (int r = 0; r < ranks; ++r) {
      counts.push_back(block_of(picture, r, ranks).rows);
      places.push_back(block_of(picture, r, ranks).first);
    }
    all.resize(static_cast<std::size_t>(picture.size));
  }
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_LONG_LONG, all.data(), counts.data(),
              places.data(), MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  counts_call("MPI_Gatherv", 8 * static_cast<long long>(mine.size()),
              rank == 0 ? 8LL * picture.size : 0);
  return all;
}

bool symmetric(const std::vector<long long>& rows) {
  counts_visit("symmetric");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] != rows[rows.size() - 1 - i]) return false;
  return true;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Picture picture{argc > 2 ? std::atoi(argv[1]) : 0, argc > 2 ? std::atoi(argv[2]) : 0};
  if (picture.size < 1 || picture.limit < 1) {
    if (rank == 0) std::fprintf(stderr, "usage: irregular SIZE LIMIT [--counts]\n");
    MPI_Finalize();
    return 2;
  }
  counts_visit("main");
  const std::vector<long long> mine = render_block(picture, block_of(picture, rank, ranks));
  const std::vector<long long> rows = gather(picture, mine, rank, ranks);
  if (rank == 0) {
    status = !symmetric(rows);
    std::printf("irregular: %d x %d: %lld iterations: %s\n", picture.size, picture.size,
                std::accumulate(rows.begin(), rows.end(), 0LL), status ? "WRONG" : "right");
  }
  if (argc > 3 && std::strcmp(argv[3], "--counts") == 0) counts_print(rank);
  MPI_Finalize();
  return status;
}
