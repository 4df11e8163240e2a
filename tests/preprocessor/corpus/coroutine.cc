// flags: -std=c++20 -Wall -Wextra
#include <coroutine>
#include <cstdio>

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; } //+ Task::promise_type::get_return_object
    std::suspend_never initial_suspend() { return {}; } //+ Task::promise_type::initial_suspend
    std::suspend_never final_suspend() noexcept { return {}; } //+ Task::promise_type::final_suspend
    void return_void() {} //+ Task::promise_type::return_void
    void unhandled_exception() {} //+ Task::promise_type::unhandled_exception
  };
};
Task plain(int x) { std::printf("%d\n", x); co_return; } //- coroutine
template <class T> Task generic(T x) { //- coroutine
  std::printf("%d\n", static_cast<int>(x));
  co_await std::suspend_never{};
}
int main() { //+ main
  plain(1);
  generic(2L);
  auto lambda = [](int x) -> Task { std::printf("%d\n", x); co_return; }; //- coroutine
  lambda(3);
}
