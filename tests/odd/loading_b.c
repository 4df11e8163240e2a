/* loading_b.c: another library of the same shape, which comes to the same place. */
#include "odd.h"

static int state = 5;
FUNCTION int b_helper(int i) { return i * state; }
int entry(int i);
int entry(int i) { return b_helper(i) + b_helper(2) + b_helper(3); }
