// Unit tests of what is said of commands that have failed.
#include "postproc/launch/failure.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

namespace {

Outcome outcome_of(int status, const std::string& text = "") {
  Outcome outcome;
  outcome.exit_status = status;
  outcome.stderr_end = text;
  return outcome;
}

} // namespace

TEST_CASE("refusals of a launcher") {
  CHECK(refusal_in("There are not enough slots available") == Refused::slots);
  CHECK(refusal_in("mpirun has detected an attempt to run as root.") == Refused::root);
  CHECK(refusal_in("all went well") == Refused::none);
}

TEST_CASE("a signal is named where somebody has seen one") {
  CHECK(ending_of(outcome_of(132), 0) == "ended with status 132");
  CHECK(ending_of(outcome_of(139), 11) == "ended with status 139 (signal 11: Segmentation fault)");
  CHECK(ending_of(outcome_of(4, "mpirun noticed that process rank 1 with PID 7 on node a exited on signal 4 (Illegal "
                                "instruction)."),
                  0) == "ended with status 4 (signal 4: Illegal instruction)");
  Outcome killed;
  killed.signal = 9;
  CHECK(ending_of(killed, 0) == "was ended by signal 9 (Killed)");
}

TEST_CASE("launchers name signals in their own ways") {
  CHECK(signal_told("YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)\nThis typically") == 9);
  CHECK(signal_told("srun: error: node1: task 1: Segmentation fault (core dumped)\n") == 11);
  CHECK(signal_told("srun: error: node1: task 1: Exited with exit code 2\n") == 0);
  CHECK(signal_told("my program: (signal 9) is a word of mine") == 0);
}

TEST_CASE("what the program itself says of files is no failed start") {
  CHECK(says_not_started("[proxy:0:0@a] HYDU_create_process: execvp error on file ./x (No such file or directory)"));
  CHECK(says_not_started("./x: error while loading shared libraries: libx.so: cannot open shared object file"));
  CHECK(!says_not_started("input.dat: No such file or directory"));
  CHECK(!failed_start("/no/such/program", "mpirun", outcome_of(3, "input.dat: No such file or directory")));
  CHECK(!failed_start("/bin/true", "", outcome_of(0)));
}
