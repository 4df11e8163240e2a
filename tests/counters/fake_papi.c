/* A PAPI for tests: as much of its interface as the monitor uses, counting deterministically. Each thread has
 * clocks of its own: every call of fake_work(n) in it is 2 n instructions and n cycles, so there are 2 instructions
 * per cycle. FAKE_PAPI says what goes wrong: words, separated by blanks.
 *
 * Events: PAPI_TOT_INS, PAPI_TOT_CYC (component perf_event), fake:::work, fake:::readings (component fake: the
 * readings of this thread so far); FAKE_OFF (of a component that is off), FAKE_SECRET (not permitted),
 * FAKE_GREEDY (needs the whole component: cannot be counted together with another). */
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { sets = 4096, events = 7, most = 8 };

static const PAPI_component_info_t components[] = {{.name = "perf_event"},
                                              {.name = "fake"},
                                              {.name = "off", .disabled_reason = "switched off for the test", .disabled = PAPI_ECMP_DISABLED}};
static const struct {
  const char* name;
  int component;
} known[events] = {{"PAPI_TOT_INS", 0}, {"PAPI_TOT_CYC", 0}, {"fake:::work", 1}, {"fake:::readings", 1},
                   {"FAKE_OFF", 2}, {"FAKE_SECRET", 0}, {"FAKE_GREEDY", 0}};

struct set {
  int used, running, component, count, code[most];
};
static struct set all[sets];
static char lock;
static int initialised;
static __thread long long work, readings;
static __thread int running[3]; /* sets of a component in this thread: one at most */

static int wrong(const char* word) {
  const char* all_wrong = getenv("FAKE_PAPI");
  return all_wrong && strstr(all_wrong, word);
}

/** The program's work, that is counted. */
void fake_work(long long n) { work += n; }

int PAPI_get_opt(int option, PAPI_option_t* value) {
  (void)value;
  if (option != PAPI_LIB_VERSION) return PAPI_EINVAL;
  return wrong("version") ? 3 << 24 : 7 << 24 | 1 << 16 | 5 << 8;
}
int PAPI_library_init(int version) {
  if (version != (7 << 24 | 1 << 16)) return PAPI_EINVAL;
  if (wrong("init")) return PAPI_ESYS;
  initialised = 1;
  return version;
}
int PAPI_thread_init(unsigned long (*number)(void)) { return initialised && number() ? PAPI_OK : PAPI_EINVAL; }
int PAPI_register_thread(void) { return PAPI_OK; }
int PAPI_unregister_thread(void) { return PAPI_OK; }
char* PAPI_strerror(int error) {
  switch (error) {
  case PAPI_ESYS: return "A System/C library call failed";
  case PAPI_ENOEVNT: return "Event does not exist";
  case PAPI_ECNFLCT: return "Event exists, but cannot be counted due to hardware resource limits";
  case PAPI_ECMP_DISABLED: return "Component containing event is disabled";
  case PAPI_ENOEVST: return "No such event set available";
  default: return "Error of the test";
  }
}
int PAPI_event_name_to_code(const char* name, int* code) {
  for (int i = 0; i < events; ++i)
    if (strcmp(name, known[i].name) == 0) {
      *code = i;
      return PAPI_OK;
    }
  return PAPI_ENOEVNT;
}
int PAPI_get_event_component(int code) { return code >= 0 && code < events ? known[code].component : PAPI_ENOEVNT; }
const PAPI_component_info_t* PAPI_get_component_info(int number) {
  return number >= 0 && number < 3 ? &components[number] : NULL;
}
int PAPI_create_eventset(int* set) {
  while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {}
  *set = -1;
  for (int i = 0; i < sets && *set < 0; ++i)
    if (!all[i].used) {
      memset(&all[i], 0, sizeof all[i]);
      all[i].used = 1;
      *set = i;
    }
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  return *set < 0 ? PAPI_ENOMEM : PAPI_OK;
}
int PAPI_cleanup_eventset(int set) {
  if (set < 0 || set >= sets || !all[set].used) return PAPI_ENOEVST;
  if (all[set].running) return PAPI_EISRUN;
  all[set].count = 0;
  return PAPI_OK;
}
int PAPI_destroy_eventset(int* set) {
  if (*set < 0 || *set >= sets || !all[*set].used) return PAPI_ENOEVST;
  if (all[*set].count != 0) return PAPI_EINVAL;
  all[*set].used = 0;
  *set = -1;
  return PAPI_OK;
}
int PAPI_add_event(int set, int code) {
  if (set < 0 || set >= sets || !all[set].used) return PAPI_ENOEVST;
  struct set* s = &all[set];
  if (components[known[code].component].disabled) return PAPI_ECMP_DISABLED;
  if (code == 5) return PAPI_EPERM;
  if (s->count > 0 && s->component != known[code].component) return PAPI_EINVAL;
  for (int i = 0; i < s->count; ++i)
    if (code == 6 || s->code[i] == 6) return PAPI_ECNFLCT;
  if (s->count == most) return PAPI_ECNFLCT;
  s->component = known[code].component;
  s->code[s->count++] = code;
  return PAPI_OK;
}
int PAPI_start(int set) {
  if (set < 0 || set >= sets || !all[set].used) return PAPI_ENOEVST;
  struct set* s = &all[set];
  if (wrong("start")) return PAPI_ESYS;
  if (s->count == 0) return PAPI_EINVAL;
  if (running[s->component]++) return PAPI_EISRUN;
  s->running = 1;
  return PAPI_OK;
}
static void values_of(const struct set* s, long long* values) {
  const long long of_event[] = {2 * work, work, work, readings};
  for (int i = 0; i < s->count; ++i) values[i] = s->code[i] < 4 ? of_event[s->code[i]] : 0;
}
int PAPI_stop(int set, long long* values) {
  if (set < 0 || set >= sets || !all[set].running) return PAPI_ENOEVST;
  running[all[set].component]--;
  all[set].running = 0;
  values_of(&all[set], values);
  return PAPI_OK;
}
int PAPI_read(int set, long long* values) {
  if (set < 0 || set >= sets || !all[set].running) return PAPI_ENOEVST;
  ++readings;
  if (wrong("read") && work >= 1000) return PAPI_ESYS;
  values_of(&all[set], values);
  return PAPI_OK;
}
