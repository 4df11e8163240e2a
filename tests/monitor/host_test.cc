// What is known of the host; the answer is the kernel's own. A virtual machine may have been moved to another processor
// since its kernel looked.
#include "monitor/finish/host.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string>

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
