// elements.cc: what becomes of elements in a step.
#include <algorithm>
#include <cmath>

#include "parallel.h"
#include "steps.h"

namespace {

void calc_kinematics(Domain& domain, Real dt) {
  for (Index k = 0; k < domain.elements(); ++k) {
    const Real rate = (domain.xd(k + 1) - domain.xd(k)) * dt;
    domain.v(k) = std::max(0.2, domain.v(k) + 0.01 * rate);
  }
}

struct Viscosity {
  Real linear = 0.5, quadratic = 2;
  Real monotonic(Domain& domain, Index k) const {
    const Real jump = domain.xd(k) - domain.xd(k + 1);
    return jump > 0 ? linear * jump + quadratic * jump * jump : 0;
  }
  void apply(Domain& domain) const {
    for_each(domain.elements(), [&](Index k) { domain.q(k) = 1e-3 * monotonic(domain, k); });
  }
};

void apply_material_properties(Domain& domain) {
  for (int material = 0; material < 3; ++material) {
    const int repeats = material == 2 ? 4 : 1;
    eval_eos(domain, material, repeats);
  }
}

void update_volumes(Domain& domain) {
  for (Index k = 0; k < domain.elements(); ++k)
    if (std::fabs(domain.v(k) - 1) < 1e-6) domain.v(k) = 1;
}

template <class Rate> Real constraint(Domain& domain, Rate rate) {
  return reduce(domain.elements(), Real(1e9), [&](Real least, Index k) { return std::min(least, 1 / (1e-9 + rate(k))); });
}

} // namespace

void lagrange_elements(Domain& domain, Real dt) {
  calc_kinematics(domain, dt);
  Viscosity().apply(domain);
  apply_material_properties(domain);
  update_volumes(domain);
}

Real calc_time_constraints(Domain& domain, const corpus&) {
  const Real courant = constraint(domain, [&](Index k) { return std::fabs(domain.p(k)) + 1; });
  const Real hydro = constraint(domain, [&](Index k) { return std::fabs(domain.v(k) - 1); });
  const Real local = std::min({courant, hydro, 1.0});
  Real least = local;
  MPI_Allreduce(&local, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return 1e-3 * least;
}
