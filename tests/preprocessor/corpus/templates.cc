// flags: -std=c++20 -Wall -Wextra -pedantic
#include <concepts>
#include <cstdio>
#include <string>
#include <type_traits>

template <class T> class Stack {
public:
  Stack() : top_() {} //+ Stack::Stack
  ~Stack() { top_ = T(); } //+ Stack::~Stack
  void push(const T& value) { top_ = value; } //+ Stack::push
  T pop();
  template <class U> U as() const { return static_cast<U>(top_); } //+ Stack::as
  friend bool operator==(const Stack& a, const Stack& b) { return a.top_ == b.top_; } //+ operator==

private:
  T top_;
};
template <class T> T Stack<T>::pop() { return top_; } //+ Stack::pop
template <> void Stack<bool>::push(const bool& value) { top_ = !value; } //+ Stack<bool>::push

template <class T> class Stack<T*> {
public:
  int pointers() { return 2; } //+ Stack<T *>::pointers
};

template <class T> T largest(T a, T b) { return a < b ? b : a; } //+ largest
using Handle = struct Opaque*; // like MPI_Comm: another type with another library
template <> class Stack<Handle> {
public:
  void push(Handle handle) { top_ = handle; } //+ Stack<Handle>::push
  bool empty() const { return !top_; } //+ Stack<Handle>::empty

private:
  Handle top_ = nullptr;
};
template <> const char* largest(const char* a, const char*) { return a; } //+ largest<const char *>
template <> Handle largest<Handle>(Handle a, Handle) { return a; } //+ largest<Handle>
template <class T, class U> int sizes(T, U) { return static_cast<int>(sizeof(T) + sizeof(U)); } //+ sizes
template <> int sizes<std::string>(std::string a, char) { return static_cast<int>(a.size()); } //+ sizes<std::basic_string<char>, char>
template <std::integral T> requires(sizeof(T) > 1) T limited(T x) { return x; } //+ limited
template <class T> T trailing(T x) requires std::is_floating_point_v<T> { return x; } //+ trailing
auto abbreviated(auto x) { return x; } //+ abbreviated
template <class... T> int count(T... all) { return static_cast<int>(sizeof...(all)); } //+ count
template <class T> int recursive(T n) { return n == 0 ? 0 : recursive(n - 1); } //- tail call in a cycle of calls
template <int n> struct Loop {
  static int run() { return n + Loop<n - 1>::run(); } //+ Loop::run
};
template <> struct Loop<0> {
  static int run() { return 0; } //+ Loop<0>::run
};
template <class T> constexpr T twice(T x) { return x + x; } //- constexpr or consteval
consteval int immediate(int x) { return x + 1; } //- constexpr or consteval
template int largest<int>(int, int);
template class Stack<double>;
template <class T> concept Pushes = requires(T t) { t.push(1); };

struct Member {
  template <class T> Member(T x) : value(static_cast<int>(x)) {} //+ Member::Member
  template <class T> operator T() const { return static_cast<T>(value); } //+ Member::operator T
  auto operator<=>(const Member&) const = default; //- defaulted
  int value;
};

int main() { //+ main
  Stack<int> stack;
  Stack<bool> bits;
  stack.push(4);
  bits.push(true);
  Stack<int*> pointer;
  Stack<Handle> handles;
  handles.push(largest<Handle>(nullptr, nullptr));
  std::printf("%d %d\n", handles.empty(), sizes<std::string>("two", 'c') + sizes(1, 2L));
  static_assert(Pushes<Stack<int>> && twice(2) == 4);
  std::printf("%d %d %ld %d %d\n", stack.pop(), bits.pop(), stack.as<long>(), stack == stack, pointer.pointers());
  std::printf("%d %s %d %.1f %d %d\n", largest(1, 2), largest("a", "b"), limited(3), trailing(1.5), abbreviated(6), count(1, 2));
  std::printf("%d %d %d %d\n", recursive(1000), Loop<3>::run(), immediate(1), static_cast<int>(static_cast<long>(Member(3))));
}
