/* A shared object with a probe of its own, opened and closed at run time. */
#include "monitor/interface/probe.h"

static struct andes_site site = ANDES_SITE("plugin_entry", "plugin.c", 4, ANDES_KIND_FUNCTION);

void plugin_entry(void);
void plugin_entry(void) { ANDES_PROBE(&site) }
