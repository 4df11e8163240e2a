// flags: -std=c++98 -Wall -Wextra -pedantic
// flags: -std=c++11 -Wall -fno-exceptions -fno-rtti
#include <cstdio>
struct Old {
  Old() : x(1) {} //+ Old::Old
  int get() const throw() { return x; } //+ Old::get
  int x;
};
static int twice(int x) { return 2 * x; } //+ twice
int main() { //+ main
  Old old;
  std::printf("%d %d\n", old.get(), twice(2));
}
