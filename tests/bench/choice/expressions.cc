// Expression templates over arrays, in a header's style: a heat equation with sources, solved by conjugate gradients.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace fields {

template <typename Derived> struct Expression {
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  double operator[](std::size_t i) const { return self().at(i); }
  std::size_t size() const { return self().length(); }
};

template <typename Left, typename Right, typename Operation> class Combined : public Expression<Combined<Left, Right, Operation>> {
public:
  Combined(const Left& left, const Right& right) : left_(left), right_(right) {}
  double at(std::size_t i) const { return Operation::of(left_[i], right_[i]); }
  std::size_t length() const { return left_.size(); }

private:
  const Left& left_;
  const Right& right_;
};

template <typename Of> class Scaled : public Expression<Scaled<Of>> {
public:
  Scaled(double factor, const Of& of) : factor_(factor), of_(of) {}
  double at(std::size_t i) const { return factor_ * of_[i]; }
  std::size_t length() const { return of_.size(); }

private:
  double factor_;
  const Of& of_;
};

struct Plus {
  static double of(double a, double b) { return a + b; }
};
struct Minus {
  static double of(double a, double b) { return a - b; }
};

class Field : public Expression<Field> {
public:
  explicit Field(std::size_t size, double value = 0) : values_(size, value) {}
  template <typename E> Field(const Expression<E>& from) : values_(from.size()) { assign(from); }
  template <typename E> Field& operator=(const Expression<E>& from) {
    assign(from);
    return *this;
  }
  template <typename E> Field& operator+=(const Expression<E>& more) { return *this = Combined<Field, E, Plus>(*this, more.self()); }
  template <typename E> Field& operator-=(const Expression<E>& less) { return *this = Combined<Field, E, Minus>(*this, less.self()); }
  double at(std::size_t i) const { return values_[i]; }
  double& operator()(std::size_t i) { return values_[i]; }
  std::size_t length() const { return values_.size(); }

private:
  template <typename E> void assign(const Expression<E>& from) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = from[i];
  }
  std::vector<double> values_;
};

template <typename L, typename R> Combined<L, R, Plus> operator+(const Expression<L>& left, const Expression<R>& right) {
  return {left.self(), right.self()};
}
template <typename L, typename R> Combined<L, R, Minus> operator-(const Expression<L>& left, const Expression<R>& right) {
  return {left.self(), right.self()};
}
template <typename E> Scaled<E> operator*(double factor, const Expression<E>& of) { return {factor, of.self()}; }

template <typename L, typename R> double dot(const Expression<L>& left, const Expression<R>& right) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
  return sum;
}
template <typename E> double norm(const Expression<E>& of) { return std::sqrt(dot(of, of)); }

} // namespace fields

namespace {

using fields::Field;

class Grid {
public:
  explicit Grid(std::size_t edge) : edge_(edge) {}
  std::size_t size() const { return edge_ * edge_; }
  std::size_t index(std::size_t row, std::size_t column) const { return row * edge_ + column; }
  template <typename Visit> void each_point(const Visit& visit) const {
    for (std::size_t row = 0; row < edge_; ++row)
      for (std::size_t column = 0; column < edge_; ++column) visit(row, column);
  }
  template <typename E> double neighbours(const fields::Expression<E>& of, std::size_t row, std::size_t column) const {
    double sum = 0;
    if (row > 0) sum += of[index(row - 1, column)];
    if (row + 1 < edge_) sum += of[index(row + 1, column)];
    if (column > 0) sum += of[index(row, column - 1)];
    if (column + 1 < edge_) sum += of[index(row, column + 1)];
    return sum;
  }

private:
  std::size_t edge_;
};

void apply(const Grid& grid, double dt, const Field& x, Field& result) {
  grid.each_point([&](std::size_t row, std::size_t column) {
    const std::size_t i = grid.index(row, column);
    result(i) = (1 + 4 * dt) * x[i] - dt * grid.neighbours(x, row, column);
  });
}

int solve(const Grid& grid, double dt, const Field& right, Field& x) {
  Field ap(grid.size());
  apply(grid, dt, x, ap);
  Field r = right - ap, p = r;
  double square = dot(r, r);
  int steps = 0;
  for (; steps < 200 && std::sqrt(square) > 1e-10 * norm(right); ++steps) {
    apply(grid, dt, p, ap);
    const double alpha = square / dot(p, ap);
    x += alpha * p;
    r -= alpha * ap;
    const double next = dot(r, r);
    p = r + (next / std::exchange(square, next)) * p;
  }
  return steps;
}

} // namespace

int main(int count, char** words) {
  const Grid grid(std::size_t(count > 1 ? std::atoi(words[1]) : 50));
  Field heat(grid.size()), source(grid.size());
  grid.each_point([&](std::size_t row, std::size_t column) { source(grid.index(row, column)) = row == column ? 1 : 0; });
  int steps = 0;
  for (int time = 0; time < (count > 2 ? std::atoi(words[2]) : 20); ++time) {
    const Field right = heat + 0.1 * source;
    steps += solve(grid, 0.5, right, heat);
  }
  std::printf("%d %.9g\n", steps, norm(heat));
}
