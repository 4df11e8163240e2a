/* loading_a.c: a library that comes and goes. */
#include "odd.h"

static int state;
FUNCTION int a_helper(int i) { return i + state; }
__attribute__((constructor)) static void a_begins(void) { state = 1; }
__attribute__((destructor)) static void a_ends(void) { state = 0; }
int entry(int i);
int entry(int i) { return a_helper(i) + a_helper(1); }
