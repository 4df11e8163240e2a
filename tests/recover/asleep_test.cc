// What processes do in the kernel: this one, which runs, and children that sleep until they are killed.
#include "monitor/recover/asleep.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using andes::monitor::asleep_in;

namespace {

/// Whether a child which does this is found in the system call, after ten seconds at most.
template <class Function> bool is_found_in(const std::string& expected, Function does) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    does();
    _exit(0);
  }
  bool found = false; // it is about to begin, and may fault a page first
  for (int tries = 0; tries < 10'000 && !(found = asleep_in(child) == expected); ++tries) usleep(1000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK_FALSE(asleep_in(child));
  return found;
}

} // namespace

TEST_CASE("a process that runs is not asleep") { CHECK_FALSE(asleep_in(getpid())); }

TEST_CASE("of a process that is asleep the system call is named") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  char byte;
  CHECK(is_found_in("read", [&] { (void)!read(ends[0], &byte, 1); }));
  CHECK(is_found_in("clock_nanosleep", [] { sleep(3000); }));
  close(ends[0]);
  close(ends[1]);
}
