// flags: -std=c++17 -Wall -Wextra
// flags: -std=gnu++20 -O2
#include <cstdio>
#include <string>

static std::string raw() //+ raw
{ return R"x({ " } // /* )" \
int main() {
)x" R"(})"; }
static int after() { return R"({)"[0]; } static int numbers() { return 1'000 + 0b11'01; } //+ after //+ numbers
static int alternative() <% int a<:2:> = <%1, 2%>; return not a<:0:> or compl a<:1:> bitand 1; %> //+ alternative
static int größe(int μ) { return μ + 1; } //+ größe
[[nodiscard]] static int attributed [[gnu::noinline]] () { return 4; } //+ attributed
auto trailing() -> int { return 5; } //+ trailing
static int (*pointer())() { return after; } //+ pointer
static int (&array())[2] { static int a[2] = {6, 7}; return a; } //+ array
struct Big { //
  int m = [] { return 8; }(); //+ Big::{lambda:18}
  operator int() const { return m; } //+ Big::operator int
  int operator[](int i) const && { return m + i; } //+ Big::operator[]
}; struct Small { ~Small() { std::puts("~Small"); } }; //+ Small::~Small
int operator""_x(unsigned long long n) { return int(n); } //+ operator""_x
int main() { //+ main
  Small small; int unused;
  std::printf("%s %d %d %d %d\n", raw().c_str(), after(), numbers(), alternative(), größe(2));
  std::printf("%d %d %d %d %d %d %d\n", attributed(), trailing(), pointer()(), array()[1], int(Big()), Big()[2], 12_x);
}
