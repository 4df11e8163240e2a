// Accessors of all kinds in a header of the program's own: getters, setters, an iterator over a
// vector, an index. Nothing here is worth a probe but what has a loop.
#pragma once
#include <cstddef>
#include <vector>

#ifndef TINY
#define TINY
#endif

class Particle {
public:
  TINY double place() const { return place_; }
  TINY double speed() const { return speed_; }
  TINY void set_place(double place) { place_ = place; }
  TINY void set_speed(double speed) { speed_ = speed; }

private:
  double place_ = 0, speed_ = 1;
};

class Particles {
public:
  class Iterator {
  public:
    TINY explicit Iterator(Particle* at) : at_(at) {}
    TINY Particle& operator*() const { return *at_; }
    TINY Iterator& operator++() {
      ++at_;
      return *this;
    }
    TINY bool operator!=(const Iterator& other) const { return at_ != other.at_; }

  private:
    Particle* at_;
  };

  explicit Particles(std::size_t count) : particles_(count) {}
  TINY std::size_t size() const { return particles_.size(); }
  TINY Particle& operator[](std::size_t i) { return particles_[i]; }
  TINY Iterator begin() { return Iterator(particles_.data()); }
  TINY Iterator end() { return Iterator(particles_.data() + particles_.size()); }

private:
  std::vector<Particle> particles_;
};
