// Of unit tests that have no main function of their own.
#include "tests/support/run_tests.h"

int main(int argc, char** argv) { return andes::test::run_tests(argc, argv); }
