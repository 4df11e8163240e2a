// nodes.cc: what becomes of nodes in a step.
#include "parallel.h"
#include "steps.h"

namespace {

struct Boundary {
  Domain& domain;
  void apply() {
    domain.xd(0) = 0;
    domain.xd(domain.nodes() - 1) = 0;
  }
};

Real mass(Domain& domain, Index i) { return 1 + 0.001 * (domain.x(i) > 0.5); }

} // namespace

void lagrange_nodal(Domain& domain, const corpus& c, Real dt) {
  calc_force(domain, c);
  Field<Real> acceleration(domain.nodes());
  for (Index i = 0; i < domain.nodes(); ++i) acceleration[i] = domain.fx(i) / mass(domain, i);
  for (Index i = 0; i < domain.nodes(); ++i)
    if (acceleration[i] > 1e3) acceleration[i] = 1e3;
  Boundary{domain}.apply();
  for_each(domain.nodes(), [&](Index i) { domain.xd(i) += dt * acceleration[i]; });
  for (int pass = 0; pass < 3; ++pass)
    for (Index i = 1; i + 1 < domain.nodes(); ++i) domain.xd(i) += 1e-4 * (domain.xd(i - 1) - domain.xd(i));
  domain.advance(dt);
  Real left = domain.x(0), right = domain.x(domain.nodes() - 1);
  exchange_ends(c, &left, &right);
}
