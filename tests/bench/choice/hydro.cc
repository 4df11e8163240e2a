// An explicit hydrodynamics code on a mesh of hexahedra, in the style of LULESH: loops over elements that call short and
// long inline functions for each.
//
//   hydro EDGE STEPS
#include "hydro.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

Domain::Domain(Index edge) : edge_(edge), elements_(edge * edge * edge), nodes_((edge + 1) * (edge + 1) * (edge + 1)) {
  const Index n = edge + 1;
  for (auto* field : {&x_, &y_, &z_, &xd_, &yd_, &zd_, &fx_, &fy_, &fz_, &nodal_mass_}) field->assign(nodes_, 0);
  for (auto* field : {&energy_, &pressure_, &viscosity_, &volume_change_, &sound_speed_, &length_}) field->assign(elements_, 0);
  volume_.assign(elements_, 1);
  first_volume_.assign(elements_, 0);
  mass_.assign(elements_, 0);
  corners_.resize(std::size_t(8) * elements_);
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        const Index node = (k * n + j) * n + i;
        x_[node] = 1.125 * i / edge, y_[node] = 1.125 * j / edge, z_[node] = 1.125 * k / edge;
      }
  for (Index k = 0, element = 0; k < edge; ++k)
    for (Index j = 0; j < edge; ++j)
      for (Index i = 0; i < edge; ++i, ++element) {
        const Index low = (k * n + j) * n + i;
        const Index all[8] = {low, low + 1, low + n + 1, low + n, low + n * n, low + n * n + 1, low + n * n + n + 1, low + n * n + n};
        std::copy(all, all + 8, &corners_[std::size_t(8) * element]);
        Real x[8], y[8], z[8];
        for (int corner = 0; corner < 8; ++corner) x[corner] = x_[all[corner]], y[corner] = y_[all[corner]], z[corner] = z_[all[corner]];
        first_volume_[element] = mass_[element] = volume_of(x, y, z);
        for (int corner = 0; corner < 8; ++corner) nodal_mass_[all[corner]] += mass_[element] / 8;
      }
  energy_[0] = 3.0;
}

static inline void collect_nodes(Domain& domain, const Index* nodes, Real x[8], Real y[8], Real z[8]) {
  for (int i = 0; i < 8; ++i) {
    const Index node = nodes[i];
    x[i] = domain.x(node);
    y[i] = domain.y(node);
    z[i] = domain.z(node);
  }
}

static inline void initial_stress(Domain& domain, Real* sigxx, Real* sigyy, Real* sigzz, Index elements) {
  for (Index i = 0; i < elements; ++i) sigxx[i] = sigyy[i] = sigzz[i] = -domain.pressure(i) - domain.viscosity(i);
}

static inline void shape_derivatives(const Real x[], const Real y[], const Real z[], Real b[][8], Real* volume) {
  const Real fjxxi = .125 * ((x[6] - x[0]) + (x[5] - x[3]) - (x[7] - x[1]) - (x[4] - x[2]));
  const Real fjxet = .125 * ((x[6] - x[0]) - (x[5] - x[3]) + (x[7] - x[1]) - (x[4] - x[2]));
  const Real fjxze = .125 * ((x[6] - x[0]) + (x[5] - x[3]) + (x[7] - x[1]) + (x[4] - x[2]));
  const Real fjyxi = .125 * ((y[6] - y[0]) + (y[5] - y[3]) - (y[7] - y[1]) - (y[4] - y[2]));
  const Real fjyet = .125 * ((y[6] - y[0]) - (y[5] - y[3]) + (y[7] - y[1]) - (y[4] - y[2]));
  const Real fjyze = .125 * ((y[6] - y[0]) + (y[5] - y[3]) + (y[7] - y[1]) + (y[4] - y[2]));
  const Real fjzxi = .125 * ((z[6] - z[0]) + (z[5] - z[3]) - (z[7] - z[1]) - (z[4] - z[2]));
  const Real fjzet = .125 * ((z[6] - z[0]) - (z[5] - z[3]) + (z[7] - z[1]) - (z[4] - z[2]));
  const Real fjzze = .125 * ((z[6] - z[0]) + (z[5] - z[3]) + (z[7] - z[1]) + (z[4] - z[2]));
  const Real cjxxi = (fjyet * fjzze) - (fjzet * fjyze), cjxet = -(fjyxi * fjzze) + (fjzxi * fjyze);
  const Real cjxze = (fjyxi * fjzet) - (fjzxi * fjyet), cjyxi = -(fjxet * fjzze) + (fjzet * fjxze);
  const Real cjyet = (fjxxi * fjzze) - (fjzxi * fjxze), cjyze = -(fjxxi * fjzet) + (fjzxi * fjxet);
  const Real cjzxi = (fjxet * fjyze) - (fjyet * fjxze), cjzet = -(fjxxi * fjyze) + (fjyxi * fjxze);
  const Real cjzze = (fjxxi * fjyet) - (fjyxi * fjxet);
  b[0][0] = -cjxxi - cjxet - cjxze, b[0][1] = cjxxi - cjxet - cjxze, b[0][2] = cjxxi + cjxet - cjxze;
  b[0][3] = -cjxxi + cjxet - cjxze, b[0][4] = -b[0][2], b[0][5] = -b[0][3], b[0][6] = -b[0][0], b[0][7] = -b[0][1];
  b[1][0] = -cjyxi - cjyet - cjyze, b[1][1] = cjyxi - cjyet - cjyze, b[1][2] = cjyxi + cjyet - cjyze;
  b[1][3] = -cjyxi + cjyet - cjyze, b[1][4] = -b[1][2], b[1][5] = -b[1][3], b[1][6] = -b[1][0], b[1][7] = -b[1][1];
  b[2][0] = -cjzxi - cjzet - cjzze, b[2][1] = cjzxi - cjzet - cjzze, b[2][2] = cjzxi + cjzet - cjzze;
  b[2][3] = -cjzxi + cjzet - cjzze, b[2][4] = -b[2][2], b[2][5] = -b[2][3], b[2][6] = -b[2][0], b[2][7] = -b[2][1];
  *volume = 8. * (fjxet * cjxet + fjyet * cjyet + fjzet * cjzet);
}

static inline void add_face_normal(Real* nx0, Real* ny0, Real* nz0, Real* nx1, Real* ny1, Real* nz1, Real* nx2, Real* ny2,
                                   Real* nz2, Real* nx3, Real* ny3, Real* nz3, Real x0, Real y0, Real z0, Real x1, Real y1,
                                   Real z1, Real x2, Real y2, Real z2, Real x3, Real y3, Real z3) {
  const Real bx0 = .5 * (x3 + x2 - x1 - x0), by0 = .5 * (y3 + y2 - y1 - y0), bz0 = .5 * (z3 + z2 - z1 - z0);
  const Real bx1 = .5 * (x2 + x1 - x3 - x0), by1 = .5 * (y2 + y1 - y3 - y0), bz1 = .5 * (z2 + z1 - z3 - z0);
  const Real ax = .25 * (by0 * bz1 - bz0 * by1), ay = .25 * (bz0 * bx1 - bx0 * bz1), az = .25 * (bx0 * by1 - by0 * bx1);
  *nx0 += ax, *nx1 += ax, *nx2 += ax, *nx3 += ax;
  *ny0 += ay, *ny1 += ay, *ny2 += ay, *ny3 += ay;
  *nz0 += az, *nz1 += az, *nz2 += az, *nz3 += az;
}

static inline void node_normals(Real px[8], Real py[8], Real pz[8], const Real x[8], const Real y[8], const Real z[8]) {
  for (int i = 0; i < 8; ++i) px[i] = py[i] = pz[i] = 0;
#define FACE(a, b, c, d)                                                                                                 \
  add_face_normal(&px[a], &py[a], &pz[a], &px[b], &py[b], &pz[b], &px[c], &py[c], &pz[c], &px[d], &py[d], &pz[d], x[a],  \
                  y[a], z[a], x[b], y[b], z[b], x[c], y[c], z[c], x[d], y[d], z[d])
  FACE(0, 1, 2, 3);
  FACE(0, 4, 5, 1);
  FACE(1, 5, 6, 2);
  FACE(2, 6, 7, 3);
  FACE(3, 7, 4, 0);
  FACE(4, 7, 6, 5);
#undef FACE
}

static inline void stresses_to_forces(const Real b[][8], Real sxx, Real syy, Real szz, Real fx[], Real fy[], Real fz[]) {
  for (int i = 0; i < 8; ++i) {
    fx[i] = -(sxx * b[0][i]);
    fy[i] = -(syy * b[1][i]);
    fz[i] = -(szz * b[2][i]);
  }
}

static inline void integrate_stress(Domain& domain, Real* sigxx, Real* sigyy, Real* sigzz, Real* determ, Index elements) {
  for (Index k = 0; k < elements; ++k) {
    Real b[3][8], x[8], y[8], z[8], fx[8], fy[8], fz[8];
    const Index* const nodes = domain.nodes_of(k);
    collect_nodes(domain, nodes, x, y, z);
    shape_derivatives(x, y, z, b, &determ[k]);
    node_normals(b[0], b[1], b[2], x, y, z);
    stresses_to_forces(b, sigxx[k], sigyy[k], sigzz[k], fx, fy, fz);
    for (int i = 0; i < 8; ++i) {
      domain.fx(nodes[i]) += fx[i];
      domain.fy(nodes[i]) += fy[i];
      domain.fz(nodes[i]) += fz[i];
    }
  }
}

static inline void volume_derivative(Real x0, Real x1, Real x2, Real x3, Real x4, Real x5, Real y0, Real y1, Real y2,
                                     Real y3, Real y4, Real y5, Real z0, Real z1, Real z2, Real z3, Real z4, Real z5,
                                     Real* dvdx, Real* dvdy, Real* dvdz) {
  *dvdx = ((y1 + y2) * (z0 + z1) - (y0 + y1) * (z1 + z2) + (y0 + y4) * (z3 + z4) - (y3 + y4) * (z0 + z4) -
           (y2 + y5) * (z3 + z5) + (y3 + y5) * (z2 + z5)) / 12;
  *dvdy = (-(x1 + x2) * (z0 + z1) + (x0 + x1) * (z1 + z2) - (x0 + x4) * (z3 + z4) + (x3 + x4) * (z0 + z4) +
           (x2 + x5) * (z3 + z5) - (x3 + x5) * (z2 + z5)) / 12;
  *dvdz = (-(y1 + y2) * (x0 + x1) + (y0 + y1) * (x1 + x2) - (y0 + y4) * (x3 + x4) + (y3 + y4) * (x0 + x4) +
           (y2 + y5) * (x3 + x5) - (y3 + y5) * (x2 + x5)) / 12;
}

static inline void volume_derivatives(Real dvdx[8], Real dvdy[8], Real dvdz[8], const Real x[8], const Real y[8],
                                      const Real z[8]) {
#define CORNER(a, b, c, d, e, f, g)                                                                                     \
  volume_derivative(x[b], x[c], x[d], x[e], x[f], x[g], y[b], y[c], y[d], y[e], y[f], y[g], z[b], z[c], z[d], z[e], z[f], \
                    z[g], &dvdx[a], &dvdy[a], &dvdz[a])
  CORNER(0, 1, 2, 3, 4, 5, 7);
  CORNER(3, 0, 1, 2, 7, 4, 6);
  CORNER(2, 3, 0, 1, 6, 7, 5);
  CORNER(1, 2, 3, 0, 5, 6, 4);
  CORNER(4, 7, 6, 5, 0, 3, 1);
  CORNER(5, 4, 7, 6, 1, 0, 2);
  CORNER(6, 5, 4, 7, 2, 1, 3);
  CORNER(7, 6, 5, 4, 3, 2, 0);
#undef CORNER
}

static inline void hourglass_force(const Real* xd, const Real* yd, const Real* zd, Real modes[][4], Real coefficient,
                                   Real* fx, Real* fy, Real* fz) {
  Real hx[4], hy[4], hz[4];
  for (int i = 0; i < 4; ++i) {
    hx[i] = modes[0][i] * xd[0] + modes[1][i] * xd[1] + modes[2][i] * xd[2] + modes[3][i] * xd[3] + modes[4][i] * xd[4] +
            modes[5][i] * xd[5] + modes[6][i] * xd[6] + modes[7][i] * xd[7];
    hy[i] = modes[0][i] * yd[0] + modes[1][i] * yd[1] + modes[2][i] * yd[2] + modes[3][i] * yd[3] + modes[4][i] * yd[4] +
            modes[5][i] * yd[5] + modes[6][i] * yd[6] + modes[7][i] * yd[7];
    hz[i] = modes[0][i] * zd[0] + modes[1][i] * zd[1] + modes[2][i] * zd[2] + modes[3][i] * zd[3] + modes[4][i] * zd[4] +
            modes[5][i] * zd[5] + modes[6][i] * zd[6] + modes[7][i] * zd[7];
  }
  for (int i = 0; i < 8; ++i) {
    fx[i] = coefficient * (modes[i][0] * hx[0] + modes[i][1] * hx[1] + modes[i][2] * hx[2] + modes[i][3] * hx[3]);
    fy[i] = coefficient * (modes[i][0] * hy[0] + modes[i][1] * hy[1] + modes[i][2] * hy[2] + modes[i][3] * hy[3]);
    fz[i] = coefficient * (modes[i][0] * hz[0] + modes[i][1] * hz[1] + modes[i][2] * hz[2] + modes[i][3] * hz[3]);
  }
}

static inline void hourglass_forces(Domain& domain, const Real* determ, const Real* x8, const Real* y8, const Real* z8,
                                    const Real* dvdx, const Real* dvdy, const Real* dvdz, Real factor, Index elements) {
  static const Real gamma[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1}, {1, -1, -1, 1, -1, 1, 1, -1},
                                   {1, -1, 1, -1, 1, -1, 1, -1}, {-1, 1, -1, 1, 1, -1, 1, -1}};
  for (Index e = 0; e < elements; ++e) {
    const Index* const nodes = domain.nodes_of(e);
    const Index at = 8 * e;
    const Real inverse = 1 / determ[e];
    Real modes[8][4], xd[8], yd[8], zd[8], fx[8], fy[8], fz[8];
    for (int m = 0; m < 4; ++m) {
      Real hx = 0, hy = 0, hz = 0;
      for (int i = 0; i < 8; ++i) {
        hx += x8[at + i] * gamma[m][i];
        hy += y8[at + i] * gamma[m][i];
        hz += z8[at + i] * gamma[m][i];
      }
      for (int i = 0; i < 8; ++i)
        modes[i][m] = gamma[m][i] - inverse * (dvdx[at + i] * hx + dvdy[at + i] * hy + dvdz[at + i] * hz);
    }
    for (int i = 0; i < 8; ++i) xd[i] = domain.xd(nodes[i]), yd[i] = domain.yd(nodes[i]), zd[i] = domain.zd(nodes[i]);
    const Real coefficient = -factor * 0.01 * domain.sound_speed(e) * domain.mass(e) / std::cbrt(determ[e]);
    hourglass_force(xd, yd, zd, modes, coefficient, fx, fy, fz);
    for (int i = 0; i < 8; ++i) {
      domain.fx(nodes[i]) += fx[i];
      domain.fy(nodes[i]) += fy[i];
      domain.fz(nodes[i]) += fz[i];
    }
  }
}

static inline void hourglass_control(Domain& domain, Real* determ, Real factor) {
  const Index elements = domain.elements();
  std::vector<Real> x8(8 * elements), y8(8 * elements), z8(8 * elements), dvdx(8 * elements), dvdy(8 * elements), dvdz(8 * elements);
  for (Index e = 0; e < elements; ++e) {
    Real x[8], y[8], z[8], dx[8], dy[8], dz[8];
    collect_nodes(domain, domain.nodes_of(e), x, y, z);
    volume_derivatives(dx, dy, dz, x, y, z);
    for (int i = 0; i < 8; ++i) {
      const Index at = 8 * e + i;
      dvdx[at] = dx[i], dvdy[at] = dy[i], dvdz[at] = dz[i];
      x8[at] = x[i], y8[at] = y[i], z8[at] = z[i];
    }
    determ[e] = domain.first_volume(e) * domain.volume(e);
  }
  if (factor > 0) hourglass_forces(domain, determ, x8.data(), y8.data(), z8.data(), dvdx.data(), dvdy.data(), dvdz.data(), factor, elements);
}

static inline void volume_forces(Domain& domain) {
  const Index elements = domain.elements();
  std::vector<Real> sigxx(elements), sigyy(elements), sigzz(elements), determ(elements);
  initial_stress(domain, sigxx.data(), sigyy.data(), sigzz.data(), elements);
  integrate_stress(domain, sigxx.data(), sigyy.data(), sigzz.data(), determ.data(), elements);
  hourglass_control(domain, determ.data(), 3.0);
}

static inline void node_forces(Domain& domain) {
  for (Index i = 0; i < domain.nodes(); ++i) domain.fx(i) = domain.fy(i) = domain.fz(i) = 0;
  volume_forces(domain);
}

static inline void move_nodes(Domain& domain, Real dt) {
  for (Index i = 0; i < domain.nodes(); ++i) {
    domain.xd(i) += domain.fx(i) / domain.nodal_mass(i) * dt;
    domain.yd(i) += domain.fy(i) / domain.nodal_mass(i) * dt;
    domain.zd(i) += domain.fz(i) / domain.nodal_mass(i) * dt;
    if (std::fabs(domain.xd(i)) < 1e-12) domain.xd(i) = 0;
    if (std::fabs(domain.yd(i)) < 1e-12) domain.yd(i) = 0;
    if (std::fabs(domain.zd(i)) < 1e-12) domain.zd(i) = 0;
    domain.x(i) += domain.xd(i) * dt;
    domain.y(i) += domain.yd(i) * dt;
    domain.z(i) += domain.zd(i) * dt;
  }
}

static inline Real characteristic_length(const Real x[8], const Real y[8], const Real z[8], Real volume) {
  Real most = 0;
#define FACE(a, b, c, d) \
  most = std::max(most, area_of(x[a], x[b], x[c], x[d], y[a], y[b], y[c], y[d], z[a], z[b], z[c], z[d]))
  FACE(0, 1, 2, 3);
  FACE(4, 5, 6, 7);
  FACE(0, 1, 5, 4);
  FACE(1, 2, 6, 5);
  FACE(2, 3, 7, 6);
  FACE(3, 0, 4, 7);
#undef FACE
  return 4 * volume / std::sqrt(most);
}

static inline void velocity_gradient(const Real* xv, const Real* yv, const Real* zv, const Real b[][8], Real determ, Real* d) {
  const Real inverse = 1 / determ;
  const Real *px = b[0], *py = b[1], *pz = b[2];
  d[0] = inverse * (px[0] * (xv[0] - xv[6]) + px[1] * (xv[1] - xv[7]) + px[2] * (xv[2] - xv[4]) + px[3] * (xv[3] - xv[5]));
  d[1] = inverse * (py[0] * (yv[0] - yv[6]) + py[1] * (yv[1] - yv[7]) + py[2] * (yv[2] - yv[4]) + py[3] * (yv[3] - yv[5]));
  d[2] = inverse * (pz[0] * (zv[0] - zv[6]) + pz[1] * (zv[1] - zv[7]) + pz[2] * (zv[2] - zv[4]) + pz[3] * (zv[3] - zv[5]));
}

static void kinematics(Domain& domain, Real dt) {
  for (Index k = 0; k < domain.elements(); ++k) {
    Real b[3][8], d[6], x[8], y[8], z[8], xd[8], yd[8], zd[8], determ = 0;
    const Index* const nodes = domain.nodes_of(k);
    collect_nodes(domain, nodes, x, y, z);
    const Real volume = volume_of(x, y, z), relative = volume / domain.first_volume(k);
    domain.volume_change(k) = relative - domain.volume(k);
    domain.volume(k) = relative;
    domain.length(k) = characteristic_length(x, y, z, volume);
    for (int i = 0; i < 8; ++i) xd[i] = domain.xd(nodes[i]), yd[i] = domain.yd(nodes[i]), zd[i] = domain.zd(nodes[i]);
    for (int i = 0; i < 8; ++i) x[i] -= .5 * dt * xd[i], y[i] -= .5 * dt * yd[i], z[i] -= .5 * dt * zd[i];
    shape_derivatives(x, y, z, b, &determ);
    velocity_gradient(xd, yd, zd, b, determ, d);
    const Real divergence = d[0] + d[1] + d[2];
    domain.viscosity(k) = divergence < 0 ? 0.06 * domain.length(k) * domain.length(k) * divergence * divergence : 0;
  }
}

static inline void pressures(Real* pressure, Real* bulk, const Real* energy, const Real* compression, Index length) {
  for (Index i = 0; i < length; ++i) {
    bulk[i] = (2.0 / 3.0) * (compression[i] + 1);
    pressure[i] = bulk[i] * energy[i];
    if (std::fabs(pressure[i]) < 1e-7) pressure[i] = 0;
  }
}

static inline void energies(Real* pressure, Real* energy, Real* bulk, const Real* viscosity, const Real* change,
                            const Real* compression, Index length) {
  std::vector<Real> half(length);
  for (Index i = 0; i < length; ++i) {
    energy[i] -= 0.5 * change[i] * (pressure[i] + viscosity[i]);
    if (energy[i] < -1e15) energy[i] = -1e15;
  }
  pressures(half.data(), bulk, energy, compression, length);
  for (Index i = 0; i < length; ++i) energy[i] -= 0.25 * change[i] * (half[i] + viscosity[i]);
  pressures(pressure, bulk, energy, compression, length);
}

static inline void sound_speeds(Domain& domain, const Real* energy, const Real* bulk, const Real* pressure, Index length) {
  for (Index i = 0; i < length; ++i) {
    const Real square = (bulk[i] * energy[i] + domain.volume(i) * domain.volume(i) * pressure[i]);
    domain.sound_speed(i) = square <= 1e-36 ? 1e-18 : std::sqrt(square);
  }
}

static inline void equation_of_state(Domain& domain) {
  const Index length = domain.elements();
  std::vector<Real> pressure(length), energy(length), bulk(length), viscosity(length), change(length), compression(length);
  for (Index i = 0; i < length; ++i) {
    pressure[i] = domain.pressure(i), energy[i] = domain.energy(i), viscosity[i] = domain.viscosity(i);
    change[i] = domain.volume_change(i), compression[i] = 1 / domain.volume(i) - 1;
  }
  for (int again = 0; again < 2; ++again)
    energies(pressure.data(), energy.data(), bulk.data(), viscosity.data(), change.data(), compression.data(), length);
  for (Index i = 0; i < length; ++i) domain.pressure(i) = pressure[i], domain.energy(i) = energy[i];
  sound_speeds(domain, energy.data(), bulk.data(), pressure.data(), length);
}

static inline void time_step(Domain& domain) {
  Real least = 1e20;
  for (Index i = 0; i < domain.elements(); ++i) {
    const Real speed = domain.sound_speed(i);
    Real limit = speed * speed;
    if (domain.volume_change(i) < 0) limit += 64 * domain.length(i) * domain.length(i) * domain.volume_change(i) * domain.volume_change(i);
    limit = domain.length(i) / std::sqrt(limit);
    if (domain.volume_change(i) != 0 && limit < least) least = limit;
  }
  domain.step() = std::min(domain.step() * 1.1, 0.1 * least);
}

static inline void advance(Domain& domain) {
  node_forces(domain);
  move_nodes(domain, domain.step());
  kinematics(domain, domain.step());
  equation_of_state(domain);
  time_step(domain);
}

int main(int count, char** words) {
  Domain domain(count > 1 ? std::atoi(words[1]) : 10);
  const int steps = count > 2 ? std::atoi(words[2]) : 20;
  for (int step = 0; step < steps; ++step) advance(domain);
  std::printf("%.9g %.9g\n", domain.energy(0), domain.step());
}
