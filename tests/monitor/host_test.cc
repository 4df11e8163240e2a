#include "monitor/finish/host.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <string>

TEST_CASE("the processor has the name that the kernel gives it") {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    CHECK(andes::monitor::this_host().facts.cpu == (colon == std::string::npos ? "" : line.substr(colon + 2)));
    return;
  }
  SUCCEED("no names of processors here");
}
