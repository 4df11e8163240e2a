// Written against Eigen: small matrices of fixed size for each of many points, and a large dense and a sparse system.
//
//   eigen_fits POINTS SIZE
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <eigen3/Eigen/Dense>
#include <eigen3/Eigen/Sparse>

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Pose {
  Matrix3d rotation = Matrix3d::Identity();
  Vector3d shift = Vector3d::Zero();
  Vector3d operator()(const Vector3d& point) const { return rotation * point + shift; }
};

Matrix3d cross_matrix(const Vector3d& v) {
  Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

inline Vector3d residual(const Pose& pose, const Vector3d& from, const Vector3d& to) { return pose(from) - to; }

template <typename Derived> double squared(const Eigen::MatrixBase<Derived>& v) { return v.squaredNorm(); }

Eigen::Matrix<double, 3, 6> jacobian(const Pose& pose, const Vector3d& from) {
  Eigen::Matrix<double, 3, 6> j;
  j.leftCols<3>() = -cross_matrix(pose.rotation * from);
  j.rightCols<3>() = Matrix3d::Identity();
  return j;
}

Pose updated(const Pose& pose, const Eigen::Matrix<double, 6, 1>& step) {
  Pose next;
  const double angle = step.head<3>().norm();
  const Vector3d axis = angle > 0 ? Vector3d(step.head<3>() / angle) : Vector3d::UnitX();
  next.rotation = Eigen::AngleAxisd(angle, axis).toRotationMatrix() * pose.rotation;
  next.shift = pose.shift + step.tail<3>();
  return next;
}

double fit(Pose& pose, const std::vector<Vector3d>& from, const std::vector<Vector3d>& to) {
  Eigen::Matrix<double, 6, 6> h = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::Matrix<double, 6, 1> g = Eigen::Matrix<double, 6, 1>::Zero();
  double cost = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vector3d r = residual(pose, from[i], to[i]);
    const auto j = jacobian(pose, from[i]);
    h += j.transpose() * j;
    g += j.transpose() * r;
    cost += squared(r);
  }
  pose = updated(pose, -h.ldlt().solve(g));
  return cost;
}

double dense(int size) {
  MatrixXd a(size, size);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) a(i, j) = 1.0 / (1 + i + j) + (i == j ? 2 : 0);
  const VectorXd b = VectorXd::LinSpaced(size, 0, 1);
  return a.partialPivLu().solve(b).sum() + (a * a.transpose()).trace();
}

double sparse(int size) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) {
    entries.emplace_back(i, i, 4);
    if (i) entries.emplace_back(i, i - 1, -1), entries.emplace_back(i - 1, i, -1);
  }
  Eigen::SparseMatrix<double> a(size, size);
  a.setFromTriplets(entries.begin(), entries.end());
  Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> solver(a);
  return solver.solve(VectorXd::Ones(size)).sum();
}

} // namespace

int main(int count, char** words) {
  std::vector<Vector3d> from, to;
  const Pose truth = updated(Pose(), (Eigen::Matrix<double, 6, 1>() << .1, .2, .3, 1, 2, 3).finished());
  for (int i = 0; i < (count > 1 ? std::atoi(words[1]) : 3000); ++i) {
    from.emplace_back(i % 17 - 8, i % 23 - 11, i % 31 - 15);
    to.push_back(truth(from.back()));
  }
  Pose pose;
  double cost = 0;
  for (int round = 0; round < 6; ++round) cost += fit(pose, from, to);
  const int size = count > 2 ? std::atoi(words[2]) : 60;
  std::printf("%.6g %.9g %.9g\n", cost, dense(size), sparse(50 * size));
}
