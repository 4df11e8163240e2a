/* probe_forms.h: functions with a probe and the same ones without, compiled once into the executable and once
 * into a shared object, where the place of the thread's data is itself loaded first. */
#ifndef ANDES_TESTS_COUNTS_PROBE_FORMS_H
#define ANDES_TESTS_COUNTS_PROBE_FORMS_H

typedef unsigned long function(unsigned long);

struct probe_forms {
  function *leaf;
  function *two_callers; /**< two functions call the leaf in turn: 4 visits */
  function *recursion;   /**< a function that calls itself three times: 4 visits */
  function *hooked;      /**< with the compiler's hooks in the place of a probe */
};

/** Without probes, and with them in either place. */
struct probe_forms bare_forms(void), executable_forms(void), shared_object_forms(void);

/** Makes the leaf's node, with a monitor, one whose visits are counted without reading the clock. */
void executable_count_only(void), shared_object_count_only(void);
/** Closes the leaf's site, as the governor does. */
void executable_close(void), shared_object_close(void);

#endif
