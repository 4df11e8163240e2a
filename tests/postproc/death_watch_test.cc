// Deaths of processes as they are seen from outside: of one that is killed, and of one that lives.
#include "postproc/launch/death_watch.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

using namespace andes;
using namespace andes::postproc;

namespace {

/// A process that does nothing until it is killed.
class Child {
public:
  Child() : pid_(fork()) {
    if (pid_ != 0) return;
    for (;;) pause();
  }
  ~Child() { end(); }
  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid() const { return pid_; }

private:
  pid_t pid_;
};

} // namespace

TEST_CASE("a process that is killed is seen to die, one that lives is not") {
  using namespace std::chrono_literals;
  Child killed, living;
  REQUIRE(killed.pid() > 0);
  REQUIRE(living.pid() > 0);
  DeathWatch watch;
  watch.add("killed.arena", killed.pid());
  watch.add("living.arena", living.pid());
  CHECK(watch.deaths().empty());
  const monitor::Death before = monitor::death_now();
  killed.end();
  for (int tries = 0; tries < 600 && watch.deaths().empty(); ++tries) std::this_thread::sleep_for(100ms);
  const std::map<std::string, monitor::Death> deaths = watch.deaths();
  REQUIRE(deaths.size() == 1);
  REQUIRE(deaths.contains("killed.arena"));
  CHECK(deaths.at("killed.arena").monotonic_ns >= before.monotonic_ns);
  CHECK(deaths.at("killed.arena").ticks >= before.ticks);
}

TEST_CASE("a process that is gone already is not watched") {
  Child gone;
  const pid_t pid = gone.pid();
  gone.end();
  DeathWatch watch;
  watch.add("gone.arena", pid);
  CHECK(watch.deaths().empty());
}
