/* A million steps, with numbers of their own, and names without end: memory stays within its bound, and what
 * comes after has call paths still. */
#include <andes/andes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 1000000, names = argc > 2 ? atoi(argv[2]) : 20000;
  int i;
  for (i = 0; i < steps; i++) {
    ANDES_PHASE("counted");
    { ANDES_REGION("inside"); }
  }
  for (i = 0; i < steps; i++) {
    ANDES_PHASE_NUMBER("numbered", 2L * i);
    andes_value("i", i);
  }
  for (i = 0; i < names; i++) {
    char name[40];
    sprintf(name, "name %d", i);
    { ANDES_REGION_NAMED(name); }
  }
  { ANDES_REGION("after"); }
  return 0;
}
