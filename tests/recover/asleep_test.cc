// What processes do in the kernel: this one, which runs, and children that sleep until they are killed.
#include "monitor/recover/asleep.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using andes::monitor::asleep_in;

namespace {

/// The system call that a child which does this is found in.
template <class Function> std::string call_of(Function does) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    does();
    _exit(0);
  }
  std::optional<std::string> call;
  while (!(call = asleep_in(child)) && kill(child, 0) == 0) usleep(1000); // it is about to begin
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK_FALSE(asleep_in(child));
  return call.value_or("gone");
}

} // namespace

TEST_CASE("a process that runs is not asleep") { CHECK_FALSE(asleep_in(getpid())); }

TEST_CASE("of a process that is asleep the system call is named") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  char byte;
  CHECK(call_of([&] { (void)!read(ends[0], &byte, 1); }) == "read");
  CHECK(call_of([] { sleep(3000); }) == "clock_nanosleep");
  close(ends[0]);
  close(ends[1]);
}
