/* Dies in a step, so that its arena is all that is left; with an argument it stays there until somebody else ends it. */
#include <andes/andes.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int i;
  (void)argv;
  for (i = 1; i <= 5; i++) {
    ANDES_PHASE("time step");
    ANDES_REGION("inside");
    andes_value("residual", 10.0 * i);
    if (i == 5 && argc > 1) pause();
    if (i == 5) raise(SIGKILL);
  }
  return 0;
}
