/* integer_sort.c: like IS of the NAS parallel benchmarks: keys from four random numbers each, by a function
 * of 20 ns, and ten rankings of them by buckets, an exchange and counting. The random function looks
 * expensive in the source, as it makes its constants at the first call, so a default selection keeps it.
 * A step is one array of keys. The checksum is of the ranks of some keys; the order is checked. */
#include "corpus.h"

#include <string.h>

enum { KEYS = 1 << 15, LARGEST_BITS = 16, LARGEST = 1 << LARGEST_BITS, BUCKETS = 1 << 9, RANKINGS = 10, SHIFT = 7 };

static int keys[KEYS], sorted_by_bucket[KEYS], *received, counts[LARGEST];
static int bucket_size[BUCKETS], bucket_total[BUCKETS];
static long received_keys;
static const struct corpus *all;

/* x = a x mod 2^46 in parts of 23 bits, as doubles. */
static APART double randlc(double *x, double a) {
  static int ready;
  static double r23, r46, t23, t46;
  if (!ready) {
    r23 = r46 = t23 = t46 = 1;
    for (int i = 0; i < 23; ++i) {
      r23 *= 0.5;
      t23 *= 2;
    }
    for (int i = 0; i < 46; ++i) {
      r46 *= 0.5;
      t46 *= 2;
    }
    ready = 1;
  }
  double a1 = (double)(int)(r23 * a), a2 = a - t23 * a1;
  double x1 = (double)(int)(r23 * *x), x2 = *x - t23 * x1;
  double t1 = a1 * x2 + a2 * x1, z = t1 - t23 * (double)(int)(r23 * t1);
  double t3 = t23 * z + a2 * x2;
  *x = t3 - t46 * (double)(long)(r46 * t3);
  return r46 * *x;
}

static APART void create_seq(double seed) {
  for (int i = 0; i < KEYS; ++i) {
    double x = 0;
    for (int j = 0; j < 4; ++j) x += randlc(&seed, 1220703125.0);
    keys[i] = (int)(LARGEST / 4 * x);
  }
}

static APART void count_buckets(void) {
  memset(bucket_size, 0, sizeof bucket_size);
  for (int i = 0; i < KEYS; ++i) ++bucket_size[keys[i] >> SHIFT];
}

static APART void fill_buckets(void) {
  static int place[BUCKETS];
  place[0] = 0;
  for (int i = 1; i < BUCKETS; ++i) place[i] = place[i - 1] + bucket_size[i - 1];
  for (int i = 0; i < KEYS; ++i) sorted_by_bucket[place[keys[i] >> SHIFT]++] = keys[i];
}

/* Buckets go to ranks so that each gets about as many keys; the first bucket of each rank. */
static void share_out(int first[]) {
  long sum = 0;
  int rank = 0;
  first[0] = 0;
  for (int i = 0; i < BUCKETS; ++i) {
    sum += bucket_total[i];
    if (sum >= (long)KEYS * (rank + 1) && rank + 1 < all->ranks) first[++rank] = i + 1;
  }
  while (rank < all->ranks) first[++rank] = BUCKETS;
}

static APART void rank_keys(void) {
  int first[65], send[64], send_at[64], receive[64], receive_at[64];
  count_buckets();
  MPI_Allreduce(bucket_size, bucket_total, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  fill_buckets();
  share_out(first);
  for (int r = 0; r < all->ranks; ++r) {
    send[r] = 0;
    for (int i = first[r]; i < first[r + 1]; ++i) send[r] += bucket_size[i];
    send_at[r] = r > 0 ? send_at[r - 1] + send[r - 1] : 0;
  }
  MPI_Alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < all->ranks; ++r) receive_at[r] = r > 0 ? receive_at[r - 1] + receive[r - 1] : 0;
  received_keys = receive_at[all->ranks - 1] + receive[all->ranks - 1];
  MPI_Alltoallv(sorted_by_bucket, send, send_at, MPI_INT, received, receive, receive_at, MPI_INT, MPI_COMM_WORLD);
  memset(counts, 0, sizeof counts);
  for (long i = 0; i < received_keys; ++i) ++counts[received[i]];
  for (int i = 1; i < LARGEST; ++i) counts[i] += counts[i - 1];
}

static APART double partial_verify(void) {
  double sum = 0;
  for (int i = 1; i < LARGEST; i += 997) sum += counts[i];
  if (counts[LARGEST - 1] != received_keys) MPI_Abort(MPI_COMM_WORLD, 1);
  return sum;
}

int main(int argc, char **argv) {
  struct corpus c = corpus_start(&argc, &argv);
  double sum = 0;
  all = &c;
  if (c.ranks > 64) MPI_Abort(MPI_COMM_WORLD, 2);
  received = malloc(sizeof *received * KEYS * (size_t)c.ranks);
  for (long i = 0; i < c.steps; ++i) {
    create_seq(314159265.0 + 2.0 * (double)(i * c.ranks + c.rank));
    for (int n = 0; n < RANKINGS; ++n) {
      keys[n] = n;
      keys[n + RANKINGS] = LARGEST - 1 - n;
      rank_keys();
      sum += partial_verify();
    }
  }
  return corpus_end(&c, "integer_sort", sum);
}
