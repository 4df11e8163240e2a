/* The half of probes that is out of line: the plug-in puts its assembler text into each object with probes, where C has
 * it from probe.h. */
#include "monitor/interface/probe.h"
