/* Known answer: a build that takes longer than another, without MPI. In milliseconds: prepare 20, solve 40 + EXTRA.
 *
 *   slower_alone EXTRA_MS
 */
#include <stdlib.h>

#include "clock.h"

static void prepare(double milliseconds) { sleep_ms(milliseconds); }
static void solve(double milliseconds) { sleep_ms(milliseconds); }

int main(int argc, char** argv) {
  prepare(20);
  solve(40 + (argc > 1 ? atof(argv[1]) : 0));
  return 0;
}
