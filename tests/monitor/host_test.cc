// What is known of the host; the answer is the kernel's own. A virtual machine may have been moved to another processor
// since its kernel looked.
#include "monitor/finish/host.h"

#include <catch2/catch.hpp>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <future>
#include <string>
#include <thread>

TEST_CASE("the processor has the name that the kernel gives it") {
  std::ifstream file("/proc/cpuinfo");
  std::string name;
  bool is_virtual = false;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) name = line.substr(colon + 2);
    if (line.rfind("flags", 0) == 0) is_virtual |= line.find(" hypervisor") != std::string::npos;
  }
  const std::string told = andes::monitor::this_host().facts.cpu;
  if (is_virtual) {
    REQUIRE_FALSE(told.empty());
    CHECK(told.front() != ' ');
    CHECK(told.back() != ' ');
    CHECK(std::all_of(told.begin(), told.end(), [](unsigned char c) { return std::isprint(c) != 0; }));
  } else if (!name.empty() && name != "unknown") CHECK(told == name);
  else SUCCEED("no names of processors here");
}

TEST_CASE("a process may use the cores of all its threads, also where each is bound to one") {
  cpu_set_t before;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  if (CPU_COUNT(&before) < 2) return;
  std::vector<std::size_t> cores;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &before)) cores.push_back(core);
  const auto bind = [&](std::size_t core) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return sched_setaffinity(0, sizeof one, &one);
  };
  std::promise<std::int32_t> bound;
  std::promise<void> over;
  std::thread other([&] {
    bind(cores[1]);
    bound.set_value(gettid());
    over.get_future().wait();
  });
  const std::int32_t id = bound.get_future().get();
  REQUIRE(bind(cores[0]) == 0);
  const auto usable = [](const std::vector<std::int32_t>& threads) {
    const std::vector<std::uint8_t> marks = andes::monitor::this_host(threads).cores;
    return std::count(marks.begin(), marks.end(), 1);
  };
  CHECK(usable({}) == 1);
  CHECK(usable({id}) == 2);
  over.set_value();
  other.join();
  CHECK(usable({id}) == 1); // it has ended
  CHECK(usable({1}) == 1); // another process's
  sched_setaffinity(0, sizeof before, &before);
}
