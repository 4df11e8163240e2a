/* A module of closed functions; with SECOND another one, of the same code, so that each call is where the other module has one. */
#include "monitor/interface/probe.h"

#ifdef SECOND
#define NAME(name) "second_" name
#else
#define NAME(name) "first_" name
#endif
#define PLACE(name) static struct andes_site site_##name = ANDES_SITE(NAME(#name), NAME("plugin.c"), 1, ANDES_KIND_FUNCTION);
PLACE(outer)
PLACE(middle)
PLACE(inner)
static volatile unsigned state;

__attribute__((noinline)) static void inner(void) {
  ANDES_PROBE(&site_inner)
  for (int i = 0; i < 8; i++) state = state * 5 + 1;
}
__attribute__((noinline)) static void middle(int times) {
  ANDES_PROBE(&site_middle)
  for (int i = 0; i < times; i++) inner();
  state++;
}
void outer(int times);
void outer(int times) {
  ANDES_PROBE(&site_outer)
  for (int i = 0; i < times; i++) middle(i & 3);
  state++;
}
