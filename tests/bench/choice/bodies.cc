// Gravity by an octree (Barnes and Hut): recursion, a small vector class, an abstract base class.
//
//   bodies BODIES STEPS
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

struct Vec {
  double x = 0, y = 0, z = 0;
  Vec& operator+=(const Vec& o) { return x += o.x, y += o.y, z += o.z, *this; }
  Vec& operator*=(double f) { return x *= f, y *= f, z *= f, *this; }
};
inline Vec operator+(Vec a, const Vec& b) { return a += b; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(double f, Vec a) { return a *= f; }
inline double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Body {
  Vec place, speed, acceleration;
  double mass = 1;
};

/// How one mass pulls another: chosen at run time.
class Law {
public:
  virtual ~Law() = default;
  virtual Vec pull(const Vec& between, double mass) const = 0;
};

class Softened : public Law {
public:
  explicit Softened(double epsilon) : epsilon2_(epsilon * epsilon) {}
  Vec pull(const Vec& between, double mass) const override {
    const double square = dot(between, between) + epsilon2_;
    return mass / (square * std::sqrt(square)) * between;
  }

private:
  double epsilon2_;
};

class Node {
public:
  Node(Vec centre, double half) : centre_(centre), half_(half) {}

  void insert(const Body* body, int depth = 0) {
    if (!body_ && !has_children_ && mass_ == 0) {
      body_ = body;
    } else if (depth < 40) {
      if (body_) {
        child_for(body_->place).insert(body_, depth + 1);
        body_ = nullptr;
      }
      has_children_ = true;
      child_for(body->place).insert(body, depth + 1);
    }
    weighted_ += body->mass * body->place;
    mass_ += body->mass;
  }

  Vec pull_on(const Body& body, const Law& law, double theta) const {
    const Vec between = (1 / mass_) * weighted_ - body.place;
    if (body_ == &body) return {};
    if (!has_children_ || 4 * half_ * half_ < theta * theta * dot(between, between)) return law.pull(between, mass_);
    Vec sum;
    for (const auto& child : children_)
      if (child) sum += child->pull_on(body, law, theta);
    return sum;
  }

private:
  int octant_of(const Vec& place) const {
    return (place.x > centre_.x) + 2 * (place.y > centre_.y) + 4 * (place.z > centre_.z);
  }
  Node& child_for(const Vec& place) {
    const int octant = octant_of(place);
    if (!children_[octant]) {
      const double h = half_ / 2;
      const Vec offset{octant & 1 ? h : -h, octant & 2 ? h : -h, octant & 4 ? h : -h};
      children_[octant] = std::make_unique<Node>(centre_ + offset, h);
    }
    return *children_[octant];
  }

  Vec centre_, weighted_;
  double half_, mass_ = 0;
  const Body* body_ = nullptr;
  bool has_children_ = false;
  std::unique_ptr<Node> children_[8];
};

static std::unique_ptr<Node> make_tree(const std::vector<Body>& bodies) {
  auto root = std::make_unique<Node>(Vec{}, 16.0);
  for (const Body& body : bodies) root->insert(&body);
  return root;
}

static void accelerate(std::vector<Body>& bodies, const Node& root, const Law& law) {
  for (Body& body : bodies) body.acceleration = root.pull_on(body, law, 0.5);
}

static void move(std::vector<Body>& bodies, double dt) {
  for (Body& body : bodies) {
    body.speed += dt * body.acceleration;
    body.place += dt * body.speed;
  }
}

static double energy_of(const std::vector<Body>& bodies) {
  double sum = 0;
  for (const Body& body : bodies) sum += 0.5 * body.mass * dot(body.speed, body.speed);
  return sum;
}

int main(int count, char** words) {
  std::vector<Body> bodies(count > 1 ? std::atoi(words[1]) : 400);
  unsigned seed = 1;
  const auto random = [&] { return double((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24) * 20 - 10; };
  for (Body& body : bodies) body.place = {random(), random(), random()};
  const Softened law(0.1);
  for (int step = 0; step < (count > 2 ? std::atoi(words[2]) : 3); ++step) {
    accelerate(bodies, *make_tree(bodies), law);
    move(bodies, 0.01);
  }
  std::printf("%.9g\n", energy_of(bodies));
}
