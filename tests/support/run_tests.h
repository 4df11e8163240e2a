// What the main function of a unit test calls.
#pragma once

namespace andes::test {

/// Runs the test cases that the arguments name, all where they name none. Catch2's exit status.
int run_tests(int argc, char** argv);

} // namespace andes::test
