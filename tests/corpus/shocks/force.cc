// force.cc: forces of elements on their nodes.
#include <cmath>

#include "parallel.h"
#include "steps.h"

namespace {

inline Real length(Domain& domain, Index k) { return domain.x(k + 1) - domain.x(k); }

template <int Order> Real hourglass(Domain& domain, Index k) {
  Real sum = 0;
  for (int i = 0; i < Order; ++i) sum += std::pow(domain.xd(k + 1) - domain.xd(k), i);
  return 1e-3 * sum;
}

void init_stress(Domain& domain, Field<Real>& stress) {
  for (Index k = 0; k < domain.elements(); ++k) stress[k] = -domain.p(k) - domain.q(k);
}

void integrate_stress(Domain& domain, Field<Real>& stress) {
  for_each(domain.elements(), [&](Index k) {
    const Real area = 1 + 0.01 * length(domain, k);
    domain.fx(k) += stress[k] * area;
    domain.fx(k + 1) -= stress[k] * area;
  });
}

void calc_hourglass_control(Domain& domain) {
  for_blocks<8>(domain.elements(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto damping = [&](int order) { return order == 2 ? hourglass<2>(domain, k) : hourglass<4>(domain, k); };
      domain.fx(k) -= damping(2);
      domain.fx(k + 1) += damping(4);
    }
  });
}

} // namespace

void calc_force(Domain& domain, const corpus& c) {
  domain.clear_forces();
  Field<Real> stress(domain.elements());
  init_stress(domain, stress);
  integrate_stress(domain, stress);
  calc_hourglass_control(domain);
  sum_shared_nodes(domain, c);
}
