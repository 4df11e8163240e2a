/* Functions that call each other in some ten thousand ways, each a call path of its own until one of them comes
 * back: the monitor often makes new ones. Written out, for probes do not go into macros; and no tail calls. */
#ifndef WAYS_H
#define WAYS_H
#include "odd.h"

enum { way_count = 8 * 8 * 8 * 8 };

FUNCTION void leaf(void) { __asm__ volatile(""); }
static volatile unsigned walked;
__attribute__((no_instrument_function)) static void walk(int depth, unsigned way);
FUNCTION void way0(int depth, unsigned way) { walk(depth, way), walked++; }
FUNCTION void way1(int depth, unsigned way) { walk(depth, way), walked++; }
FUNCTION void way2(int depth, unsigned way) { walk(depth, way), walked++; }
FUNCTION void way3(int depth, unsigned way) { walk(depth, way), walked++; }
FUNCTION void way4(int depth, unsigned way) { walk(depth, way), walked++; }
FUNCTION void way5(int depth, unsigned way) { walk(depth, way), walked++; }
FUNCTION void way6(int depth, unsigned way) { walk(depth, way), walked++; }
FUNCTION void way7(int depth, unsigned way) { walk(depth, way), walked++; }

static void (*const ways[])(int, unsigned) = {way0, way1, way2, way3, way4, way5, way6, way7};

/* Calls `depth` of them, chosen by the digits of `way`, and at last leaf(). Without a probe: all ways would lead
 * through its call path. */
static void walk(int depth, unsigned way) {
  if (depth > 0) ways[way % 8](depth - 1, way / 8);
  else leaf();
}

#endif
