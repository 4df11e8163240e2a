// Catch2 itself, compiled once for all unit tests.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/support/run_tests.h"

int andes::test::run_tests(int argc, char** argv) { return Catch::Session().run(argc, argv); }
