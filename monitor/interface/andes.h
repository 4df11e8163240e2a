/* andes.h: the interface for marks in a program: regions, phases, values, on and off. docs/interface.md, decision
   176.
 *
 * Nothing to link: the monitor is looked up at run time. Without it a region costs two loads and two
 * branches; with -DANDES_DISABLE nothing of this is compiled.
 *
 * Invariants:
 *  - C89 with GNU attributes and C++98 upwards, GCC and Clang, no include but probe.h, no warning;
 *  - a region's scope is the C block or C++ scope it is declared in, however that is left;
 *  - names are compared by their content; they need not outlive the call.
 */
#ifndef ANDES_ANDES_H
#define ANDES_ANDES_H
#pragma GCC system_header

#define ANDES_JOINED_(a, b) a##b
#define ANDES_JOINED(a, b) ANDES_JOINED_(a, b)

#ifdef ANDES_DISABLE

#define ANDES_NOTHING_ struct andes_disabled
#define ANDES_REGION(name) ANDES_NOTHING_
#define ANDES_REGION_NAMED(name) ANDES_NOTHING_
#define ANDES_PHASE(name) ANDES_NOTHING_
#define ANDES_PHASE_NUMBER(name, number) ANDES_NOTHING_
#define ANDES_UNUSED_(x) ((void)sizeof(x))
#define andes_begin(name) ANDES_UNUSED_(name)
#define andes_end(name) ANDES_UNUSED_(name)
#define andes_phase_begin(name) ANDES_UNUSED_(name)
#define andes_phase_begin_number(name, number) (ANDES_UNUSED_(name), ANDES_UNUSED_(number))
#define andes_phase_end(name) ANDES_UNUSED_(name)
#define andes_value(name, value) (ANDES_UNUSED_(name), ANDES_UNUSED_(value))
#define andes_off() ((void)0)
#define andes_on() ((void)0)
#define andes_is_on() (0)
#define andes_snapshot() ((void)0)
#ifdef __cplusplus
namespace andes {
class Region {
public:
  explicit Region(const char *) {}
  ~Region() {} /* not trivial: else the compiler would warn of an unused variable */

private:
  Region(const Region &);
  Region &operator=(const Region &);
};
class Phase {
public:
  explicit Phase(const char *) {}
  Phase(const char *, long long) {}
  ~Phase() {}

private:
  Phase(const Phase &);
  Phase &operator=(const Phase &);
};
} // namespace andes
#endif

#else /* not ANDES_DISABLE */

#include "probe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One call in the program that passes a name. */
struct andes_place {
  struct andes_site *site; /* site of the name given there last; NULL: none yet */
  int absent;              /* there is no monitor */
};

/* The site of a name, kept at the place of the call: as long as the name stays the same, this costs
 * one comparison of texts. NULL: nothing is measured. */
extern struct andes_site *andes_site_at(struct andes_place *place, const char *name,
                                        __UINT32_TYPE__ kind) __attribute__((visibility("hidden")));
ANDES_SLOW struct andes_site *andes_site_at(struct andes_place *place, const char *name,
                                            __UINT32_TYPE__ kind) {
  struct andes_site *site = __atomic_load_n(&place->site, __ATOMIC_ACQUIRE);
  const struct andes_monitor *monitor;
  if (!name) return (struct andes_site *)0;
  if (site && __builtin_strcmp(site->name, name) == 0) return site;
  if (andes_here.looking) return (struct andes_site *)0;
  monitor = andes_find_monitor();
  if (!monitor) {
    __atomic_store_n(&place->absent, 1, __ATOMIC_RELAXED);
    return (struct andes_site *)0;
  }
  site = monitor->site(name, __builtin_strlen(name), kind);
  if (site) __atomic_store_n(&place->site, site, __ATOMIC_RELEASE);
  return site;
}
#define ANDES_IS_ABSENT(place) (__atomic_load_n(&(place)->absent, __ATOMIC_RELAXED) != 0)

extern void andes_begin_slow(struct andes_site *site, const __INT64_TYPE__ *number,
                             __UINTPTR_TYPE__ stack, __UINTPTR_TYPE__ caller)
    __attribute__((visibility("hidden")));
ANDES_SLOW void andes_begin_slow(struct andes_site *site, const __INT64_TYPE__ *number,
                                 __UINTPTR_TYPE__ stack, __UINTPTR_TYPE__ caller) {
  if (site) andes_find_monitor()->begin(site, number, stack, caller);
}

extern void andes_end_slow(struct andes_site *site, __UINTPTR_TYPE__ stack, __UINTPTR_TYPE__ caller)
    __attribute__((visibility("hidden")));
ANDES_SLOW void andes_end_slow(struct andes_site *site, __UINTPTR_TYPE__ stack,
                               __UINTPTR_TYPE__ caller) {
  if (site) andes_find_monitor()->end(site, stack, caller);
}

extern void andes_value_slow(struct andes_site *site, double value)
    __attribute__((visibility("hidden")));
ANDES_SLOW void andes_value_slow(struct andes_site *site, double value) {
  if (site) andes_find_monitor()->value(site, value);
}

/* The stack and the caller are those of the function that the call stands in. */
ANDES_FAST struct andes_frame *andes_enter_phase_number(struct andes_site *site, __INT64_TYPE__ number) {
  return andes_enter_phase(site, &number);
}
ANDES_FAST struct andes_frame *andes_enter_named(struct andes_place *place, const char *name) {
  struct andes_site *site;
  if (__builtin_expect(ANDES_IS_ABSENT(place), 1)) return (struct andes_frame *)0;
  site = andes_site_at(place, name, ANDES_KIND_BLOCK);
  return site ? andes_enter(site) : (struct andes_frame *)0;
}
ANDES_FAST void andes_begin_at(struct andes_place *place, const char *name, __UINT32_TYPE__ kind) {
  if (__builtin_expect(!ANDES_IS_ABSENT(place), 0))
    andes_begin_slow(andes_site_at(place, name, kind), (const __INT64_TYPE__ *)0, ANDES_STACK(),
                     ANDES_CALLER());
}
ANDES_FAST void andes_begin_number_at(struct andes_place *place, const char *name, __INT64_TYPE__ number) {
  if (__builtin_expect(!ANDES_IS_ABSENT(place), 0))
    andes_begin_slow(andes_site_at(place, name, ANDES_KIND_PHASE), &number, ANDES_STACK(),
                     ANDES_CALLER());
}
ANDES_FAST void andes_end_at(struct andes_place *place, const char *name, __UINT32_TYPE__ kind) {
  if (__builtin_expect(!ANDES_IS_ABSENT(place), 0))
    andes_end_slow(andes_site_at(place, name, kind), ANDES_STACK(), ANDES_CALLER());
}
ANDES_FAST void andes_value_at(struct andes_place *place, const char *name, double value) {
  if (__builtin_expect(!ANDES_IS_ABSENT(place), 0))
    andes_value_slow(andes_site_at(place, name, ANDES_KIND_VALUE), value);
}

/* A region from begin to end, where no scope fits. Regions end in the reverse order of their begins, each at
 * the latest with the region that it began in. An end without a matching begin is ignored; one message says so. */
#define ANDES_AT_PLACE(call)                                              \
  __extension__({                                                         \
    static struct andes_place andes_place_ = {(struct andes_site *)0, 0}; \
    call;                                                                 \
  })
#define andes_begin(name) ANDES_AT_PLACE(andes_begin_at(&andes_place_, (name), ANDES_KIND_BLOCK))
#define andes_end(name) ANDES_AT_PLACE(andes_end_at(&andes_place_, (name), ANDES_KIND_BLOCK))
#define andes_phase_begin(name) ANDES_AT_PLACE(andes_begin_at(&andes_place_, (name), ANDES_KIND_PHASE))
#define andes_phase_begin_number(name, number) \
  ANDES_AT_PLACE(andes_begin_number_at(&andes_place_, (name), (__INT64_TYPE__)(number)))
#define andes_phase_end(name) ANDES_AT_PLACE(andes_end_at(&andes_place_, (name), ANDES_KIND_PHASE))

/* Attaches a value to the innermost region: count, sum, smallest, largest and last value are kept. */
#define andes_value(name, value) ANDES_AT_PLACE(andes_value_at(&andes_place_, (name), (double)(value)))

extern void andes_control_slow(int level) __attribute__((visibility("hidden")));
ANDES_SLOW void andes_control_slow(int level) {
  const struct andes_monitor *monitor = andes_find_monitor();
  if (monitor) monitor->control(level);
}
extern int andes_is_on_slow(void) __attribute__((visibility("hidden")));
ANDES_SLOW int andes_is_on_slow(void) {
  const struct andes_monitor *monitor = andes_find_monitor();
  return monitor ? monitor->is_on() : 0;
}

/* Measuring off and on for all threads of this process, like MPI_Pcontrol(0) and (1); calls do not nest:
 * the last one decides. The time between counts nowhere. */
ANDES_FAST void andes_off(void) { andes_control_slow(0); }
ANDES_FAST void andes_on(void) { andes_control_slow(1); }
/* Whether this process is measured now; 0 without a monitor. */
ANDES_FAST int andes_is_on(void) { return andes_is_on_slow(); }
/* A snapshot of this process, like MPI_Pcontrol(2). */
ANDES_FAST void andes_snapshot(void) { andes_control_slow(2); }

#define ANDES_SITE_(id) ANDES_JOINED(andes_site_, id)
#define ANDES_STATIC_SITE_(id, name, kind) \
  static struct andes_site ANDES_SITE_(id) = ANDES_SITE(name, __FILE__, __LINE__, kind)

#ifdef __cplusplus
} /* extern "C" */

namespace andes {
/** A region from its declaration to the end of its scope; its name may be made at run time. */
class Region {
public:
  __attribute__((always_inline)) explicit Region(const char *name)
      : frame_(andes_enter_named(&place(), name)) {}
  __attribute__((always_inline)) ~Region() { andes_leave(frame_); }

private:
  Region(const Region &);
  Region &operator=(const Region &);
  /* One object for a whole module; hidden, so that the module can be unloaded. */
  __attribute__((visibility("hidden"))) static andes_place &place() {
    static andes_place one = {0, 0};
    return one;
  }
  andes_frame *frame_;
};

/** One step of a phase. */
class Phase {
public:
  __attribute__((always_inline)) explicit Phase(const char *name)
      : frame_(enter(site_of(name), (const __INT64_TYPE__ *)0)) {}
  __attribute__((always_inline)) Phase(const char *name, __INT64_TYPE__ number)
      : frame_(enter(site_of(name), &number)) {}
  __attribute__((always_inline)) ~Phase() { andes_leave(frame_); }

private:
  Phase(const Phase &);
  Phase &operator=(const Phase &);
  __attribute__((visibility("hidden"))) static andes_site *site_of(const char *name) {
    static andes_place one = {0, 0};
    return ANDES_IS_ABSENT(&one) ? (andes_site *)0 : andes_site_at(&one, name, ANDES_KIND_PHASE);
  }
  __attribute__((always_inline)) static andes_frame *enter(andes_site *site, const __INT64_TYPE__ *number) {
    return site ? andes_enter_phase(site, number) : (andes_frame *)0;
  }
  andes_frame *frame_;
};
} // namespace andes

#define ANDES_SCOPE_(id, entered) \
  andes_step ANDES_JOINED(andes_scope_, id) __attribute__((__unused__))(entered)
#else
#define ANDES_SCOPE_(id, entered)                    \
  struct andes_frame *ANDES_JOINED(andes_scope_, id) \
      __attribute__((__unused__, __cleanup__(andes_guard_leave))) = (entered)
#endif

/* Regions from here to the end of the scope. The name is a constant; for ANDES_REGION_NAMED any text. */
#define ANDES_REGION(name) ANDES_REGION_(__COUNTER__, name)
#define ANDES_REGION_(id, name)                   \
  ANDES_STATIC_SITE_(id, name, ANDES_KIND_BLOCK); \
  ANDES_SCOPE_(id, andes_enter(&ANDES_SITE_(id)))
#define ANDES_REGION_NAMED(name) ANDES_REGION_NAMED_(__COUNTER__, name)
#define ANDES_REGION_NAMED_(id, name)                                                       \
  static struct andes_place ANDES_JOINED(andes_place_, id) = {(struct andes_site *)0, 0};   \
  ANDES_SCOPE_(id, andes_enter_named(&ANDES_JOINED(andes_place_, id), (name)))

/* A step of a phase: numbered by counting, or by a number of the program. */
#define ANDES_PHASE(name) ANDES_PHASE_(__COUNTER__, name)
#define ANDES_PHASE_(id, name)                    \
  ANDES_STATIC_SITE_(id, name, ANDES_KIND_PHASE); \
  ANDES_SCOPE_(id, andes_enter_phase(&ANDES_SITE_(id), (const __INT64_TYPE__ *)0))
#define ANDES_PHASE_NUMBER(name, number) ANDES_PHASE_NUMBER_(__COUNTER__, name, number)
#define ANDES_PHASE_NUMBER_(id, name, number)     \
  ANDES_STATIC_SITE_(id, name, ANDES_KIND_PHASE); \
  ANDES_SCOPE_(id, andes_enter_phase_number(&ANDES_SITE_(id), (__INT64_TYPE__)(number)))

#endif /* ANDES_DISABLE */

#endif /* ANDES_ANDES_H */
