// hydrodynamics.cc: like LULESH: Lagrangian hydrodynamics on a box of hexahedra in C++ of many inline functions:
// a Domain behind accessors, loops over elements that gather the corners of one, call some functions of 5 to
// 100 ns for its geometry and scatter forces back. Ranks have boxes in a row and add up what belongs to the
// nodes between them. A step is one step of time. The checksum is the energy in the end.
#include "corpus.h"

#include <cmath>
#include <vector>

namespace {

constexpr int edge = 12;
constexpr int nodes_of_edge = edge + 1;
using Real = double;
using Index = int;

class Domain {
public:
  Domain() : elements_(edge * edge * edge), nodes_(nodes_of_edge * nodes_of_edge * nodes_of_edge) {
    for (auto* field : {&x_, &y_, &z_, &xd_, &yd_, &zd_, &fx_, &fy_, &fz_}) field->assign(nodes_, 0.0);
    for (auto* field : {&e_, &p_, &q_, &v_, &ss_}) field->assign(elements_, 0.0);
    corners_.resize(8 * elements_);
  }
  Index elements() const { return Index(elements_); }
  Index nodes() const { return Index(nodes_); }
  Real& x(Index i) { return x_[i]; }
  Real& y(Index i) { return y_[i]; }
  Real& z(Index i) { return z_[i]; }
  Real& xd(Index i) { return xd_[i]; }
  Real& yd(Index i) { return yd_[i]; }
  Real& zd(Index i) { return zd_[i]; }
  Real& fx(Index i) { return fx_[i]; }
  Real& fy(Index i) { return fy_[i]; }
  Real& fz(Index i) { return fz_[i]; }
  Real& e(Index i) { return e_[i]; }
  Real& p(Index i) { return p_[i]; }
  Real& q(Index i) { return q_[i]; }
  Real& v(Index i) { return v_[i]; }
  Real& ss(Index i) { return ss_[i]; }
  Index* corners(Index element) { return &corners_[8 * element]; }

private:
  std::size_t elements_, nodes_;
  std::vector<Real> x_, y_, z_, xd_, yd_, zd_, fx_, fy_, fz_, e_, p_, q_, v_, ss_;
  std::vector<Index> corners_;
};

inline Real triple_product(Real x1, Real y1, Real z1, Real x2, Real y2, Real z2, Real x3, Real y3, Real z3) {
  return x1 * (y2 * z3 - z2 * y3) + x2 * (z1 * y3 - y1 * z3) + x3 * (y1 * z2 - z1 * y2);
}

inline Real calc_elem_volume(const Real x[8], const Real y[8], const Real z[8]) {
  const auto d = [](const Real a[8], int i, int j) { return a[i] - a[j]; };
  const auto part = [&](int i, int j, int k, int l, int m, int n, int o, int p) {
    return triple_product(d(x, i, j) + d(x, k, l), d(y, i, j) + d(y, k, l), d(z, i, j) + d(z, k, l), d(x, m, n),
                          d(y, m, n), d(z, m, n), d(x, o, p), d(y, o, p), d(z, o, p));
  };
  const Real volume = part(3, 1, 7, 2, 6, 3, 2, 0) + part(4, 3, 5, 7, 6, 4, 7, 0) + part(1, 4, 2, 5, 6, 1, 5, 0);
  return volume / 12;
}

inline void collect_to_local_nodes(Domain& domain, const Index* corners, Real x[8], Real y[8], Real z[8]) {
  for (int i = 0; i < 8; ++i) {
    x[i] = domain.x(corners[i]);
    y[i] = domain.y(corners[i]);
    z[i] = domain.z(corners[i]);
  }
}

inline void sum_elem_face_normal(Real n[4][3], const int face[4], const Real x[8], const Real y[8], const Real z[8]) {
  const auto bisect = [&](const Real a[8], int i, int j, int k, int l) { return 0.5 * (a[i] + a[j] - a[k] - a[l]); };
  const int i = face[0], j = face[1], k = face[2], l = face[3];
  const Real b0x = bisect(x, l, k, j, i), b0y = bisect(y, l, k, j, i), b0z = bisect(z, l, k, j, i);
  const Real b1x = bisect(x, k, j, l, i), b1y = bisect(y, k, j, l, i), b1z = bisect(z, k, j, l, i);
  const Real area[3] = {0.25 * (b0y * b1z - b0z * b1y), 0.25 * (b0z * b1x - b0x * b1z), 0.25 * (b0x * b1y - b0y * b1x)};
  for (int corner = 0; corner < 4; ++corner)
    for (int axis = 0; axis < 3; ++axis) n[corner][axis] += area[axis];
}

void calc_elem_node_normals(Real force[8][3], const Real x[8], const Real y[8], const Real z[8], Real stress) {
  static const int faces[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};
  for (const auto& face : faces) {
    Real n[4][3] = {};
    sum_elem_face_normal(n, face, x, y, z);
    for (int corner = 0; corner < 4; ++corner)
      for (int axis = 0; axis < 3; ++axis) force[face[corner]][axis] -= stress * n[corner][axis];
  }
}

void integrate_stress_for_elems(Domain& domain) {
  for (Index k = 0; k < domain.elements(); ++k) {
    Real x[8], y[8], z[8], force[8][3] = {};
    collect_to_local_nodes(domain, domain.corners(k), x, y, z);
    calc_elem_node_normals(force, x, y, z, -domain.p(k) - domain.q(k));
    for (int i = 0; i < 8; ++i) {
      domain.fx(domain.corners(k)[i]) += force[i][0];
      domain.fy(domain.corners(k)[i]) += force[i][1];
      domain.fz(domain.corners(k)[i]) += force[i][2];
    }
  }
}

inline Real mean_velocity(Domain& domain, const Index* corners, Real& (Domain::*field)(Index)) {
  Real sum = 0;
  for (int i = 0; i < 8; ++i) sum += (domain.*field)(corners[i]);
  return sum / 8;
}

void calc_elem_hourglass_force(Domain& domain, Index k) {
  const Index* corners = domain.corners(k);
  const Real x = mean_velocity(domain, corners, &Domain::xd), y = mean_velocity(domain, corners, &Domain::yd),
             z = mean_velocity(domain, corners, &Domain::zd);
  const Real damping = 0.02 * std::cbrt(domain.v(k)) * domain.ss(k);
  for (int i = 0; i < 8; ++i) {
    domain.fx(corners[i]) -= damping * (domain.xd(corners[i]) - x);
    domain.fy(corners[i]) -= damping * (domain.yd(corners[i]) - y);
    domain.fz(corners[i]) -= damping * (domain.zd(corners[i]) - z);
  }
}

void calc_hourglass_control_for_elems(Domain& domain) {
  for (Index k = 0; k < domain.elements(); ++k) calc_elem_hourglass_force(domain, k);
}

void comm_nodes(Domain& domain, const corpus& c) {
  constexpr int plane = nodes_of_edge * nodes_of_edge;
  static constexpr Real& (Domain::*forces[])(Index) = {&Domain::fx, &Domain::fy, &Domain::fz};
  std::vector<Real> low(3 * plane), high(3 * plane), from_low(3 * plane, 0.0), from_high(3 * plane, 0.0);
  const Index last = domain.nodes() - plane;
  for (int i = 0; i < 3 * plane; ++i) {
    low[i] = (domain.*forces[i % 3])(i / 3);
    high[i] = (domain.*forces[i % 3])(last + i / 3);
  }
  MPI_Sendrecv(high.data(), 3 * plane, MPI_DOUBLE, corpus_after(&c), 1, from_low.data(), 3 * plane, MPI_DOUBLE,
               corpus_before(&c), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(low.data(), 3 * plane, MPI_DOUBLE, corpus_before(&c), 2, from_high.data(), 3 * plane, MPI_DOUBLE,
               corpus_after(&c), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3 * plane; ++i) {
    (domain.*forces[i % 3])(i / 3) += from_low[i];
    (domain.*forces[i % 3])(last + i / 3) += from_high[i];
  }
}

void lagrange_nodal(Domain& domain, const corpus& c, Real dt) {
  for (Index i = 0; i < domain.nodes(); ++i) domain.fx(i) = domain.fy(i) = domain.fz(i) = 0;
  integrate_stress_for_elems(domain);
  calc_hourglass_control_for_elems(domain);
  comm_nodes(domain, c);
  for (Index i = 0; i < domain.nodes(); ++i) {
    domain.x(i) += dt * (domain.xd(i) += dt * domain.fx(i));
    domain.y(i) += dt * (domain.yd(i) += dt * domain.fy(i));
    domain.z(i) += dt * (domain.zd(i) += dt * domain.fz(i));
  }
}

inline Real calc_pressure(Real energy, Real volume) { return 0.4 * energy / volume; }
inline Real calc_sound_speed(Real pressure, Real volume) {
  return std::sqrt(1.4 * std::fabs(pressure) * volume + 1e-12);
}
inline Real calc_artificial_viscosity(Real change, Real ss) {
  return change < 0 ? change * change - 0.1 * ss * change : 0.0;
}

void eval_eos_for_elem(Domain& domain, Index k, Real volume) {
  const Real change = volume / domain.v(k) - 1;
  domain.e(k) -= (domain.p(k) + domain.q(k)) * change * domain.v(k);
  domain.v(k) = volume;
  domain.p(k) = calc_pressure(domain.e(k), volume);
  domain.ss(k) = calc_sound_speed(domain.p(k), volume);
  domain.q(k) = calc_artificial_viscosity(change, domain.ss(k));
}

void lagrange_elements(Domain& domain) {
  for (Index k = 0; k < domain.elements(); ++k) {
    Real x[8], y[8], z[8];
    collect_to_local_nodes(domain, domain.corners(k), x, y, z);
    eval_eos_for_elem(domain, k, calc_elem_volume(x, y, z));
  }
}

Real time_increment(Domain& domain) {
  Real fastest = 1e-6, all;
  for (Index k = 0; k < domain.elements(); ++k) fastest = std::fmax(fastest, domain.ss(k));
  MPI_Allreduce(&fastest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return 0.02 / (1 + all);
}

void build_mesh(Domain& domain, int rank) {
  for (Index z = 0, i = 0; z < nodes_of_edge; ++z)
    for (Index y = 0; y < nodes_of_edge; ++y)
      for (Index x = 0; x < nodes_of_edge; ++x, ++i) {
        domain.x(i) = x, domain.y(i) = y, domain.z(i) = z + edge * rank;
        domain.xd(i) = domain.yd(i) = domain.zd(i) = 0;
      }
  for (Index k = 0; k < domain.elements(); ++k) {
    const Index x = k % edge, y = k / edge % edge, z = k / edge / edge;
    static const int offsets[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int i = 0; i < 8; ++i)
      domain.corners(k)[i] =
          ((z + offsets[i][2]) * nodes_of_edge + y + offsets[i][1]) * nodes_of_edge + x + offsets[i][0];
    domain.v(k) = 1;
    domain.p(k) = domain.q(k) = domain.ss(k) = 0;
    domain.e(k) = k == 0 && rank == 0 ? 2.0 : 1e-3;
  }
}

} // namespace

int main(int argc, char** argv) {
  corpus c = corpus_start(&argc, &argv);
  Domain domain;
  Real sum = 0;
  for (long i = 0; i < c.steps; ++i) {
    if (i % 50 == 0) build_mesh(domain, c.rank); // anew before the mesh is tangled
    lagrange_nodal(domain, c, time_increment(domain));
    lagrange_elements(domain);
  }
  for (Index k = 0; k < domain.elements(); ++k) sum += domain.e(k);
  return corpus_end(&c, "hydrodynamics", sum);
}
