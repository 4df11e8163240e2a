// What is known of the host; the answer is the kernel's own.
#include "monitor/finish/host.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <string>

TEST_CASE("the processor has the name that the kernel gives it") {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    const std::string name = colon == std::string::npos ? "" : line.substr(colon + 2);
    if (name != "unknown") CHECK(andes::monitor::this_host().facts.cpu == name); // some virtual kernels do not look
    return;
  }
  SUCCEED("no names of processors here");
}
