/* Known answer: call paths. The program prints what the call tree must hold,
 *   path folded|full|both PATH VISITS
 * for recursion folded into its first occurrence, and for full depth.
 *
 *   paths
 *
 * One function below different parents; direct and mutual recursion; longjmp over three frames,
 * which the probes of these frames never see; many exits of one function; and an end in the
 * middle: MPI_Finalize and exit() three calls below main, with all of these open.
 */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

static jmp_buf target;
static volatile int jumps, sink;

__attribute__((noinline)) static void leaf(int n) { sink += n; }

__attribute__((noinline)) static void parent_a(void) {
  leaf(1);
  leaf(2);
}

__attribute__((noinline)) static void parent_b(int times) {
  for (int i = 0; i < times; ++i) leaf(i);
}

/* depth + 1 visits; each but the innermost calls leaf before it goes deeper. */
__attribute__((noinline)) static int direct(int depth) {
  if (depth == 0) return 0;
  leaf(depth);
  int below = direct(depth - 1);
  sink += below; /* no tail call, which would keep the probes out */
  return 1 + below;
}

static int odd(int n);
__attribute__((noinline)) static int even(int n) {
  int result = n == 0 ? 1 : odd(n - 1);
  sink += n;
  return result;
}
__attribute__((noinline)) static int odd(int n) {
  int result = n == 0 ? 0 : even(n - 1);
  sink += n;
  return result;
}

__attribute__((noinline)) static void jump_inner(void) {
  sink++;
  longjmp(target, 1);
}
__attribute__((noinline)) static void jump_middle(void) {
  jump_inner();
  sink++;
}
__attribute__((noinline)) static void jump_outer(void) {
  jump_middle();
  sink++;
}
/* Called after a jump: must hang below jumper, not below the frames that were left. */
__attribute__((noinline)) static void landed(void) { sleep_ms(20); }

/* Has no probe, and what it calls begins further down the stack than the frames that were left. */
__attribute__((noinline, no_instrument_function)) static void beside(void) {
  volatile char room[1024];
  room[0] = 1;
  leaf(room[0]);
  sink += room[0];
}

__attribute__((noinline)) static void jumper(int times) {
  jumps = 0;
  if (setjmp(target) != 0) {
    beside();
    landed();
    jumps++;
  }
  if (jumps < times) jump_outer();
}

/* One entry and four ways out. */
__attribute__((noinline)) static int exits(int way) {
  for (int i = 0; i < 3; ++i) {
    if (way == 0) return 0;
    leaf(i);
    if (way == 1) goto out;
    if (way == 2) break;
  }
  sink++;
  return 2;
out:
  return 1;
}

__attribute__((noinline)) static void innermost(void) {
  sleep_ms(50);
  MPI_Finalize();
  exit(0);
}
__attribute__((noinline)) static void middle(void) {
  innermost();
  sink++;
}
__attribute__((noinline)) static void outer(void) {
  middle();
  sink++;
}

static void print_expected(void) {
  static const char* const text = "path both main 1\n"
                                  "path both main/parent_a 3\n"
                                  "path both main/parent_a/leaf 6\n"
                                  "path both main/parent_b 2\n"
                                  "path both main/parent_b/leaf 9\n"
                                  "path both main/leaf 1\n"
                                  "path folded main/direct 5\n"
                                  "path folded main/direct/leaf 4\n"
                                  "path full main/direct 1\n"
                                  "path full main/direct/leaf 1\n"
                                  "path full main/direct/direct 1\n"
                                  "path full main/direct/direct/leaf 1\n"
                                  "path full main/direct/direct/direct/direct/direct 1\n"
                                  "path folded main/even 3\n"
                                  "path folded main/even/odd 3\n"
                                  "path full main/even 1\n"
                                  "path full main/even/odd 1\n"
                                  "path full main/even/odd/even/odd/even/odd 1\n"
                                  "path both main/jumper 1\n"
                                  "path both main/jumper/jump_outer 4\n"
                                  "path both main/jumper/jump_outer/jump_middle 4\n"
                                  "path both main/jumper/jump_outer/jump_middle/jump_inner 4\n"
                                  "path both main/jumper/landed 4\n"
                                  "path both main/jumper/leaf 4\n"
                                  "path both main/exits 4\n"
                                  "path both main/exits/leaf 5\n"
                                  "path both main/outer/middle/innermost 1\n";
  printf("%s", text);
  fflush(stdout);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) parent_a();
  parent_b(4);
  parent_b(5);
  leaf(0);
  if (direct(4) != 4 || even(5) != 0) return 1;
  jumper(4);
  for (int way = 0; way < 4; ++way) exits(way);
  if (rank == 0) print_expected();
  outer();
  return 1; /* never reached */
}
