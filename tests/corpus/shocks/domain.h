// domain.h: fields of nodes and elements of a row of boxes, as LULESH's Domain: all behind accessors.
#ifndef SHOCKS_DOMAIN_H
#define SHOCKS_DOMAIN_H

#include <cstddef>
#include <vector>

using Real = double;
using Index = int;

template <class T> class Field {
public:
  explicit Field(Index n = 0) : values_(static_cast<std::size_t>(n)) {}
  T& operator[](Index i) { return values_[static_cast<std::size_t>(i)]; }
  Index size() const { return static_cast<Index>(values_.size()); }
  void fill(T value) {
    for (T& one : values_) one = value;
  }
  T sum() const {
    T total{};
    for (const T& one : values_) total += one;
    return total;
  }
  template <class U> void add(const Field<U>& other, T factor) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += factor * static_cast<T>(other.values_[i]);
  }

private:
  template <class> friend class Field;
  std::vector<T> values_;
};

class Domain {
public:
  explicit Domain(Index elements);
  Index elements() const { return e_.size(); }
  Index nodes() const { return x_.size(); }
  Real& x(Index i) { return x_[i]; }
  Real& xd(Index i) { return xd_[i]; }
  Real& fx(Index i) { return fx_[i]; }
  Real& e(Index i) { return e_[i]; }
  Real& p(Index i) { return p_[i]; }
  Real& q(Index i) { return q_[i]; }
  Real& v(Index i) { return v_[i]; }
  int& material(Index i) { return material_[i]; }
  Real energy() const { return e_.sum(); }
  int materials() const { return material_.sum(); }
  void clear_forces() { fx_.fill(0); }
  void advance(Real dt) { x_.add(xd_, dt); }

private:
  Field<Real> x_, xd_, fx_, e_, p_, q_, v_;
  Field<int> material_;
};

#endif
