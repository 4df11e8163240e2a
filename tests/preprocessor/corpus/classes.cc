// flags: -std=c++20 -Wall -Wextra -Wshadow -pedantic
// flags: -std=c++17 -O2 -Wall -Wextra -Wnon-virtual-dtor
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace outer {
namespace {
int hidden(int x) { return x; } //+ outer::hidden
} // namespace
inline namespace v1 {
int versioned() { return hidden(1); } //+ outer::versioned
} // namespace v1

class Grid {
public:
  Grid() : Grid(1) {} //+ outer::Grid::Grid()
  explicit Grid(int n) try : n_(check(n)), data_(static_cast<std::size_t>(n)) { //+ outer::Grid::Grid(int)
    ++made;
  } catch (const std::exception&) {
    std::puts("caught in constructor");
  }
  Grid(const Grid&) = default; //- defaulted
  Grid& operator=(const Grid&) = delete; //- deleted
  virtual ~Grid() { ++gone; } //+ outer::Grid::~Grid
  int size() const { return n_; } //+ outer::Grid::size() const
  int size(int extra) const noexcept(noexcept(extra + 1)) { return n_ + extra; } //+ outer::Grid::size(int) const
  int step();
  virtual auto trailing() -> int { return 1; } //+ outer::Grid::trailing
  explicit operator bool() const { return n_ > 0; } //+ outer::Grid::operator bool
  int operator()(int i) { return data_.at(static_cast<std::size_t>(i)); } //+ outer::Grid::operator()
  int& operator[](int i) { return data_[static_cast<std::size_t>(i)]; } //+ outer::Grid::operator[]
  friend Grid* find(Grid& grid) { return &grid; } //+ outer::find
  static int check(int n) { //+ outer::Grid::check
    if (n < 0) throw std::runtime_error("negative");
    return n;
  }
  class Inner {
  public:
    int value() { return 3; } //+ outer::Grid::Inner::value
  };
  static int made, gone;

private:
  int n_;
  std::vector<int> data_;
};
int Grid::made = 0, Grid::gone = 0;
int Grid::step() //+ outer::Grid::step
try {
  if (n_ == 2) throw 5;
  return n_;
} catch (int five) {
  return five;
}
struct Derived final : Grid {
  using Grid::Grid;
  auto trailing() -> int override final { return 2; } //+ outer::Derived::trailing
  ~Derived() override { made += 0; } //+ outer::Derived::~Derived
};
} // namespace outer

int operator+(const outer::Grid& a, int b) { return a.size() + b; } //+ operator+
long long operator""_km(unsigned long long x) { return static_cast<long long>(x) * 1000; } //+ operator""_km
extern "C" {
int c_linkage(int x) { return x; } //+ c_linkage
}
[[nodiscard]] static int attributed([[maybe_unused]] int x) { return 6; } //+ attributed
auto deduced() { return 4.5; } //+ deduced
int overloaded(int) { return 1; } //+ overloaded(int)
int overloaded(const std::string& text) { return static_cast<int>(text.size()); } //+ overloaded(const std::string &)
static void throws() noexcept(false) { throw std::logic_error("thrown"); } //+ throws
[[noreturn]] void never() { throw 1; } //+ never
union Both {
  int a;
  float b;
  int get() { return a; } //+ Both::get
};
constexpr int square(int x) { return x * x; } //- constexpr or consteval
struct Literal {
  int x;
  constexpr Literal(int value) : x(value) {} //- constexpr or consteval
};
static_assert(square(3) == 9 && Literal(3).x == 3, "constants stay constants");

int main() //+ main
{
  struct Local {
    int method() { return 9; } //+ main::Local::method
  };
  using outer::Grid;
  Grid one, two(2);
  outer::Derived derived(3);
  try {
    Grid bad(-1);
  } catch (...) {
    std::puts("caught outside");
  }
  int caught = 0;
  for (int i = 0; i < 3; ++i) try { throws(); } catch (const std::logic_error&) { ++caught; }
  try { never(); } catch (int x) { caught += x; }
  Both both{1};
  two[1] = 8;
  std::printf("%d %d %d %d %d\n", outer::versioned(), one.size(), two.size(1), two.step(), derived.trailing());
  std::printf("%d %d %d %d %lld\n", bool(one), two(1), find(one)->size(), two + 1, 3_km);
  std::printf("%d %d %.1f %d %d %d\n", c_linkage(2), attributed(1), deduced(), overloaded(1), overloaded("four"), caught);
  std::printf("%d %d %d %d\n", Local().method(), Grid::Inner().value(), both.get(), Grid::made - Grid::gone);
}
