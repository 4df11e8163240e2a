// Finite elements on a box of hexahedra, solved by conjugate gradients, in the style of miniFE.
//
//   elements EDGE ROUNDS
#include "elements.h"

#include <cstdio>
#include <cstdlib>

using namespace elements;
using Sparse = Matrix<double, int>;

static int node_at(int edge, int x, int y, int z) { return (z * (edge + 1) + y) * (edge + 1) + x; }

static void make_structure(Sparse& matrix, int edge) {
  const int n = edge + 1;
  matrix.offsets.push_back(0);
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        matrix.rows.push_back(node_at(edge, x, y, z));
        for (int k = -1; k <= 1; ++k)
          for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i)
              if (x + i >= 0 && x + i < n && y + j >= 0 && y + j < n && z + k >= 0 && z + k < n)
                matrix.columns.push_back(node_at(edge, x + i, y + j, z + k));
        matrix.offsets.push_back(int(matrix.columns.size()));
      }
  matrix.values.assign(matrix.columns.size(), 0);
}

static void nodes_of(int edge, int x, int y, int z, int* nodes) {
  const int at[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int i = 0; i < 8; ++i) nodes[i] = node_at(edge, x + at[i][0], y + at[i][1], z + at[i][2]);
}

static void coordinates_of(int edge, const int* nodes, double* coordinates) {
  const int n = edge + 1;
  for (int i = 0; i < 8; ++i) {
    coordinates[3 * i] = double(nodes[i] % n) / edge;
    coordinates[3 * i + 1] = double(nodes[i] / n % n) / edge;
    coordinates[3 * i + 2] = double(nodes[i] / (n * n)) / edge;
  }
}

static void assemble(Sparse& matrix, Vector<double>& b, int edge) {
  for (int z = 0; z < edge; ++z)
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x) {
        int nodes[8];
        double coordinates[24], stiffness[64], source[8];
        nodes_of(edge, x, y, z, nodes);
        coordinates_of(edge, nodes, coordinates);
        Hex8<double>::diffusion_matrix(coordinates, stiffness);
        Hex8<double>::source_vector(coordinates, source);
        sum_into(8, nodes, stiffness, matrix);
        sum_into(8, nodes, source, b);
      }
}

static void fix_boundary(Sparse& matrix, Vector<double>& b, int edge) {
  const int n = edge + 1;
  for (std::size_t row = 0; row < matrix.rows.size(); ++row)
    if (int(row) % n == 0) {
      b.values[row] = 0;
      for (int i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) matrix.values[i] = matrix.columns[i] == int(row);
    }
}

int main(int count, char** words) {
  const int edge = count > 1 ? std::atoi(words[1]) : 12;
  Sparse matrix;
  make_structure(matrix, edge);
  Vector<double> b(matrix.rows.size()), x(matrix.rows.size());
  assemble(matrix, b, edge);
  fix_boundary(matrix, b, edge);
  const double residual = solve(matrix, b, x, count > 2 ? std::atoi(words[2]) : 20);
  std::printf("%.6g %.6g\n", residual, x.values[x.size() / 2]);
}
