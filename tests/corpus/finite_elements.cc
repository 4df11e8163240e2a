// finite_elements.cc: like miniFE: finite elements in templates over the types of scalars and ordinals: for each
// hexahedron its nodes, coordinates, a diffusion matrix from eight Gauss points and its sum into a sparse matrix
// (functions of 20 ns to 2 us, called for each element), then conjugate gradients with vector functions of
// some us. Ranks have slabs of their own and share dot products. A step is one assembly and 20 iterations.
// The checksum is the norm of the solution in the end.
#include "corpus.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

constexpr int edge = 10;
constexpr int nodes_of_edge = edge + 1;

template <typename Scalar, typename Ordinal> struct Matrix {
  std::vector<Ordinal> first, columns;
  std::vector<Scalar> values;
  Ordinal rows() const { return static_cast<Ordinal>(first.size()) - 1; }
};

template <typename Scalar, typename Ordinal> struct Element {
  Ordinal nodes[8];
  Scalar coordinates[8][3];
  Scalar diffusion[8][8];
  Scalar source[8];
};

template <typename Ordinal> Ordinal node_id(Ordinal x, Ordinal y, Ordinal z) {
  return (z * nodes_of_edge + y) * nodes_of_edge + x;
}

template <typename Ordinal> void element_nodes(Ordinal element, Ordinal nodes[8]) {
  const Ordinal x = element % edge, y = element / edge % edge, z = element / edge / edge;
  for (int i = 0; i < 8; ++i) nodes[i] = node_id<Ordinal>(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
}

template <typename Scalar, typename Ordinal> void element_coordinates(Element<Scalar, Ordinal>& e) {
  for (int i = 0; i < 8; ++i) {
    const Ordinal n = e.nodes[i];
    e.coordinates[i][0] = Scalar(n % nodes_of_edge) / edge;
    e.coordinates[i][1] = Scalar(n / nodes_of_edge % nodes_of_edge) / edge;
    e.coordinates[i][2] = Scalar(n / nodes_of_edge / nodes_of_edge) / edge;
  }
}

template <typename Scalar> void gradients_of_shape_functions(const Scalar point[3], Scalar gradients[8][3]) {
  for (int i = 0; i < 8; ++i) {
    Scalar sign[3], factor[3];
    for (int axis = 0; axis < 3; ++axis) {
      sign[axis] = (i >> axis & 1) ? 1 : -1;
      factor[axis] = 1 + sign[axis] * point[axis];
    }
    gradients[i][0] = sign[0] * factor[1] * factor[2] / 8;
    gradients[i][1] = sign[1] * factor[0] * factor[2] / 8;
    gradients[i][2] = sign[2] * factor[0] * factor[1] / 8;
  }
}

template <typename Scalar>
void jacobian(const Scalar gradients[8][3], const Scalar coordinates[8][3], Scalar matrix[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      matrix[i][j] = 0;
      for (int k = 0; k < 8; ++k) matrix[i][j] += gradients[k][i] * coordinates[k][j];
    }
}

template <typename Scalar> Scalar invert(const Scalar m[3][3], Scalar inverse[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      inverse[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
  const Scalar determinant = m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inverse[i][j] /= determinant;
  return determinant;
}

template <typename Scalar, typename Ordinal> void diffusion_matrix(Element<Scalar, Ordinal>& e) {
  const Scalar gauss = Scalar(0.5773502691896257);
  std::fill(&e.diffusion[0][0], &e.diffusion[0][0] + 64, Scalar(0));
  for (int p = 0; p < 8; ++p) {
    const Scalar point[3] = {(p & 1) ? gauss : -gauss, (p & 2) ? gauss : -gauss, (p & 4) ? gauss : -gauss};
    Scalar gradients[8][3], matrix[3][3], inverse[3][3], real[8][3];
    gradients_of_shape_functions(point, gradients);
    jacobian(gradients, e.coordinates, matrix);
    const Scalar determinant = invert(matrix, inverse);
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 3; ++j)
        real[i][j] =
            inverse[j][0] * gradients[i][0] + inverse[j][1] * gradients[i][1] + inverse[j][2] * gradients[i][2];
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
        e.diffusion[i][j] +=
            determinant * (real[i][0] * real[j][0] + real[i][1] * real[j][1] + real[i][2] * real[j][2]);
  }
}

template <typename Scalar, typename Ordinal> void source_vector(Element<Scalar, Ordinal>& e) {
  for (int i = 0; i < 8; ++i) e.source[i] = (1 + e.coordinates[i][0] * e.coordinates[i][1]) / (8 * edge * edge * edge);
}

template <typename Scalar, typename Ordinal>
Scalar& element_at(Matrix<Scalar, Ordinal>& a, Ordinal row, Ordinal column) {
  const auto begin = a.columns.begin() + a.first[row], end = a.columns.begin() + a.first[row + 1];
  return a.values[std::lower_bound(begin, end, column) - a.columns.begin()];
}

template <typename Scalar, typename Ordinal>
void sum_into_row(Matrix<Scalar, Ordinal>& a, Ordinal row, const Ordinal nodes[8], const Scalar values[8]) {
  for (int i = 0; i < 8; ++i) element_at(a, row, nodes[i]) += values[i];
}

template <typename Scalar, typename Ordinal>
void sum_into_global(const Element<Scalar, Ordinal>& e, Matrix<Scalar, Ordinal>& a, std::vector<Scalar>& b) {
  for (int i = 0; i < 8; ++i) {
    sum_into_row(a, e.nodes[i], e.nodes, e.diffusion[i]);
    b[e.nodes[i]] += e.source[i];
  }
}

template <typename Scalar, typename Ordinal> void assemble(Matrix<Scalar, Ordinal>& a, std::vector<Scalar>& b) {
  std::fill(a.values.begin(), a.values.end(), Scalar(0));
  std::fill(b.begin(), b.end(), Scalar(0));
  for (Ordinal element = 0; element < edge * edge * edge; ++element) {
    Element<Scalar, Ordinal> e;
    element_nodes(element, e.nodes);
    element_coordinates(e);
    diffusion_matrix(e);
    source_vector(e);
    sum_into_global(e, a, b);
  }
  for (Ordinal row = 0; row < a.rows(); ++row) element_at(a, row, row) += Scalar(0.01); // makes it positive definite
}

template <typename Scalar, typename Ordinal> Matrix<Scalar, Ordinal> make_structure() {
  Matrix<Scalar, Ordinal> a;
  a.first.push_back(0);
  const auto inside = [](Ordinal i) { return i >= 0 && i < nodes_of_edge; };
  for (Ordinal row = 0; row < nodes_of_edge * nodes_of_edge * nodes_of_edge; ++row) {
    const Ordinal x = row % nodes_of_edge, y = row / nodes_of_edge % nodes_of_edge;
    const Ordinal z = row / nodes_of_edge / nodes_of_edge;
    for (Ordinal i = 0; i < 27; ++i) {
      const Ordinal nx = x + i % 3 - 1, ny = y + i / 3 % 3 - 1, nz = z + i / 9 - 1;
      if (inside(nx) && inside(ny) && inside(nz)) a.columns.push_back(node_id(nx, ny, nz));
    }
    a.first.push_back(static_cast<Ordinal>(a.columns.size()));
  }
  a.values.resize(a.columns.size());
  return a;
}

template <typename Scalar, typename Ordinal>
void matvec(const Matrix<Scalar, Ordinal>& a, const std::vector<Scalar>& x, std::vector<Scalar>& y) {
  for (Ordinal row = 0; row < a.rows(); ++row) {
    Scalar sum = 0;
    for (Ordinal k = a.first[row]; k < a.first[row + 1]; ++k) sum += a.values[k] * x[a.columns[k]];
    y[row] = sum;
  }
}

template <typename Scalar> Scalar dot(const std::vector<Scalar>& x, const std::vector<Scalar>& y) {
  double sum = 0, total;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

template <typename Scalar>
void waxpby(Scalar a, const std::vector<Scalar>& x, Scalar b, const std::vector<Scalar>& y, std::vector<Scalar>& w) {
  for (std::size_t i = 0; i < x.size(); ++i) w[i] = a * x[i] + b * y[i];
}

template <typename Scalar, typename Ordinal>
Scalar cg_solve(const Matrix<Scalar, Ordinal>& a, const std::vector<Scalar>& b, std::vector<Scalar>& x) {
  std::vector<Scalar> r = b, p = b, ap(b.size());
  std::fill(x.begin(), x.end(), Scalar(0));
  Scalar rho = dot(r, r);
  for (int i = 0; i < 20; ++i) {
    matvec(a, p, ap);
    const Scalar alpha = rho / dot(p, ap), before = rho;
    waxpby(Scalar(1), x, alpha, p, x);
    waxpby(Scalar(1), r, -alpha, ap, r);
    rho = dot(r, r);
    waxpby(Scalar(1), r, rho / before, p, p);
  }
  return std::sqrt(dot(x, x));
}

} // namespace

int main(int argc, char** argv) {
  corpus c = corpus_start(&argc, &argv);
  auto a = make_structure<double, int>();
  std::vector<double> b(a.rows()), x(a.rows());
  double norm = 0;
  for (long i = 0; i < c.steps; ++i) {
    assemble(a, b);
    norm = cg_solve(a, b, x);
  }
  return corpus_end(&c, "finite_elements", norm);
}
