// eos.cc: the equation of state.
#include <cmath>

#include "parallel.h"
#include "steps.h"

namespace {

struct Work {
  Field<Real> e, p, q, compression;
  explicit Work(Index n) : e(n), p(n), q(n), compression(n) {}
};

inline Real cut(Real value, Real limit) { return std::fabs(value) < limit ? 0 : value; }

void calc_pressure(Work& work, Real cutoff) {
  for (Index i = 0; i < work.p.size(); ++i) work.p[i] = 0.66 * (work.compression[i] + 1) * work.e[i];
  for (Index i = 0; i < work.p.size(); ++i) work.p[i] = cut(work.p[i], cutoff);
}

void calc_energy(Work& work) {
  for (Index i = 0; i < work.e.size(); ++i) work.e[i] -= 1e-4 * (work.p[i] + work.q[i]);
  calc_pressure(work, 1e-7);
  for (Index i = 0; i < work.e.size(); ++i) work.q[i] *= 0.5;
  for (Index i = 0; i < work.e.size(); ++i) work.e[i] += 1e-4 * cut(work.q[i], 1e-7);
  calc_pressure(work, 1e-6);
  for_each(work.e.size(), [&](Index i) { work.e[i] = cut(work.e[i], 1e-7); });
  for_each(work.e.size(), [&](Index i) { work.q[i] = cut(work.q[i], 1e-7); });
}

void calc_sound_speed(Domain& domain, Work& work) {
  const auto speed = [](Real p, Real e) { return std::sqrt(std::fabs(p * e) + 1e-9); };
  Real total = 0;
  for (Index i = 0; i < work.p.size(); ++i) total += speed(work.p[i], work.e[i]);
  domain.q(0) += 1e-12 * total;
}

} // namespace

void eval_eos(Domain& domain, int material, int repeats) {
  const Index n = domain.elements();
  Work work(n);
  for (int r = 0; r < repeats; ++r) {
    for (Index i = 0; i < n; ++i) work.e[i] = domain.e(i);
    for (Index i = 0; i < n; ++i) work.p[i] = domain.p(i);
    for (Index i = 0; i < n; ++i) work.q[i] = domain.q(i);
    for_each(n, [&](Index i) { work.compression[i] = 1 / domain.v(i) - 1; });
    calc_energy(work);
  }
  for_each(n, [&](Index i) {
    if (domain.material(i) != material) return;
    domain.e(i) = work.e[i];
    domain.p(i) = work.p[i];
  });
  calc_sound_speed(domain, work);
}
