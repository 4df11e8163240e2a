"""Writes paths.c: LEVELS levels of ten functions, each of which calls all ten of the next level, so that there are
10^LEVELS call paths without recursion (and 10 + 100 + ... above them). Probes do not go into macros, so no macro."""
import sys

levels = int(sys.argv[1])
print("#include <mpi.h>\nstatic volatile long sink;")
for level in range(levels, 0, -1):
    for digit in range(10):
        calls = "" if level == levels else " ".join(f"at{level + 1}_{below}();" for below in range(10))
        print(f"__attribute__((noinline)) static void at{level}_{digit}(void) {{\n  ++sink; {calls}\n}}")
print("int main(int argc, char** argv) {\n  MPI_Init(&argc, &argv);\n  " +
      " ".join(f"at1_{digit}();" for digit in range(10)) + "\n  MPI_Finalize();\n  return 0;\n}")
