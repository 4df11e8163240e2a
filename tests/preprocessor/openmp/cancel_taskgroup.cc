// Tasks that are dropped once one of them has found what all look for; guards of the program's own are left.
#include <atomic>
#include <cstdio>
#include <omp.h>

namespace {
std::atomic<int> alive{0}, made{0};
struct Counted {
  Counted() { ++alive, ++made; }
  ~Counted() { --alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};

bool descend(int depth, int path, int goal, std::atomic<bool>& found) {
  Counted counted;
  if (depth == 0) return path == goal;
  for (int side = 0; side < 2; ++side) {
#pragma omp task shared(found) firstprivate(side, depth, path, goal)
    {
      Counted inner;
      if (descend(depth - 1, 2 * path + side, goal, found)) {
        found = true;
#pragma omp cancel taskgroup
      }
    }
  }
#pragma omp taskwait
  return false;
}
} // namespace

int main() {
  for (int goal = 0; goal < 80; goal += 16) {
    std::atomic<bool> found{false};
#pragma omp parallel default(none) shared(found, goal)
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task default(none) shared(found) firstprivate(goal)
        descend(6, 0, goal, found);
      }
    }
    std::printf("%d %d %d\n", goal, int(found), alive.load());
  }
  return made == 0;
}
