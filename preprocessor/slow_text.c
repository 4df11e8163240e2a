/* The half of probes that is out of line. Its assembler text, made once, goes into each object with probes: by the preamble of
 * copies (preamble.cc), and by the plug-in for GCC. */
#include "monitor/interface/probe.h"
