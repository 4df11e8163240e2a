/* Dies in a step, so that its arena is all that is left. */
#include <andes/andes.h>
#include <signal.h>

int main(void) {
  int i;
  for (i = 1; i <= 5; i++) {
    ANDES_PHASE("time step");
    ANDES_REGION("inside");
    andes_value("residual", 10.0 * i);
    if (i == 5) raise(SIGKILL);
  }
  return 0;
}
