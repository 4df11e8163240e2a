// fibers.cc: user-level threads of Boost.Context: each a loop over values, suspended in the middle of
// functions with probes, destroyed in the middle (which unwinds its stack).
#include <boost/context/fiber.hpp>

#include "odd.h"

namespace {

using boost::context::fiber;

int sum;
FUNCTION void leaf() { sum++; }
FUNCTION fiber pause_in(fiber&& other) {
  leaf();
  fiber back = std::move(other).resume();
  leaf();
  return back;
}
FUNCTION fiber loop(fiber&& other, int count) {
  for (int i = 0; i < count; i++) other = pause_in(std::move(other));
  return std::move(other);
}
FUNCTION void between() { sum += 100; }

FUNCTION void all_to_the_end() {
  fiber fibers[3];
  for (int i = 0; i < 3; i++)
    fibers[i] = fiber([i](fiber&& other) { return loop(std::move(other), 3 + i); });
  for (int round = 0; round < 6; round++)
    for (fiber& one : fibers)
      if (one) {
        one = std::move(one).resume();
        between();
      }
}
FUNCTION void given_up() {
  for (int i = 0; i < 20; i++) {
    fiber one([](fiber&& other) { return loop(std::move(other), 100); });
    one = std::move(one).resume();
    between();
  }
}

} // namespace

int main() {
  all_to_the_end();
  given_up();
  printf("%d\n", sum);
  return 3;
}
