// Molecular dynamics with link cells and a short-ranged potential, in the style of CoMD: plain functions over structs.
//
//   molecules CELLS STEPS
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

constexpr int most_atoms = 32;
using Vec3 = std::array<double, 3>;

struct Atoms {
  std::vector<Vec3> place, momentum, force;
  std::vector<double> energy;
  std::vector<int> name;
  int count = 0;
};

struct Cells {
  std::array<int, 3> grid{};
  Vec3 low{}, high{}, size{}, inverse{};
  std::vector<int> filled;
  int boxes = 0;
};

struct Potential {
  double cutoff = 2.5, sigma = 1, epsilon = 1, mass = 1;
};

struct Simulation {
  Cells cells;
  Atoms atoms;
  Potential potential;
  double potential_energy = 0, kinetic_energy = 0;
};

int box_of_tuple(const Cells& cells, int x, int y, int z) {
  const auto wrap = [](int at, int n) { return at < 0 ? at + n : at >= n ? at - n : at; };
  return (wrap(z, cells.grid[2]) * cells.grid[1] + wrap(y, cells.grid[1])) * cells.grid[0] + wrap(x, cells.grid[0]);
}

void tuple_of_box(const Cells& cells, int box, int* x, int* y, int* z) {
  *x = box % cells.grid[0];
  *y = box / cells.grid[0] % cells.grid[1];
  *z = box / (cells.grid[0] * cells.grid[1]);
}

int neighbours_of(const Cells& cells, int box, int* neighbours) {
  int x, y, z, count = 0;
  tuple_of_box(cells, box, &x, &y, &z);
  for (int i = x - 1; i <= x + 1; ++i)
    for (int j = y - 1; j <= y + 1; ++j)
      for (int k = z - 1; k <= z + 1; ++k) neighbours[count++] = box_of_tuple(cells, i, j, k);
  return count;
}

int box_of_place(const Cells& cells, const Vec3& place) {
  int at[3];
  for (int d = 0; d < 3; ++d) {
    at[d] = int(std::floor((place[d] - cells.low[d]) * cells.inverse[d]));
    if (at[d] >= cells.grid[d]) at[d] = cells.grid[d] - 1;
    if (at[d] < 0) at[d] = 0;
  }
  return box_of_tuple(cells, at[0], at[1], at[2]);
}

void copy_atom(Atoms& atoms, int from, int to) {
  atoms.name[to] = atoms.name[from];
  atoms.place[to] = atoms.place[from];
  atoms.momentum[to] = atoms.momentum[from];
  atoms.force[to] = atoms.force[from];
  atoms.energy[to] = atoms.energy[from];
}

void put_atom(Cells& cells, Atoms& atoms, int name, const Vec3& place, const Vec3& momentum) {
  const int box = box_of_place(cells, place), at = box * most_atoms + cells.filled[box];
  if (cells.filled[box] >= most_atoms) std::abort();
  ++cells.filled[box];
  ++atoms.count;
  atoms.name[at] = name;
  atoms.place[at] = place;
  atoms.momentum[at] = momentum;
}

void move_atom(Cells& cells, Atoms& atoms, int index, int from, int to) {
  const int source = from * most_atoms + index, target = to * most_atoms + cells.filled[to];
  if (cells.filled[to] >= most_atoms) std::abort();
  copy_atom(atoms, source, target);
  ++cells.filled[to];
  --cells.filled[from];
  if (cells.filled[from]) copy_atom(atoms, from * most_atoms + cells.filled[from], source);
}

void update_cells(Simulation& all) {
  Cells& cells = all.cells;
  for (int box = 0; box < cells.boxes; ++box)
    for (int i = 0; i < cells.filled[box];) {
      Vec3& place = all.atoms.place[box * most_atoms + i];
      for (int d = 0; d < 3; ++d) {
        if (place[d] < cells.low[d]) place[d] += cells.high[d] - cells.low[d];
        if (place[d] >= cells.high[d]) place[d] -= cells.high[d] - cells.low[d];
      }
      const int to = box_of_place(cells, place);
      if (to != box)
        move_atom(cells, all.atoms, i, box, to);
      else
        ++i;
    }
}

double distance(const Cells& cells, const Vec3& a, const Vec3& b, Vec3& between) {
  double square = 0;
  for (int d = 0; d < 3; ++d) {
    between[d] = a[d] - b[d];
    const double edge = cells.high[d] - cells.low[d];
    if (between[d] > edge / 2) between[d] -= edge;
    if (between[d] < -edge / 2) between[d] += edge;
    square += between[d] * between[d];
  }
  return square;
}

void zero_forces(Simulation& all) {
  for (int box = 0; box < all.cells.boxes; ++box)
    for (int i = box * most_atoms; i < box * most_atoms + all.cells.filled[box]; ++i) {
      all.atoms.force[i] = {0, 0, 0};
      all.atoms.energy[i] = 0;
    }
}

void compute_forces(Simulation& all) {
  const Potential& potential = all.potential;
  const double cutoff2 = potential.cutoff * potential.cutoff, s6 = std::pow(potential.sigma, 6);
  const double shift = s6 / (cutoff2 * cutoff2 * cutoff2) * (s6 / (cutoff2 * cutoff2 * cutoff2) - 1);
  zero_forces(all);
  double sum = 0;
  for (int box = 0; box < all.cells.boxes; ++box) {
    int neighbours[27];
    const int count = neighbours_of(all.cells, box, neighbours);
    for (int n = 0; n < count; ++n)
      for (int i = box * most_atoms; i < box * most_atoms + all.cells.filled[box]; ++i)
        for (int j = neighbours[n] * most_atoms; j < neighbours[n] * most_atoms + all.cells.filled[neighbours[n]]; ++j) {
          if (i == j) continue;
          Vec3 between;
          const double square = distance(all.cells, all.atoms.place[i], all.atoms.place[j], between);
          if (square > cutoff2) continue;
          const double inverse = 1 / square, r6 = s6 * inverse * inverse * inverse;
          const double local = r6 * (r6 - 1) - shift;
          all.atoms.energy[i] += 0.5 * local;
          sum += 0.5 * local;
          const double force = -4 * potential.epsilon * r6 * inverse * (12 * r6 - 6);
          for (int d = 0; d < 3; ++d) all.atoms.force[i][d] -= between[d] * force;
        }
  }
  all.potential_energy = sum * 4 * potential.epsilon;
}

void advance_momenta(Simulation& all, double dt) {
  for (int box = 0; box < all.cells.boxes; ++box)
    for (int i = 0; i < all.cells.filled[box]; ++i)
      for (int d = 0; d < 3; ++d) all.atoms.momentum[box * most_atoms + i][d] += dt * all.atoms.force[box * most_atoms + i][d];
}

void advance_places(Simulation& all, double dt) {
  for (int box = 0; box < all.cells.boxes; ++box)
    for (int i = 0; i < all.cells.filled[box]; ++i)
      for (int d = 0; d < 3; ++d)
        all.atoms.place[box * most_atoms + i][d] += dt / all.potential.mass * all.atoms.momentum[box * most_atoms + i][d];
}

void sum_kinetic_energy(Simulation& all) {
  double sum = 0;
  for (int box = 0; box < all.cells.boxes; ++box)
    for (int i = box * most_atoms; i < box * most_atoms + all.cells.filled[box]; ++i) {
      const Vec3& p = all.atoms.momentum[i];
      sum += (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / (2 * all.potential.mass);
    }
  all.kinetic_energy = sum;
}

double timestep(Simulation& all, int steps, double dt) {
  for (int step = 0; step < steps; ++step) {
    advance_momenta(all, 0.5 * dt);
    advance_places(all, dt);
    update_cells(all);
    compute_forces(all);
    advance_momenta(all, 0.5 * dt);
  }
  sum_kinetic_energy(all);
  return all.potential_energy + all.kinetic_energy;
}

std::unique_ptr<Simulation> make_simulation(int edge) {
  auto all = std::make_unique<Simulation>();
  const double spacing = 1.6, length = edge * 2.56;
  Cells& cells = all->cells;
  cells.boxes = edge * edge * edge;
  for (int d = 0; d < 3; ++d) {
    cells.grid[d] = edge;
    cells.high[d] = length;
    cells.size[d] = length / edge;
    cells.inverse[d] = edge / length;
  }
  const std::size_t most = std::size_t(cells.boxes) * most_atoms;
  all->atoms = {std::vector<Vec3>(most), std::vector<Vec3>(most), std::vector<Vec3>(most), std::vector<double>(most), std::vector<int>(most)};
  cells.filled.assign(cells.boxes, 0);
  unsigned seed = 1;
  const auto random = [&] { return double((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5; };
  int name = 0;
  const int per_edge = int(length / spacing);
  for (int i = 0; i < per_edge; ++i)
    for (int j = 0; j < per_edge; ++j)
      for (int k = 0; k < per_edge; ++k)
        put_atom(cells, all->atoms, name++, {(i + .5) * spacing, (j + .5) * spacing, (k + .5) * spacing}, {random(), random(), random()});
  return all;
}

} // namespace

int main(int count, char** words) {
  const auto all = make_simulation(count > 1 ? std::atoi(words[1]) : 6);
  double energy = 0;
  for (int i = 0; i < (count > 2 ? std::atoi(words[2]) : 5); ++i) energy = timestep(*all, 4, 0.002);
  std::printf("%d %.6g\n", all->atoms.count, energy);
}
