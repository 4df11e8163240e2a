// The mesh of hydro.cc: fields by name, each behind an accessor, as such codes keep them so that the layout can change.
#pragma once
#include <cstddef>
#include <vector>

using Real = double;
using Index = int;

class Domain {
public:
  explicit Domain(Index edge);

  Real& x(Index node) { return x_[node]; }
  Real& y(Index node) { return y_[node]; }
  Real& z(Index node) { return z_[node]; }
  Real& xd(Index node) { return xd_[node]; }
  Real& yd(Index node) { return yd_[node]; }
  Real& zd(Index node) { return zd_[node]; }
  Real& fx(Index node) { return fx_[node]; }
  Real& fy(Index node) { return fy_[node]; }
  Real& fz(Index node) { return fz_[node]; }
  Real& nodal_mass(Index node) { return nodal_mass_[node]; }

  Real& energy(Index element) { return energy_[element]; }
  Real& pressure(Index element) { return pressure_[element]; }
  Real& viscosity(Index element) { return viscosity_[element]; }
  Real& volume(Index element) { return volume_[element]; }
  Real& first_volume(Index element) { return first_volume_[element]; }
  Real& volume_change(Index element) { return volume_change_[element]; }
  Real& sound_speed(Index element) { return sound_speed_[element]; }
  Real& length(Index element) { return length_[element]; }
  Real& mass(Index element) { return mass_[element]; }

  const Index* nodes_of(Index element) const { return &corners_[std::size_t(8) * element]; }
  Index elements() const { return elements_; }
  Index nodes() const { return nodes_; }
  Index edge() const { return edge_; }
  Real& step() { return step_; }

private:
  Index edge_, elements_, nodes_;
  Real step_ = 1e-4;
  std::vector<Real> x_, y_, z_, xd_, yd_, zd_, fx_, fy_, fz_, nodal_mass_;
  std::vector<Real> energy_, pressure_, viscosity_, volume_, first_volume_, volume_change_, sound_speed_, length_, mass_;
  std::vector<Index> corners_;
};

// Implemented in the header, as geometry is.
inline Real triple_product(Real x1, Real y1, Real z1, Real x2, Real y2, Real z2, Real x3, Real y3, Real z3) {
  return x1 * (y2 * z3 - z2 * y3) + x2 * (z1 * y3 - y1 * z3) + x3 * (y1 * z2 - z1 * y2);
}

inline Real volume_of(const Real x[8], const Real y[8], const Real z[8]) {
  const Real dx61 = x[6] - x[1], dy61 = y[6] - y[1], dz61 = z[6] - z[1];
  const Real dx70 = x[7] - x[0], dy70 = y[7] - y[0], dz70 = z[7] - z[0];
  const Real dx63 = x[6] - x[3], dy63 = y[6] - y[3], dz63 = z[6] - z[3];
  const Real dx20 = x[2] - x[0], dy20 = y[2] - y[0], dz20 = z[2] - z[0];
  const Real dx50 = x[5] - x[0], dy50 = y[5] - y[0], dz50 = z[5] - z[0];
  const Real dx64 = x[6] - x[4], dy64 = y[6] - y[4], dz64 = z[6] - z[4];
  const Real dx31 = x[3] - x[1], dy31 = y[3] - y[1], dz31 = z[3] - z[1];
  const Real dx72 = x[7] - x[2], dy72 = y[7] - y[2], dz72 = z[7] - z[2];
  const Real dx43 = x[4] - x[3], dy43 = y[4] - y[3], dz43 = z[4] - z[3];
  const Real dx57 = x[5] - x[7], dy57 = y[5] - y[7], dz57 = z[5] - z[7];
  const Real dx14 = x[1] - x[4], dy14 = y[1] - y[4], dz14 = z[1] - z[4];
  const Real dx25 = x[2] - x[5], dy25 = y[2] - y[5], dz25 = z[2] - z[5];
  return (triple_product(dx31 + dx72, dx63, dx20, dy31 + dy72, dy63, dy20, dz31 + dz72, dz63, dz20) +
          triple_product(dx43 + dx57, dx64, dx70, dy43 + dy57, dy64, dy70, dz43 + dz57, dz64, dz70) +
          triple_product(dx14 + dx25, dx61, dx50, dy14 + dy25, dy61, dy50, dz14 + dz25, dz61, dz50)) /
         12.0;
}

inline Real area_of(Real x0, Real x1, Real x2, Real x3, Real y0, Real y1, Real y2, Real y3, Real z0, Real z1, Real z2,
                    Real z3) {
  const Real fx = (x2 - x0) - (x3 - x1), fy = (y2 - y0) - (y3 - y1), fz = (z2 - z0) - (z3 - z1);
  const Real gx = (x2 - x0) + (x3 - x1), gy = (y2 - y0) + (y3 - y1), gz = (z2 - z0) + (z3 - z1);
  return (fx * fx + fy * fy + fz * fz) * (gx * gx + gy * gy + gz * gz) -
         (fx * gx + fy * gy + fz * gz) * (fx * gx + fy * gy + fz * gz);
}
