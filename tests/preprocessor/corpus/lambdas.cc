// flags: -std=c++20 -Wall -Wextra -Wshadow -pedantic -Werror
// flags: -std=c++17 -O2 -Wall -Wextra -Wshadow
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <vector>

template <class F> constexpr int apply(F f, int x) { return f(x); } //- constexpr or consteval
template <class F> int call(F f, int x) { return f(x); } //+ call

auto global = [](int x) { return x + 1; }; //+ {lambda:12}
constexpr auto constant_variable = [](int x) { return x + 2; }; //- lambda that a constant expression may call
static const int folded = [] { return 3; }(); //- lambda that a constant expression may call
int array_bound[apply([](int x) { return x; }, folded)]; //- lambda that a constant expression may call
static_assert(constant_variable(1) == 3, "");

struct Holder {
  std::function<int(int)> f = [](int x) { return x * 2; }; //+ Holder::{lambda:19}
  int use(int y) { //+ Holder::use
    return call([this, y](int x) { return f(x) + y; }, 1); //+ Holder::use::{lambda:21}
  }
};

int defaulted(int x = [] { return 5; }()) { return x; } //+ defaulted //+ {lambda:25}

int main() { //+ main
  int andes = 1;
  auto used_as_constant = [](int x) { return x + 3; }; //- lambda that a constant expression may call
  static_assert(used_as_constant(1) == 4, "");
  std::array<int, used_as_constant(2)> five{};
  auto plain = [&](int x) { return x + andes; }; //+ main::{lambda:32}
  auto outer = [&](int x) { //+ main::{lambda:33}
    auto inner = [&](int y) { //+ main::{lambda:33}::{lambda:34}
      auto innermost = [&](int z) { return z + x + y; }; //+ main::{lambda:33}::{lambda:34}::{lambda:35}
      return innermost(1);
    };
    return inner(2);
  };
  auto two = [] { return 1; }() + [] { return 2; }(); //+ main::{lambda:40:14} //+ main::{lambda:40:35}
  auto generic = [](auto x, auto... more) mutable noexcept { return static_cast<int>(x + sizeof...(more)); }; //+ main::{lambda:41}
  auto trailing = [](int x) -> long { return x; }; //+ main::{lambda:42}
  auto explicit_constant = [](int x) constexpr { return x; }; //- constexpr or consteval
  auto bodyless = [] {}; //+ main::{lambda:44}
  bodyless();
  std::vector<int> v{3, 1, 2};
  std::sort(v.begin(), v.end(), [](int a, int b) //+ main::{lambda:47}
            { return a < b; });
  int (*pointer)(int) = +[](int x) { return x * 7; }; //+ main::{lambda:49}
  if constexpr (constexpr auto condition = [] { return true; }(); condition) //- lambda that a constant expression may call
    std::printf("%d %d %d %d\n", global(1), folded, static_cast<int>(sizeof array_bound / sizeof array_bound[0]), Holder().use(1));
  std::printf("%d %d %d %d %d %d\n", defaulted(), static_cast<int>(five.size()), plain(1), outer(3), two, generic(1, 2, 3));
  std::printf("%ld %d %d%d%d %d\n", trailing(3), explicit_constant(4), v[0], v[1], v[2], pointer(2));
}
