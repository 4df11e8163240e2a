// Sparse matrices, vectors and elements as templates of the number types, in the style of miniFE.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace elements {

template <typename Scalar> struct Vector {
  explicit Vector(std::size_t size) : values(size) {}
  std::size_t size() const { return values.size(); }
  std::vector<Scalar> values;
};

template <typename Scalar, typename Ordinal> struct Matrix {
  std::vector<Ordinal> rows, offsets, columns;
  std::vector<Scalar> values;

  void row_pointers(Ordinal row, std::size_t& length, Ordinal*& first, Scalar*& value) {
    length = 0;
    if (row >= Ordinal(rows.size())) return;
    const Ordinal offset = offsets[row];
    length = std::size_t(offsets[row + 1] - offset);
    first = &columns[offset];
    value = &values[offset];
  }
};

template <typename Ordinal, typename Scalar>
void sum_into_row(int count, const Ordinal* indices, const Scalar* summands, Ordinal* columns, Scalar* values, std::size_t length) {
  for (int i = 0; i < count; ++i) {
    Ordinal* at = std::lower_bound(columns, columns + length, indices[i]);
    if (at != columns + length && *at == indices[i]) values[at - columns] += summands[i];
  }
}

template <typename M, typename Ordinal, typename Scalar>
void sum_into_row(Ordinal row, std::size_t count, const Ordinal* indices, const Scalar* summands, M& matrix) {
  Ordinal* columns = nullptr;
  Scalar* values = nullptr;
  std::size_t length = 0;
  matrix.row_pointers(row, length, columns, values);
  if (length == 0) return;
  sum_into_row(int(count), indices, summands, columns, values, length);
}

template <typename M, typename Ordinal, typename Scalar>
void sum_into(std::size_t count, const Ordinal* indices, const Scalar* coefficients, M& matrix) {
  for (std::size_t i = 0; i < count; ++i) sum_into_row(indices[i], count, indices, &coefficients[i * count], matrix);
}

template <typename Ordinal, typename Scalar>
void sum_into(std::size_t count, const Ordinal* indices, const Scalar* coefficients, Vector<Scalar>& vector) {
  for (std::size_t i = 0; i < count; ++i) vector.values[indices[i]] += coefficients[i];
}

template <typename Scalar> void gauss_points(int count, Scalar* points, Scalar* weights) {
  if (count == 1) {
    points[0] = 0;
    weights[0] = 2;
  } else {
    points[0] = -1 / std::sqrt(Scalar(3));
    points[1] = -points[0];
    weights[0] = weights[1] = 1;
  }
}

/// A trilinear element of eight nodes.
template <typename Scalar> struct Hex8 {
  static void shape(const Scalar* x, Scalar* values) {
    const Scalar u = 1 - x[0], v = 1 - x[1], w = 1 - x[2], up = 1 + x[0], vp = 1 + x[1], wp = 1 + x[2];
    values[0] = .125 * u * v * w, values[1] = .125 * up * v * w, values[2] = .125 * up * vp * w, values[3] = .125 * u * vp * w;
    values[4] = .125 * u * v * wp, values[5] = .125 * up * v * wp, values[6] = .125 * up * vp * wp, values[7] = .125 * u * vp * wp;
  }
  static void gradients(const Scalar* x, Scalar* values) {
    const Scalar u = 1 - x[0], v = 1 - x[1], w = 1 - x[2], up = 1 + x[0], vp = 1 + x[1], wp = 1 + x[2];
    const Scalar all[24] = {-v * w, -u * w, -u * v, v * w,  -up * w, -up * v, vp * w,  up * w,  -up * vp, -vp * w, u * w,  -u * vp,
                            -v * wp, -u * wp, u * v, v * wp, -up * wp, up * v, vp * wp, up * wp, up * vp,  -vp * wp, u * wp, u * vp};
    for (int i = 0; i < 24; ++i) values[i] = .125 * all[i];
  }
  static void jacobian(const Scalar* gradients, const Scalar* coordinates, Scalar* j) {
    std::fill(j, j + 9, Scalar(0));
    for (int n = 0; n < 8; ++n)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) j[3 * a + b] += gradients[3 * n + a] * coordinates[3 * n + b];
  }
  static void inverse(const Scalar* j, Scalar* inverted, Scalar& determinant) {
    determinant = j[0] * (j[4] * j[8] - j[5] * j[7]) - j[1] * (j[3] * j[8] - j[5] * j[6]) + j[2] * (j[3] * j[7] - j[4] * j[6]);
    const Scalar over = 1 / determinant;
    inverted[0] = (j[4] * j[8] - j[5] * j[7]) * over, inverted[1] = (j[2] * j[7] - j[1] * j[8]) * over;
    inverted[2] = (j[1] * j[5] - j[2] * j[4]) * over, inverted[3] = (j[5] * j[6] - j[3] * j[8]) * over;
    inverted[4] = (j[0] * j[8] - j[2] * j[6]) * over, inverted[5] = (j[2] * j[3] - j[0] * j[5]) * over;
    inverted[6] = (j[3] * j[7] - j[4] * j[6]) * over, inverted[7] = (j[1] * j[6] - j[0] * j[7]) * over;
    inverted[8] = (j[0] * j[4] - j[1] * j[3]) * over;
  }
  static void add_stiffness(const Scalar* dpsi, const Scalar* inverted, Scalar factor, Scalar* matrix) {
    Scalar x[8], y[8], z[8];
    for (int i = 0; i < 8; ++i) {
      x[i] = dpsi[3 * i] * inverted[0] + dpsi[3 * i + 1] * inverted[1] + dpsi[3 * i + 2] * inverted[2];
      y[i] = dpsi[3 * i] * inverted[3] + dpsi[3 * i + 1] * inverted[4] + dpsi[3 * i + 2] * inverted[5];
      z[i] = dpsi[3 * i] * inverted[6] + dpsi[3 * i + 1] * inverted[7] + dpsi[3 * i + 2] * inverted[8];
    }
    for (int m = 0; m < 8; ++m)
      for (int n = 0; n < 8; ++n) matrix[8 * m + n] += factor * (x[m] * x[n] + y[m] * y[n] + z[m] * z[n]);
  }
  static void diffusion_matrix(const Scalar* coordinates, Scalar* matrix) {
    Scalar points[2], weights[2], x[3], dpsi[24], j[9], inverted[9], determinant;
    gauss_points(2, points, weights);
    std::fill(matrix, matrix + 64, Scalar(0));
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        for (int c = 0; c < 2; ++c) {
          x[0] = points[a], x[1] = points[b], x[2] = points[c];
          gradients(x, dpsi);
          jacobian(dpsi, coordinates, j);
          inverse(j, inverted, determinant);
          add_stiffness(dpsi, inverted, weights[a] * weights[b] * weights[c] * determinant, matrix);
        }
  }
  static void source_vector(const Scalar* coordinates, Scalar* vector) {
    Scalar points[2], weights[2], x[3], psi[8], dpsi[24], j[9], inverted[9], determinant;
    gauss_points(2, points, weights);
    std::fill(vector, vector + 8, Scalar(0));
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        for (int c = 0; c < 2; ++c) {
          x[0] = points[a], x[1] = points[b], x[2] = points[c];
          shape(x, psi);
          gradients(x, dpsi);
          jacobian(dpsi, coordinates, j);
          inverse(j, inverted, determinant);
          for (int n = 0; n < 8; ++n) vector[n] += psi[n] * weights[a] * weights[b] * weights[c] * determinant;
        }
  }
};

template <typename V> void waxpby(double alpha, const V& x, double beta, const V& y, V& w) {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i) w.values[i] = alpha * x.values[i] + beta * y.values[i];
}

template <typename V> double dot(const V& x, const V& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x.values[i] * y.values[i];
  return sum;
}

template <typename M, typename V> struct MatrixTimesVector {
  void operator()(M& matrix, V& x, V& y) {
    const std::size_t n = matrix.rows.size();
    for (std::size_t row = 0; row < n; ++row) {
      double sum = 0;
      for (auto i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) sum += matrix.values[i] * x.values[matrix.columns[i]];
      y.values[row] = sum;
    }
  }
};

template <typename M, typename V> void multiply(M& matrix, V& x, V& y) {
  MatrixTimesVector<M, V> times;
  times(matrix, x, y);
}

template <typename M, typename V> double solve(M& matrix, const V& b, V& x, int rounds) {
  V r(b.size()), p(b.size()), ap(b.size());
  multiply(matrix, x, ap);
  waxpby(1, b, -1, ap, r);
  waxpby(1, r, 0, r, p);
  double square = dot(r, r);
  for (int i = 0; i < rounds && square > 1e-20; ++i) {
    multiply(matrix, p, ap);
    const double alpha = square / dot(p, ap);
    waxpby(1, x, alpha, p, x);
    waxpby(1, r, -alpha, ap, r);
    const double next = dot(r, r);
    waxpby(1, r, next / square, p, p);
    square = next;
  }
  return std::sqrt(square);
}

} // namespace elements
