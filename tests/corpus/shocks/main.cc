// main.cc: a Lagrangian shock code in C++ of several files, like LULESH: short functions of headers, templates, lambdas,
// and many loops of one shape. tests/corpus/test_identity.py changes it.
#include "parallel.h"
#include "steps.h"

Domain::Domain(Index elements)
    : x_(elements + 1), xd_(elements + 1), fx_(elements + 1), e_(elements), p_(elements), q_(elements), v_(elements),
      material_(elements) {
  for (Index i = 0; i <= elements; ++i) x_[i] = Real(i) / elements;
  for (Index k = 0; k < elements; ++k) {
    v_[k] = 1;
    material_[k] = k % 3;
  }
  e_[0] = 1;
}

namespace {

Real time_increment(Domain& domain, const corpus& c, Real last) {
  const Real wanted = calc_time_constraints(domain, c);
  return wanted < 1.1 * last ? wanted : 1.1 * last;
}

void lagrange_leap_frog(Domain& domain, const corpus& c, Real dt) {
  lagrange_nodal(domain, c, dt);
  lagrange_elements(domain, dt);
}

} // namespace

int main(int argc, char** argv) {
  const corpus c = corpus_start(&argc, &argv);
  Domain domain(40);
  Real dt = 1e-4;
  for (long step = 0; step < c.steps; ++step) {
    dt = time_increment(domain, c, dt);
    lagrange_leap_frog(domain, c, dt);
  }
  int left = domain.materials(), right = left;
  exchange_ends(c, &left, &right);
  return corpus_end(&c, "shocks", domain.energy() + 1e-6 * (left + right));
}
