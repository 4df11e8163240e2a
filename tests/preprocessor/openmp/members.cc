// Constructs in members, constructors, destructors and operators, on members of this.
#include <cstdio>
#include <memory>

class Field {
public:
  explicit Field(int n) : n_(n), data_(new double[std::size_t(n)]) {
#pragma omp parallel for
    for (int i = 0; i < n_; ++i) data_[i] = i;
  }
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;
  virtual ~Field() {
    double left = 0;
#pragma omp parallel for reduction(+ : left)
    for (int i = 0; i < n_; ++i) left += data_[i];
    std::printf("left %g\n", left);
  }
  Field& operator*=(double factor) {
#pragma omp parallel firstprivate(factor)
    {
#pragma omp for simd
      for (int i = 0; i < n_; ++i) data_[i] *= factor;
#pragma omp single nowait
      scaled_++;
    }
    return *this;
  }
  virtual double norm() const {
    double sum = 0;
#pragma omp parallel
    {
      double mine = 0;
#pragma omp for nowait
      for (int i = 0; i < n_; ++i) mine += data_[i] * data_[i];
#pragma omp critical (norm)
      sum += mine;
    }
    return sum;
  }

protected:
  int n_, scaled_ = 0;
  std::unique_ptr<double[]> data_;
};

class Halved : public Field {
public:
  using Field::Field;
  double norm() const override {
    double result = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(result)
      result = Field::norm() / 2;
    }
    return result + scaled_;
  }
};

int main() {
  const std::unique_ptr<Field> a = std::make_unique<Field>(64), b = std::make_unique<Halved>(32);
  *a *= 0.5;
  *b *= 2;
  std::printf("%g %g\n", a->norm(), b->norm());
}
