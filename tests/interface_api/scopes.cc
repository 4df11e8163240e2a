// C++: scope objects, names of run time, exceptions, templates, threads.
#include <andes/andes.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

template <class T> T twice(T x) {
  ANDES_REGION("twice");
  return x + x;
}

static int thrower(int i) {
  ANDES_REGION("thrower");
  andes::Region named(std::string(i % 2 ? "odd" : "even").c_str());
  andes_begin("begun");
  if (i == 3) throw std::runtime_error("three");
  andes_end("begun");
  return i;
}

static void on_thread() {
  for (int i = 0; i < 4; i++) {
    andes::Phase step("thread step");
    twice(i);
  }
}

int main() {
  int sum = 0;
  for (int i = 0; i < 6; i++) {
    ANDES_PHASE("outer");
    for (int j = 0; j < 3; j++) {
      andes::Phase inner("inner", j);
      try {
        sum += thrower(i);
        sum += twice(j);
        sum += static_cast<int>(twice(0.5));
      } catch (const std::exception &) {
        sum += 100;
      }
    }
  }
  std::thread(on_thread).join();
  std::printf("%d\n", sum);
}
