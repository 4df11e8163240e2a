/* probe_forms.c: see probe_forms.h. Compiled with PLACE, the place's name, and PROBED. */
#include "tests/counts/probe_forms.h"

#include "monitor/interface/probe.h"

#define PASTE(a, b) a##b
#define NAMED(place, name) PASTE(place, name)
#if PROBED
#define PROBE ANDES_PROBE(&site)
#define SITE(name) static struct andes_site site = ANDES_SITE(name, __FILE__, __LINE__, ANDES_KIND_FUNCTION);
#else
#define PROBE
#define SITE(name)
#endif
#define APART __attribute__((noinline, noclone, no_instrument_function))

#if PROBED
static struct andes_site leaf_site = ANDES_SITE("leaf", __FILE__, __LINE__, ANDES_KIND_FUNCTION);
#endif

APART static unsigned long leaf(unsigned long x) {
#if PROBED
  ANDES_PROBE(&leaf_site)
#endif
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

APART static unsigned long one_caller(unsigned long x) {
  SITE("one_caller")
  PROBE
  return leaf(x) + 1;
}

APART static unsigned long other_caller(unsigned long x) {
  SITE("other_caller")
  PROBE
  return leaf(x) + 2;
}

APART static unsigned long two_callers(unsigned long x) { return one_caller(x) + other_caller(x); }

APART static unsigned long recursive(unsigned long x, int more) {
  SITE("recursive")
  PROBE
  __asm__ volatile("" : "+r"(x));
  return more > 0 ? recursive(x + 1, more - 1) + 1 : x;
}

APART static unsigned long recursion(unsigned long x) { return recursive(x, 3) + 1; }

#if PROBED
__attribute__((noinline, noclone))
#else
APART
#endif
static unsigned long hooked(unsigned long x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

APART struct probe_forms NAMED(PLACE, _forms)(void) {
  struct probe_forms forms = {leaf, two_callers, recursion, hooked};
  return forms;
}

#if PROBED
APART void NAMED(PLACE, _count_only)(void) {
  struct andes_location *location = andes_here.location;
  struct andes_entry *entry = ANDES_ENTRY_AT(location, location->innermost, leaf_site.region);
  struct andes_node *node = ANDES_NODE_AT(location, entry->child & ~ANDES_ENTRY_MASK);
  entry->child |= ANDES_ENTRY_BITS;
  node->bits = ANDES_FRAME_UNTIMED;
  node->countdown = 1LL << 40;
}

APART void NAMED(PLACE, _close)(void) { leaf_site.region = ANDES_REGION_OFF; }
#endif
