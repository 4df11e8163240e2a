// select: default
// flags: -std=c++20 -Wall -Wextra
// flags: -std=c++20 -O2 -Wall
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <complex>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Vector {
  double x = 0, y = 0, z = 0;
  Vector operator+(const Vector& b) const { return {x + b.x, y + b.y, z + b.z}; } //- small (6 operations, no loops, no calls)
  Vector& operator*=(double f) { x *= f; y *= f; z *= f; return *this; } //- small (7 operations, no loops, no calls)
  bool operator==(const Vector& b) const { return x == b.x && y == b.y && z == b.z; } //- small (8 operations, no loops, no calls)
};
static double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; } //- small (5 operations, no loops, no calls)
static Vector sum(Vector a, const Vector& b) { a *= 2; return a + b; } //- small (15 operations, no loops, calls only small functions)
static bool differ(const Vector& a, const Vector& b) { return a != b; } //- small (10 operations, no loops, calls only small functions)

class Grid {
public:
  explicit Grid(int n) : n_(n), data_(static_cast<std::size_t>(n) * n) {} //- marked inline and short (7 operations, no loops, no MPI)
  double& at(int i, int j) { return data_[static_cast<std::size_t>(index(i, j))]; } //- small (6 operations, no loops, calls only small functions)
  double at(int i, int j) const { //- small (11 operations, no loops, calls only small functions)
    if (i < 0 || i >= n_) throw std::out_of_range("row " + std::to_string(i));
    return data_[static_cast<std::size_t>(index(i, j))];
  }
  int size() const { return n_; } //- small (1 operation, no loops, no calls)
  std::size_t bytes() const { return data_.size() * sizeof(double); } //- small (3 operations, no loops, no calls)
  double total() const; // below
  virtual double scale() const { return 1; } //- small (0 operations, no loops, no calls)
  virtual ~Grid() = default; //- defaulted
  double scaled(int i) const { return scale() * i; } //- marked inline and short (2 operations, no loops, no MPI)
  double own_scale(int i) const { return Grid::scale() * i; } //- small (2 operations, no loops, calls only small functions)

private:
  int index(int i, int j) const { return i * n_ + j; } //- small (3 operations, no loops, no calls)
  int n_;
  std::vector<double> data_;
};
double Grid::total() const { //+ Grid::total
  double total = 0;
  for (const double value : data_) total += value;
  return total;
}
struct Final final : Grid {
  Final() : Grid(2) {} //- marked inline and short (13 operations, no loops, no MPI)
  double scale() const override { return 2; } //- small (0 operations, no loops, no calls)
};
template <class Value> struct Stack { // the name of the function in a failed assert is open until it is made
  void push(const Value& value) { //- small (9 operations, no loops, no calls)
    assert(size < room);
    data[size++] = value;
  }
  Value* data;
  int size, room;
};
static double devirtualised(const Final& grid) { return grid.scale(); } //- small (1 operation, no loops, calls only small functions)

struct Guard {
  explicit Guard(int& depth) : depth_(depth) { ++depth_; } //- small (3 operations, no loops, no calls)
  ~Guard() { --depth_; } //- small (2 operations, no loops, no calls)
  int& depth_;
};
struct Logger {
  ~Logger() { std::puts("end"); } //- marked inline and short (1 operation, no loops, no MPI)
};
struct Holds {
  Logger logger;
};
static int guarded(int& depth) { Guard guard(depth); return depth; } //- small (7 operations, no loops, calls only small functions)
static int logged(int x) { Logger logger; return x; } //+ logged
static int holds(int x) { Holds holds; return x; } //+ holds
static int temporary(int x) { return Logger(), x; } //+ temporary
static int worth(int x) { return x + 1; } //- small (1 operation, no loops, no calls)
static int expensive(int x) { std::puts("x"); return x; } //+ expensive
static int with_default(int x = worth(1)) { return x; } //- small (0 operations, no loops, no calls)
static int with_costly_default(int x = expensive(1)) { return x; } //- small (0 operations, no loops, no calls)
static int uses_default() { return with_default(); } //- small (3 operations, no loops, calls only small functions)
static int uses_costly_default() { return with_costly_default(); } //+ uses_costly_default
struct Member {
  int value = expensive(2);
};
static int uses_member() { Member member; return member.value; } //+ uses_member

template <class T> T largest(T a, T b) { return a < b ? b : a; } //- small (2 operations, no loops, no calls)
static long helper(long x) { return x; } //- small (0 operations, no loops, no calls)
template <class T> T open(T a) { return helper(a); } //- only returns a short expression (1 operation)
template <class T> T copy_all(const std::vector<T>& from) { std::vector<T> to(from); return to[0]; } //+ copy_all
template <class T> T first(const std::vector<T>& from) { return from.size() > 0 ? from[0] : T(); } //- small (5 operations, no loops, no calls)
template <class T> void shows(T x) { std::cout << x << 1; } //+ shows
template <class T> T power(T x) { return x * x * 2 + 1; } //- small (3 operations, no loops, no calls)
template <class F> int applies(F f) { return f(1); } //- only returns a short expression (1 operation)
template <class T> T pick(T x) { //- small (1 operation, no loops, no calls)
  if constexpr (sizeof(T) > 4) return x;
  else return -x;
}
constexpr int known(int x) { if constexpr (sizeof(int) == 4) return x + 1; else return x / 2; } //- constexpr or consteval
static int calls_known(int x) { return known(x); } //- small (2 operations, no loops, calls only small functions)
template <class T> struct Box {
  T value;
  const T& get() const { return value; } //- small (1 operation, no loops, no calls)
  void set(const T& v) { value = v; } //- small (2 operations, no loops, no calls)
};
static int boxed(const Box<int>& box) { return box.get(); } //- small (2 operations, no loops, calls only small functions)

static double complexes(const std::complex<double>& c) { return (c * c + 1.0).real() + std::norm(c); } //- small (5 operations, no loops, no calls)
static int arrays(const std::array<int, 3>& a) { return std::max(a[0], a.back()); } //- small (3 operations, no loops, no calls)
static int points(const std::unique_ptr<int>& p) { return p ? *p : 0; } //- small (3 operations, no loops, no calls)
static int refers(const std::reference_wrapper<int>& r) { return r.get() + 1; } //- small (2 operations, no loops, no calls)
static int refers_on(const std::reference_wrapper<int(int)>& r) { return r(1); } //+ refers_on
static double roots(float x, double y) { return std::sqrt(x) + std::floor(y) + std::abs(x); } //- small (5 operations, no loops, no calls)
static double far_roots(double x) { return std::cos(x) + std::pow(x, 3); } //- the compiler would inline it (123 operations, no loops)
static void moves(int* from, int* to) { std::move(from, from + 2, to); } //+ moves
static void gives(std::string& to, std::string& from) { std::swap(to, from); } //+ gives
static void numbers_swap(int& a, int& b) { std::swap(a, b); } //- small (1 operation, no loops, no calls)
static int counts(std::atomic<int>& n) { return n.fetch_add(2) + ++n; } //- small (3 operations, no loops, no calls)
static void waits(std::atomic<int>& n) { n.wait(0); } //+ waits
static bool at_last(const std::list<int>& l) { return ++l.begin() == l.end() || l.front() > 2; } //- small (7 operations, no loops, no calls)
static bool is_first(const std::map<int, int>& m, std::list<int>::iterator i) { return m.empty() || *++i == int(m.size()); } //- small (6 operations, no loops, no calls)
static int rows(const int (&row)[3]) { int s = 0; for (int v : row) s += v; return s; } //- small (8 operations, loops of known length, no calls)
static int maps(std::map<int, int>& m) { return m[3]; } //+ maps
static std::string strings(const std::string& s) { return s + s; } //+ strings
static void sorts(std::vector<int>& v) { //+ sorts
  std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; }); //- small (1 operation, no loops, no calls)
}
static void sorts_names(std::vector<std::string>& names) { //+ sorts_names
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) { return a.size() + 1 < b.size() || a < b; }); //- only returns a short expression (8 operations)
}
struct Tree {
  double value = 1;
  std::vector<Tree> below;
};
static double total_of(const Tree& tree) { //- calls itself and is short (5 operations in a visit)
  double total = tree.value;
  for (const Tree& one : tree.below) total += total_of(one);
  return total;
}
static int uses_lambda(int x) { //- small (5 operations, no loops, calls only small functions)
  auto add = [x](int y) { return x + y; }; //- small (1 operation, no loops, no calls)
  return add(1) + 1;
}
static int catches(int x) { //- small (2 operations, no loops, no calls)
  try {
    if (x > 3) throw x;
  } catch (int) {
    std::puts("caught");
  }
  return +x;
}
static int* makes(int x) { return new int(x); } //+ makes
struct Single {
  Single() { std::puts("made"); } //- marked inline and short (1 operation, no loops, no MPI)
  static Single* pointer() { //- small (4 operations, no loops, no calls)
    if (one == nullptr) {
      one = new Single;
    }
    return one;
  }
  static Single& reference() { //- small (1 operation, no loops, no calls)
    static Single single;
    return single;
  }
  static Single* one;
  int value = 5;
};
Single* Single::one;
static Single* several;
static Single* array() { if (!several) several = new Single[2]; return several; } //- small (4 operations, no loops, no calls)
static Single* local(Single* one) { if (!one) one = new Single; return one; } //+ local
static Single* remade() { if (several) several = new Single[2]; return several; } //+ remade
static Single* other() { if (!several) Single::one = new Single; return several; } //+ other
static Single* filled() { if (!several) { several = new Single[2]; for (int i = 0; i < several->value; i++) several->value--; } return several; } //+ filled
static double weight(int i) { static const double weights[] = {1, 2, 3, 4}; static int n = 1; return weights[i] * n++; } //- small (3 operations, no loops, no calls)
static bool casts(const Grid& grid) { return dynamic_cast<const Final*>(&grid) != nullptr; } //+ casts

int main() { //+ main
  Vector a{1, 2, 3}, b;
  Grid grid(4);
  Final last;
  int depth = 0;
  grid.at(1, 2) = 3;
  std::map<int, int> map{{3, 4}};
  std::vector<int> numbers{1, 3, 2};
  sorts(numbers);
  std::vector<std::string> names{"b", "a"};
  sorts_names(names);
  std::printf("%g\n", total_of({1, {{2, {}}, {3, {}}}}));
  Box<int> box{1};
  box.set(4);
  const std::unique_ptr<int> made(makes(6));
  std::printf("%g %g %d\n", dot(a, b), sum(a, a).y, differ(a, b));
  const Grid& constant = grid;
  std::printf("%g %d %zu %g %g %g %g\n", constant.at(1, 2), grid.size(), grid.bytes(), grid.total(), grid.scaled(2), grid.own_scale(2), devirtualised(last));
  std::printf("%d %d %d %d %d %d %d\n", guarded(depth), logged(1), holds(2), temporary(3), uses_default(), uses_costly_default(), uses_member());
  std::printf("%d %ld %d %d %d %d %d\n", largest(1, 2), open(3L), copy_all(numbers), first(numbers), pick(3), calls_known(4), boxed(box));
  std::printf("%g %d %d %d %s\n", complexes({1, 2}), arrays({1, 2, 3}), points(made), maps(map), strings("ab").c_str());
  int two[] = {1, 2, 3, 4};
  std::string left = "l", right = "r";
  moves(two, two + 2);
  gives(left, right);
  shows(power(2));
  std::cout << std::endl;
  std::printf("%d %d %d %g %g %s\n", applies(worth), refers(std::ref(depth)), refers_on(std::ref(worth)), roots(4, 2.5), far_roots(0), left.c_str());
  std::atomic<int> count{1};
  std::list<int> few{1, 2};
  numbers_swap(two[0], two[1]);
  waits(count);
  std::printf("%d %d %d %d\n", counts(count), at_last(few), is_first(map, few.begin()), rows({1, 2, 3}));
  std::printf("%d %d %d %d\n", uses_lambda(2), catches(5), worth(2), casts(last));
  std::printf("%d %d %d %g\n", Single::pointer()->value, Single::reference().value, array()->value, weight(2));
  std::printf("%d %d %d %d\n", local(array())->value, remade()->value, other()->value, filled()->value);
}
