// A ray tracer: small classes of vectors, shapes by virtual functions, a tree of boxes that is walked by recursion, lambdas.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace {

struct Vec {
  double x = 0, y = 0, z = 0;
  Vec operator+(const Vec& b) const { return {x + b.x, y + b.y, z + b.z}; }
  Vec operator-(const Vec& b) const { return {x - b.x, y - b.y, z - b.z}; }
  Vec operator*(double f) const { return {x * f, y * f, z * f}; }
  double dot(const Vec& b) const { return x * b.x + y * b.y + z * b.z; }
  double length() const { return std::sqrt(dot(*this)); }
  double at(int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

Vec unit(const Vec& v) { return v * (1 / v.length()); }
Vec least(const Vec& a, const Vec& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec most(const Vec& a, const Vec& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

struct Ray {
  Vec from, along;
  Vec at(double t) const { return from + along * t; }
};

struct Box {
  Vec low, high;
  Box with(const Box& b) const { return {least(low, b.low), most(high, b.high)}; }
  Vec middle() const { return (low + high) * 0.5; }
  bool is_hit(const Ray& ray, double far) const {
    double near = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double inverse = 1 / ray.along.at(axis);
      double a = (low.at(axis) - ray.from.at(axis)) * inverse, b = (high.at(axis) - ray.from.at(axis)) * inverse;
      if (a > b) std::swap(a, b);
      near = std::max(near, a);
      far = std::min(far, b);
    }
    return near <= far;
  }
};

class Shape {
public:
  virtual ~Shape() = default;
  virtual std::optional<double> hit(const Ray& ray) const = 0;
  virtual Vec normal(const Vec& place) const = 0;
  virtual Box box() const = 0;
  double mirror = 0.3;
};

class Sphere final : public Shape {
public:
  Sphere(const Vec& middle, double radius) : middle_(middle), radius_(radius) {}
  std::optional<double> hit(const Ray& ray) const override {
    const Vec to = ray.from - middle_;
    const double b = to.dot(ray.along), c = to.dot(to) - radius_ * radius_, d = b * b - c;
    if (d < 0) return std::nullopt;
    const double root = std::sqrt(d), t = -b - root > 1e-9 ? -b - root : -b + root;
    return t > 1e-9 ? std::optional<double>(t) : std::nullopt;
  }
  Vec normal(const Vec& place) const override { return (place - middle_) * (1 / radius_); }
  Box box() const override {
    const Vec r{radius_, radius_, radius_};
    return {middle_ - r, middle_ + r};
  }

private:
  Vec middle_;
  double radius_;
};

struct Node {
  Box box;
  std::unique_ptr<Node> left, right;
  std::vector<const Shape*> shapes;
};

struct Hit {
  double t = std::numeric_limits<double>::infinity();
  const Shape* shape = nullptr;
};

std::unique_ptr<Node> make_tree(std::vector<const Shape*> shapes, int axis) {
  auto node = std::make_unique<Node>();
  node->box = shapes.front()->box();
  for (const Shape* shape : shapes) node->box = node->box.with(shape->box());
  if (shapes.size() <= 2) {
    node->shapes = std::move(shapes);
    return node;
  }
  const auto middle = shapes.begin() + std::ptrdiff_t(shapes.size() / 2);
  std::nth_element(shapes.begin(), middle, shapes.end(), [axis](const Shape* a, const Shape* b) {
    return a->box().middle().at(axis) < b->box().middle().at(axis);
  });
  node->left = make_tree({shapes.begin(), middle}, (axis + 1) % 3);
  node->right = make_tree({middle, shapes.end()}, (axis + 1) % 3);
  return node;
}

void find_hit(const Node& node, const Ray& ray, Hit& nearest) {
  if (!node.box.is_hit(ray, nearest.t)) return;
  for (const Shape* shape : node.shapes) {
    const auto t = shape->hit(ray);
    if (t && *t < nearest.t) nearest = {*t, shape};
  }
  if (node.left) find_hit(*node.left, ray, nearest);
  if (node.right) find_hit(*node.right, ray, nearest);
}

double trace(const Node& scene, const Ray& ray, int depth) {
  Hit hit;
  find_hit(scene, ray, hit);
  if (!hit.shape) return 0.5 + 0.5 * ray.along.y;
  const Vec place = ray.at(hit.t), normal = hit.shape->normal(place), light = unit({1, 2, -1});
  Hit between;
  find_hit(scene, {place + normal * 1e-6, light}, between);
  const double direct = between.shape ? 0.1 : std::max(0.1, normal.dot(light));
  if (depth == 0) return direct;
  const Vec mirrored = ray.along - normal * (2 * ray.along.dot(normal));
  return (1 - hit.shape->mirror) * direct + hit.shape->mirror * trace(scene, {place + normal * 1e-6, mirrored}, depth - 1);
}

template <typename Shade> double picture(int edge, const Shade& shade) {
  double sum = 0;
  for (int i = 0; i < edge; ++i)
    for (int j = 0; j < edge; ++j) sum += shade((i + 0.5) / edge - 0.5, (j + 0.5) / edge - 0.5);
  return sum / (edge * edge);
}

} // namespace

int main(int count, char** words) {
  const int edge = count > 1 ? std::atoi(words[1]) : 100, spheres = count > 2 ? std::atoi(words[2]) : 200;
  std::vector<std::unique_ptr<Shape>> shapes;
  unsigned seed = 1;
  const auto random = [&seed] { return double((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24); };
  for (int i = 0; i < spheres; ++i) {
    const double x = random() * 8 - 4, y = random() * 8 - 4, z = random() * 8 + 2;
    shapes.push_back(std::make_unique<Sphere>(Vec{x, y, z}, 0.2 + 0.3 * random()));
  }
  std::vector<const Shape*> all;
  for (const auto& shape : shapes) all.push_back(shape.get());
  const auto scene = make_tree(all, 0);
  const double light = picture(edge, [&](double x, double y) { return trace(*scene, {{0, 0, -3}, unit({x, y, 1})}, 3); });
  std::printf("%.9g\n", light);
}
