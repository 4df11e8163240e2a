/* probe.h: the only thing instrumented code sees of andes.
 *
 * A probe is a static record per site (andes_site) and a scope guard. Entering a region finds its
 * node in the call tree of this thread (andes_location), pushes a frame and reads the clock;
 * leaving reads the clock and pops. Everything on that path is inline: no call, no lock, no
 * allocation. Hot call paths are only counted, and the clock is read at one visit in many. Everything
 * else is in the monitor, found by dlsym at the first probe of a module; without a monitor each site
 * disarms itself and then costs two loads and two branches.
 *
 * Invariants:
 *  - plain C (C89 with GNU attributes) and C++98 upwards, no include, no MPI, no new warning;
 *  - one andes_here (initial-exec TLS) and one set of slow functions per executable or shared
 *    object: all of them hidden, so that dlclose unloads and modules never share state;
 *  - all memory reached from here is referred to by index and never moves while a thread runs;
 *  - `innermost` of a location may be stale, `top` never is: a probe that finds them different takes the slow path;
 *  - a site's `region` is written with relaxed atomics; OFF = disarmed, UNKNOWN = not seen yet: neither
 *    is a region number, so one comparison detects both, and a thread that is not attached.
 */
#ifndef ANDES_PROBE_H
#define ANDES_PROBE_H
#pragma GCC system_header

#ifdef __cplusplus
/* A guard is a cleanup, which names C++'s personality routine. A program without exceptions may be
 * linked without the C++ library: then no exception ever needs it (docs/decisions/0003). Not where GCC compiles as it
 * links (-flto): with --as-needed the linker would leave out the C++ library, which nothing else may need. */
#if defined(__EXCEPTIONS) && !defined(ANDES_NAMED_PERSONALITY)
__asm__(".weak __gxx_personality_v0");
#endif
extern "C" {
#endif

/* Fixes the layout of the monitor's structures when the program is compiled with -fpack-struct. GCC obeys
 * this only if the option has a number, and otherwise removes padding. So the structures have no padding. */
#pragma pack(push, 16)

/** Version of this interface; the monitor refuses modules built against another one. */
#define ANDES_PROBE_VERSION 5u

#define ANDES_REGIONS 65536u             /**< region numbers are below this */
#define ANDES_REGION_OFF 0xffffffffu     /**< site disarmed: no monitor, or closed */
#define ANDES_REGION_UNKNOWN 0xfffffffeu /**< site not yet registered */

/** Kinds of regions; docs/metrics.md says what time each of them is. */
enum andes_kind {
  ANDES_KIND_ROOT = 0,      /**< the location itself */
  ANDES_KIND_FUNCTION = 1,  /**< compute: a function of the program */
  ANDES_KIND_BLOCK = 2,     /**< compute: a marked block */
  ANDES_KIND_TOOL = 3,      /**< the monitor's own time */
  ANDES_KIND_OVERFLOW = 4,  /**< compute: call paths beyond the limits */
  ANDES_KIND_LOOP = 5,      /**< compute: a loop, from before its first iteration to after its last */
  ANDES_KIND_PHASE = 6,     /**< compute: a marked block, each visit of which is a step of the program */
  ANDES_KIND_PARALLEL = 7,  /**< compute: a parallel region of OpenMP, as a whole and in each thread */
  ANDES_KIND_WORKSHARE = 8, /**< compute: a worksharing construct: for, sections, single */
  ANDES_KIND_TASK = 9,      /**< compute: a task of OpenMP, in the thread that runs it */
  ANDES_KIND_CRITICAL = 10, /**< compute: a critical section, including the wait for entry */
  ANDES_KIND_BARRIER = 11,  /**< idle: waiting for the team at a barrier, or for tasks */
  ANDES_KIND_LOCK = 12,     /**< idle: waiting to enter: critical, ordered, a lock; for another thread */
  ANDES_KIND_APART = 13,    /**< idle: a team's thread between parallel regions */
  ANDES_KIND_INSTANCE = 14, /**< compute: one step of a phase, or all steps beyond the limit; below its phase */
  ANDES_KIND_VALUE = 15,    /**< no region: the name of a value */
  ANDES_KIND_SEND = 16,     /**< point-to-point, sending */
  ANDES_KIND_RECEIVE = 17,  /**< point-to-point, receiving, or completing a request */
  ANDES_KIND_EXCHANGE = 18, /**< collective, all to all */
  ANDES_KIND_SOURCE = 19,   /**< collective with a root that sends */
  ANDES_KIND_DESTINATION = 20, /**< collective with a root that receives */
  ANDES_KIND_SYNCHRONISATION = 21,
  ANDES_KIND_ONE_SIDED = 22,
  ANDES_KIND_IO = 23,
  ANDES_KIND_MANAGEMENT = 24,
  ANDES_KIND_LOCAL = 25 /**< compute: a call that concerns no other process: MPI_Wtime, MPI_Comm_rank, pthread_join */
};
#define ANDES_KIND_IS_MPI(kind) ((kind) >= 16)
/** Input and output, and local calls, are no communication. */
#define ANDES_KIND_IS_COMMUNICATION(kind) \
  (ANDES_KIND_IS_MPI(kind) && (kind) != ANDES_KIND_LOCAL && (kind) != ANDES_KIND_IO)
/** Waiting for other threads of the process. */
#define ANDES_KIND_IS_IDLE(kind) ((kind) >= ANDES_KIND_BARRIER && (kind) <= ANDES_KIND_APART)

/** A node of the call tree: one call path of one location. One cache line; number 0 is the root.
 *  Nodes are referred to by their distance in bytes from the location, their `place`. */
struct andes_node {
  __UINT32_TYPE__ is_polled; /**< not 0: polls of MPI that have been part of a polling loop */
  __UINT32_TYPE__ traffic;  /**< index of its message columns; 0 = none */
  __INT64_TYPE__ countdown; /**< visits until the slow path looks at the node again; also the count of visits */
  __UINT32_TYPE__ place;    /**< its own place; this and the next member are copied to its frames in one piece */
  __UINT32_TYPE__ bits;     /**< enum andes_frame_bits with which its frames begin */
  __UINT64_TYPE__ inclusive_ticks; /**< sum over completed exact visits that were not folded */
  __UINT64_TYPE__ inside_ticks;    /**< time within its other visits that was measured in visits below */
  __UINT32_TYPE__ parent;          /**< number; ANDES_NOWHERE for the root */
  __UINT32_TYPE__ region;          /**< region number, from 1 */
  __UINT32_TYPE__ kind;            /**< enum andes_kind, copied from the region */
  __UINT32_TYPE__ depth;           /**< 0 for the root */
  __UINT32_TYPE__ folds;  /**< open folded frames: recursion from below this node to an ancestor of it */
  __UINT32_TYPE__ record; /**< index of its SampleRecord; 0 = none */
};
#define ANDES_NOWHERE 0xffffffffu

/** An open visit. The frames of a location are an array in its arena. */
struct andes_frame {
  __UINT64_TYPE__ enter_ticks; /**< of an untimed visit: time measured in exact visits below it */
  __UINT32_TYPE__ place;       /**< place of its node */
  __UINT32_TYPE__ bits;        /**< enum andes_frame_bits; 0: an exact visit */
  __UINTPTR_TYPE__ stack;      /**< ANDES_STACK() of the function that entered, above stack_low */
  __UINTPTR_TYPE__ caller;     /**< ANDES_CALLER() there: distinguishes two frames at one place */
  __UINT64_TYPE__ inside_ticks; /**< of a sampled visit: time measured in exact visits below it; of
                               ANDES_FRAME_RECURSION all that is not its own */
};

/** Special kinds of visits. All but ANDES_FRAME_UNTIMED take the slow path. */
enum andes_frame_bits {
  ANDES_FRAME_FOLDED = 1,    /**< its time was moved from the caller's node: recursion, overflow */
  ANDES_FRAME_SUSPENDED = 2, /**< open while the monitor is switched off */
  ANDES_FRAME_INSIDE = 4,    /**< exact, but called from a visit that is not exact */
  ANDES_FRAME_SAMPLE = 8,    /**< the one visit of its block that is timed */
  ANDES_FRAME_UNTIMED = 16,  /**< counted only */
  ANDES_FRAME_FAR = 32,      /**< its node is no child of the node of the frame below; the nodes between get
                                its time, too */
  ANDES_FRAME_NAMED = 64,    /**< opened by begin(), to be ended by end() */
  ANDES_FRAME_STEP = 128,    /**< of a phase: ends with the frame below */
  ANDES_FRAME_CLOSING = 256, /**< folded, and the first frame to close the way of nodes between */
  ANDES_FRAME_RECURSION = 512 /**< folded, into a call path that is seen in windows only */
};

/** An entry leads from an open node and a region to the child. Each node has a row of entries, by region, that begins
 * 32 entries behind the row of the previous node, and after 1024 nodes at the first one again; rows overlap. If
 * `parent` is the node, the entry's position identifies the region. If `parent` is another node, the slow path finds
 * the child and stores it in the entry. */
struct andes_entry {
  __UINT32_TYPE__ parent; /**< place; 0: empty */
  __UINT32_TYPE__ child;  /**< place, plus enum andes_entry_bits */
};
#define ANDES_ENTRIES (32 * 1024 + ANDES_REGIONS)

enum andes_entry_bits {
  ANDES_ENTRY_BITS = 1,   /**< the child's bits are not 0 */
  ANDES_ENTRY_DIRECT = 2, /**< `child` is the parent itself: direct recursion, counted as part of the parent's visit */
  ANDES_ENTRY_FOLDED = 4  /**< `child` is open: recursion, by the slow path */
};
#define ANDES_ENTRY_MASK 63u /* these bits of a place are 0 */

/** A thread as the fast path sees it: this header, then the entries, then the nodes. One block of memory, so that
 * everything is at a fixed distance from one pointer: the reading of the clock waits for every load before it. For
 * the same reason the place of the innermost node stands here once more, so that no frame must be loaded for it
 *  (docs/decisions/0072). */
struct andes_location {
  __UINT32_TYPE__ innermost; /**< place of the innermost frame's node; valid if it equals that of `top` */
  __UINT32_TYPE__ off;       /**< not 0: measuring is off now */
  struct andes_frame *top; /**< innermost open frame; the root's frame is never popped */
  __UINTPTR_TYPE__ stack_low; /**< lowest address of this thread's stack; while off, beyond all */
  void *data;              /**< the monitor's own */
  __UINT64_TYPE__ reserved[4];
  struct andes_entry entries[ANDES_ENTRIES];
  struct andes_node root;
};
#define ANDES_ROOT ((__UINT32_TYPE__)__builtin_offsetof(struct andes_location, root))
#define ANDES_NODE_AT(location, place) ((struct andes_node *)((char *)(location) + (place)))
#define ANDES_ENTRY_AT(location, parent, region) (&(location)->entries[((parent) & 0xffffu) / 2 + (region)])

/** One per site, static. `region` is written by the monitor, or by the probe if there is no monitor. */
struct andes_site {
  const char *name;
  const char *file;
  __UINT32_TYPE__ line;
  __UINT32_TYPE__ kind;
  __UINT32_TYPE__ region;
  __UINT32_TYPE__ version;
};
#define ANDES_SITE(name, file, line, kind) \
  { name, file, line, kind, ANDES_REGION_UNKNOWN, ANDES_PROBE_VERSION }

/** This thread as a module sees it: `regions` is 0 until the thread is attached. */
struct andes_view {
  struct andes_location *location;
  __UINT32_TYPE__ regions; /**< ANDES_REGIONS, or 0: every visit takes the slow path */
  __UINT32_TYPE__ looking; /**< the monitor is being looked up: dlsym may call allocation functions with probes */
};

/** What the monitor exports, as `andes_monitor`. */
struct andes_monitor {
  __UINT32_TYPE__ version; /**< ANDES_PROBE_VERSION */
  __UINT32_TYPE__ reserved;
  /** Registers the site and attaches the thread if they are new, enters, fills `view`.
   *  Returns the frame, its lowest bit set if leave() must be called; NULL: not measured. */
  struct andes_frame *(*enter)(struct andes_site *site, __UINTPTR_TYPE__ stack,
                               __UINTPTR_TYPE__ caller, struct andes_view *view);
  /** Leaves a frame that the fast path cannot leave: not on top, folded, or tagged. */
  void (*leave)(struct andes_frame *frame);

  /* For andes.h and the Fortran module, where they are explained. `stack` and `caller` as above; 0:
   * not known, as in Fortran. `number`: of the step; NULL: steps are counted. */

  /** The permanent site of this name, compared by content. `kind`: BLOCK, PHASE or VALUE. NULL: not measured. */
  struct andes_site *(*site)(const char *name, __UINTPTR_TYPE__ length, __UINT32_TYPE__ kind);
  /** Like enter(), for a phase and the step that begins. Left like a frame of enter(). */
  struct andes_frame *(*enter_phase)(struct andes_site *site, const __INT64_TYPE__ *number,
                                     __UINTPTR_TYPE__ stack, __UINTPTR_TYPE__ caller,
                                     struct andes_view *view);
  /** Begins a visit that ends with end(), or with the region that was innermost. */
  void (*begin)(struct andes_site *site, const __INT64_TYPE__ *number, __UINTPTR_TYPE__ stack,
                __UINTPTR_TYPE__ caller);
  /** Ends the innermost region if begin() opened it for this site (NULL: for any site); else does nothing. */
  void (*end)(struct andes_site *site, __UINTPTR_TYPE__ stack, __UINTPTR_TYPE__ caller);
  /** Attaches a value to the innermost call path. */
  void (*value)(struct andes_site *site, double value);
  /** MPI_Pcontrol: 0 off, 1 on, 2 a snapshot. */
  void (*control)(int level);
  int (*is_on)(void);
};

#pragma pack(pop)

/* One view per module. In a COMDAT of its own, so that a module has one and not one per object
 * file: shared objects opened at run time have little static TLS. Clang's link-time optimisation
 * merges weak definitions by itself, and reports symbols of assembler code to lld as not TLS. */
extern __thread struct andes_view andes_here
    __attribute__((visibility("hidden"), tls_model("initial-exec")));
#ifdef ANDES_LINK_TIME
__thread struct andes_view andes_here __attribute__((weak));
#else
__asm__(".ifndef andes_here\n"
        ".pushsection .tbss.andes_here,\"awTG\",%nobits,andes_here,comdat\n"
        ".weak andes_here\n.hidden andes_here\n.type andes_here,%tls_object\n"
        ".size andes_here,16\n.p2align 4\n"
        "andes_here: .zero 16\n"
        ".popsection\n.endif\n");
#endif

extern void *andes_dlsym(void *, const char *) __asm__("dlsym");

#if defined(__has_attribute)
#if __has_attribute(zero_call_used_regs) /* -fzero-call-used-regs would clear vector registers */
#define ANDES_ZERO_NOTHING , zero_call_used_regs("skip")
#endif
#endif
#ifndef ANDES_ZERO_NOTHING
#define ANDES_ZERO_NOTHING
#endif
#define ANDES_SLOW __attribute__((weak, visibility("hidden"), noinline, cold, used, \
                                  no_instrument_function, no_sanitize("all") ANDES_ZERO_NOTHING))

/* ANDES_PORTABLE: the compiler's assembler syntax differs from that of the statements below. */
#if defined(__x86_64__) && !defined(__ILP32__) && !defined(ANDES_TICKS) && !defined(ANDES_PORTABLE)
#define ANDES_ASSEMBLER 1
#endif

/* The slow functions as assembler text, where `andes cc` has put it before this: compiled in each source, they take as long as
 * a third of a small one. They have names of their own there, for one file of the linker may hold both forms. */
#if defined(ANDES_SLOW_TEXT) && defined(ANDES_ASSEMBLER) && !defined(ANDES_LINK_TIME)
#define ANDES_HAS_SLOW_TEXT 1
#define ANDES_SLOW_NAME(name) __asm__("andes_text_" name)
__asm__(ANDES_SLOW_TEXT);
#else
#define ANDES_HAS_SLOW_TEXT 0
#define ANDES_SLOW_NAME(name)
#endif

/** The monitor, looked up once per module: at its first probe, which may run before main. */
extern const struct andes_monitor *andes_find_monitor(void) ANDES_SLOW_NAME("find_monitor")
    __attribute__((visibility("hidden")));
extern struct andes_frame *andes_enter_slow(struct andes_site *site, __UINTPTR_TYPE__ stack,
                                            __UINTPTR_TYPE__ caller) ANDES_SLOW_NAME("enter_slow")
    __attribute__((visibility("hidden")));
extern void andes_leave_slow(struct andes_frame *frame) ANDES_SLOW_NAME("leave_slow")
    __attribute__((visibility("hidden")));
extern struct andes_frame *andes_enter_phase_slow(struct andes_site *site, const __INT64_TYPE__ *number,
                                                  __UINTPTR_TYPE__ stack, __UINTPTR_TYPE__ caller)
    ANDES_SLOW_NAME("enter_phase_slow") __attribute__((visibility("hidden")));

#if !ANDES_HAS_SLOW_TEXT
#ifdef ANDES_ASSEMBLER
/* A probe may change no vector register (docs/decisions/0166). The stubs below keep their lower 128 bits. The rest is changed
 * only by the C library's functions for AVX, which begin with it in any state and end with it zero; code without AVX leaves it as
 * it is. So it is kept around whatever calls such functions, where it is in use. */
struct andes_wide_vectors {
  __UINT64_TYPE__ state[1664 / 8]; /* of XSAVE up to component 6, the upper halves of zmm0 to zmm15 */
} __attribute__((aligned(64)));
#if defined(__has_attribute)
#if __has_attribute(uninitialized) /* -ftrivial-auto-var-init would fill the area by a function for AVX */
#define ANDES_AS_IT_IS __attribute__((uninitialized))
#endif
#endif
#ifndef ANDES_AS_IT_IS
#define ANDES_AS_IT_IS
#endif
#define ANDES_XGETBV_TELLS 0x80000000u /* beside the components: XGETBV says what is in use */

/** The components of the processor's state that are the upper parts of xmm0 to xmm15, as XSAVE numbers them; 0: there are none.
 *  Perhaps with ANDES_XGETBV_TELLS. */
ANDES_SLOW unsigned andes_find_wide_vectors(void) {
  unsigned eax = 1, ebx, ecx = 0, edx, components;
  __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  if (!(ecx & (1u << 27))) return 0; /* the system has not enabled XSAVE */
  ecx = 0;
  __asm__ volatile("xgetbv" : "=a"(components), "=d"(edx) : "c"(ecx));
  components &= 0x44;
  if (!components) return 0;
  eax = 13;
  ecx = 1;
  __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return eax & 4 ? components | ANDES_XGETBV_TELLS : components;
}
#define ANDES_KEEP_WIDE_VECTORS(area, components)                                                                            \
  __asm__ volatile("movq $0, 512(%0)\n\tmovq $0, 520(%0)\n\tmovq $0, 528(%0)\n\tmovq $0, 536(%0)\n\t"                       \
                   "movq $0, 544(%0)\n\tmovq $0, 552(%0)\n\tmovq $0, 560(%0)\n\tmovq $0, 568(%0)\n\t"                       \
                   "xsave (%0)"                                                                                              \
                   :                                                                                                         \
                   : "r"(&(area)), "a"((components) & ~ANDES_XGETBV_TELLS), "d"(0)                                                 \
                   : "memory")
#define ANDES_PUT_BACK_WIDE_VECTORS(area, components) \
  __asm__ volatile("xrstor (%0)" : : "r"(&(area)), "a"((components) & ~ANDES_XGETBV_TELLS), "d"(0) : "memory")

/* Nor an x87 or MMX register, of which the stubs keep none: a called function may use all eight of x87, but expects them to be
 * empty. So they are kept around what is called, where they are not. */
struct andes_x87 {
  __UINT32_TYPE__ state[27]; /* of FNSAVE, which leaves the unit as after its start */
};
#define ANDES_X87_COMPONENT 1u /* as XGETBV numbers it */

/** Whether x87 or MMX registers hold values. */
ANDES_SLOW int andes_is_x87_in_use(void) {
  unsigned short status;
  __asm__ volatile("fnstsw %0" : "=a"(status));
  if (status & 0x3880) return 1; /* values, or a pending exception, which FXAM would raise */
  __asm__ volatile("fxam\n\tfnstsw %0" : "=a"(status));
  return (status & 0x4500) != 0x4100; /* the uppermost register is not empty: all eight may be full */
}
#define ANDES_KEEP_X87(area) __asm__ volatile("fnsave %0" : "=m"(area))
#define ANDES_PUT_BACK_X87(area) __asm__ volatile("frstor %0" : : "m"(area))
#endif

ANDES_SLOW const struct andes_monitor *andes_find_monitor(void) {
  static const struct andes_monitor *monitor;
  static int looked;
  if (!__atomic_load_n(&looked, __ATOMIC_ACQUIRE)) {
    const struct andes_monitor *found;
#ifdef ANDES_ASSEMBLER
    struct andes_wide_vectors wide ANDES_AS_IT_IS;
    struct andes_x87 x87 ANDES_AS_IT_IS;
    unsigned components = andes_find_wide_vectors();
    int keeps_x87 = andes_is_x87_in_use();
    if (keeps_x87) ANDES_KEEP_X87(x87);
    if (components) ANDES_KEEP_WIDE_VECTORS(wide, components);
#endif
    andes_here.looking = 1;
    found = (const struct andes_monitor *)andes_dlsym((void *)0, "andes_monitor");
    andes_here.looking = 0;
#ifdef ANDES_ASSEMBLER
    if (components) ANDES_PUT_BACK_WIDE_VECTORS(wide, components);
    if (keeps_x87) ANDES_PUT_BACK_X87(x87);
#endif
    if (found && found->version != ANDES_PROBE_VERSION) found = (const struct andes_monitor *)0;
    monitor = found;
    __atomic_store_n(&looked, 1, __ATOMIC_RELEASE);
  }
  return monitor;
}

ANDES_SLOW struct andes_frame *andes_enter_slow(struct andes_site *site, __UINTPTR_TYPE__ stack,
                                                __UINTPTR_TYPE__ caller) {
  const struct andes_monitor *monitor;
  if (andes_here.looking) return (struct andes_frame *)0;
  monitor = andes_find_monitor();
  if (!monitor) {
    __atomic_store_n(&site->region, ANDES_REGION_OFF, __ATOMIC_RELAXED);
    return (struct andes_frame *)0;
  }
  return monitor->enter(site, stack, caller, &andes_here);
}

ANDES_SLOW void andes_leave_slow(struct andes_frame *frame) { andes_find_monitor()->leave(frame); }

ANDES_SLOW struct andes_frame *andes_enter_phase_slow(struct andes_site *site,
                                                      const __INT64_TYPE__ *number,
                                                      __UINTPTR_TYPE__ stack,
                                                      __UINTPTR_TYPE__ caller) {
  const struct andes_monitor *monitor;
  if (andes_here.looking) return (struct andes_frame *)0;
  monitor = andes_find_monitor();
  if (!monitor) {
    __atomic_store_n(&site->region, ANDES_REGION_OFF, __ATOMIC_RELAXED);
    return (struct andes_frame *)0;
  }
  return monitor->enter_phase(site, number, stack, caller, &andes_here);
}
#endif

#ifdef ANDES_ASSEMBLER
/* The two slow functions are called through stubs that keep every general register and the lower 128 bits of vectors. The
 * compiler does not see a call: a leaf function saves no registers and need not align the stack, and a probe that is
 * not measured costs only the test (docs/decisions/0166). The stubs are jumped to and jump back through
 * r11, so that the stack pointer, and with it the unwinding of the function, stays as the compiler has
 * it; they step over the red zone themselves. The compiler saves those vector and mask registers that only AVX-512 has. Arguments: the address of the site's region in rax and the stack position in rdx; or the frame
 * to leave in rax. */
#define ANDES_STUB(stub, arguments, function)                                                   \
  ".ifndef " stub "\n"                                                                          \
  ".pushsection .text." stub ",\"axG\",%progbits," stub ",comdat\n"                             \
  ".weak " stub "\n.hidden " stub "\n.type " stub ",%function\n"                               \
  stub ":\n"                                                                                    \
  ".cfi_startproc\n.cfi_def_cfa %rsp, 0\n.cfi_register %rip, %r11\n"                           \
  "lea -128(%rsp), %rsp\n.cfi_adjust_cfa_offset 128\n"                                         \
  "push %r11\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rip, -136\n"                              \
  "push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_offset %rbp, -144\n"                              \
  "mov %rsp, %rbp\n.cfi_def_cfa_register %rbp\n"                                               \
  "push %rcx\npush %rdx\npush %rsi\npush %rdi\npush %r8\npush %r9\npush %r10\n"                 \
  "sub $256, %rsp\nand $-16, %rsp\n"                                                           \
  "movaps %xmm0, (%rsp)\nmovaps %xmm1, 16(%rsp)\nmovaps %xmm2, 32(%rsp)\n"                     \
  "movaps %xmm3, 48(%rsp)\nmovaps %xmm4, 64(%rsp)\nmovaps %xmm5, 80(%rsp)\n"                   \
  "movaps %xmm6, 96(%rsp)\nmovaps %xmm7, 112(%rsp)\nmovaps %xmm8, 128(%rsp)\n"                 \
  "movaps %xmm9, 144(%rsp)\nmovaps %xmm10, 160(%rsp)\nmovaps %xmm11, 176(%rsp)\n"              \
  "movaps %xmm12, 192(%rsp)\nmovaps %xmm13, 208(%rsp)\nmovaps %xmm14, 224(%rsp)\n"             \
  "movaps %xmm15, 240(%rsp)\n" arguments "call " function "\n"                                 \
  "movaps (%rsp), %xmm0\nmovaps 16(%rsp), %xmm1\nmovaps 32(%rsp), %xmm2\n"                     \
  "movaps 48(%rsp), %xmm3\nmovaps 64(%rsp), %xmm4\nmovaps 80(%rsp), %xmm5\n"                   \
  "movaps 96(%rsp), %xmm6\nmovaps 112(%rsp), %xmm7\nmovaps 128(%rsp), %xmm8\n"                 \
  "movaps 144(%rsp), %xmm9\nmovaps 160(%rsp), %xmm10\nmovaps 176(%rsp), %xmm11\n"              \
  "movaps 192(%rsp), %xmm12\nmovaps 208(%rsp), %xmm13\nmovaps 224(%rsp), %xmm14\n"             \
  "movaps 240(%rsp), %xmm15\n"                                                                 \
  "lea -56(%rbp), %rsp\n"                                                                      \
  "pop %r10\npop %r9\npop %r8\npop %rdi\npop %rsi\npop %rdx\npop %rcx\n"                        \
  "pop %rbp\n.cfi_def_cfa %rsp, 136\n.cfi_restore %rbp\n"                                      \
  "pop %r11\n.cfi_adjust_cfa_offset -8\n.cfi_register %rip, %r11\n"                            \
  "lea 128(%rsp), %rsp\n.cfi_adjust_cfa_offset -128\n"                                         \
  "notrack jmp *%r11\n"                                                                        \
  ".cfi_endproc\n.size " stub ",.-" stub "\n.popsection\n.endif\n"
typedef char andes_region_at_24[__builtin_offsetof(struct andes_site, region) == 24 ? 1 : -1];
#if !ANDES_HAS_SLOW_TEXT /* which has the stubs, too */
typedef char andes_untimed_is_bit_4[ANDES_FRAME_UNTIMED == 1 << 4 ? 1 : -1];
__asm__(ANDES_STUB("andes_enter_stub",
                   "lea -24(%rax), %rdi\nmov %rdx, %rsi\nmov -8(%rdx), %rdx\n", "andes_enter_slow")
        ANDES_STUB("andes_leave_stub", "mov %rax, %rdi\n", "andes_leave_slow"));
#endif

/* Registers that are not kept */
#ifdef __AVX512F__
#define ANDES_NOT_KEPT                                                                         \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",  \
      "k7"
#else
#define ANDES_NOT_KEPT
#endif
#endif

#if defined(ANDES_TICKS) /* a test defines its own clock */
#elif defined(__x86_64__) || defined(__i386__)
#define ANDES_TICKS() ((__UINT64_TYPE__)__builtin_ia32_rdtsc())
#elif defined(__aarch64__)
#define ANDES_TICKS()                                         \
  (__extension__({                                            \
    __UINT64_TYPE__ andes_ticks_;                             \
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(andes_ticks_)); \
    andes_ticks_;                                             \
  }))
#else
#define ANDES_TICKS() ((__UINT64_TYPE__)0) /* such locations stay on the slow path */
#endif

/* Where the physical function's frame stands: its canonical frame address, which is equal for two
 * functions called from one place, whatever they keep on the stack. Comparing positions reveals
 * frames that were left without notice. Not __builtin_frame_address(0), which makes the function
 * keep a frame pointer (docs/decisions/0002), and not the address of the guard, which the address
 * sanitizer moves. */
#define ANDES_STACK() ((__UINTPTR_TYPE__)__builtin_dwarf_cfa())

/* Return address of the physical function: two visits at one stack position are nested if their
 * callers are equal (inlining); else the upper one was left without notice. */
#define ANDES_CALLER() ((__UINTPTR_TYPE__)__builtin_return_address(0))

/* Not static in C: Clang warns where an inline function with external linkage calls a static one.
 * Never emitted, since always inlined. */
#ifdef __cplusplus
#define ANDES_FAST                                                                 \
  static __inline__ __attribute__((always_inline, nothrow, no_instrument_function))
#else
#define ANDES_FAST           \
  extern __inline__ __attribute__((gnu_inline, always_inline, nothrow, no_instrument_function))
#endif

#ifdef ANDES_ASSEMBLER
/* Both halves of a probe, as the compiler would make them of the C form below, but in one statement each: an
 * assembler statement costs the compiler next to no time, while the C form takes three times as long as the
 * rest of a small function (docs/decisions/0166). Visits that are not measured jump over all of it. The frame
 * is complete except for its time before it becomes the innermost one, so a signal handler with probes finds
 * a valid frame. A handler between the stores leaves its own values there. So all values are in registers
 * before the first is stored, and node and bits are stored again for a visit that reads no clock: taken for a
 * timed visit, it would seem to last since the clock began. */
/* GCC estimates the size of an assembler statement by its lines when it decides about inlining; `inline` makes it count
 * as one instruction, so that a function is inlined as without its probe (docs/decisions/0166). */
#if !defined(__clang__) && __GNUC__ >= 9
#define ANDES_STATEMENT __asm__ __inline__ volatile
#else
#define ANDES_STATEMENT __asm__ volatile
#endif
/* GCC takes the builtin for a call that may throw: this extra exit of each function with a probe weakens alias
 * analysis and vectorisation. So it is declared not to throw. */
#if defined(__cplusplus) && __cplusplus >= 201103L
#define ANDES_NO_THROW noexcept
#else
#define ANDES_NO_THROW
#endif
ANDES_FAST __UINTPTR_TYPE__ *andes_frame_base(void) ANDES_NO_THROW {
  return (__UINTPTR_TYPE__ *)__builtin_dwarf_cfa();
}
/* Distances in bytes as text. As operands they would be a third of what GCC carries through its passes for a probe. */
#define ANDES_QUOTED(number) #number
#define ANDES_QUOTED_VALUE(number) ANDES_QUOTED(number)
#define ANDES_TO(member) ANDES_QUOTED_VALUE(ANDES_TO_##member)
#define ANDES_TO_location_innermost 0
#define ANDES_TO_location_off 4
#define ANDES_TO_location_top 8
#define ANDES_TO_location_stack_low 16
#define ANDES_TO_location_entries 64
#define ANDES_TO_node_countdown 8
#define ANDES_TO_node_place 16
#define ANDES_TO_node_inclusive_ticks 24
#define ANDES_TO_frame_place 8
#define ANDES_TO_frame_bits 12
#define ANDES_TO_frame_stack 16
#define ANDES_TO_frame_caller 24
#define ANDES_TO_view_location 0
#define ANDES_TO_view_regions 8
#define ANDES_TO_frame_size 40
#define ANDES_TO_untimed_bit 4
#if !ANDES_HAS_SLOW_TEXT /* copies have the header that andes was built with, which was checked then */
#define ANDES_IS_AT(type, member) \
  typedef char andes_to_##type##_##member[__builtin_offsetof(struct andes_##type, member) == ANDES_TO_##type##_##member ? 1 : -1]
ANDES_IS_AT(location, innermost);
ANDES_IS_AT(location, off);
ANDES_IS_AT(location, top);
ANDES_IS_AT(location, stack_low);
ANDES_IS_AT(location, entries);
ANDES_IS_AT(node, countdown);
ANDES_IS_AT(node, place);
ANDES_IS_AT(node, inclusive_ticks);
ANDES_IS_AT(frame, place);
ANDES_IS_AT(frame, bits);
ANDES_IS_AT(frame, stack);
ANDES_IS_AT(frame, caller);
ANDES_IS_AT(view, location);
ANDES_IS_AT(view, regions);
typedef char andes_to_frame_size[sizeof(struct andes_frame) == ANDES_TO_frame_size ? 1 : -1];
typedef char andes_to_untimed_bit[ANDES_FRAME_UNTIMED == 1 << ANDES_TO_untimed_bit ? 1 : -1];
#endif
/* Where andes_here is, to the register `here`. Given to the compiler as an operand, it would keep the offset in a
 * register from the entry to the exit, which the function has to save and restore in visits that are not measured as
 * well. In an executable the linker makes a constant of it. In a shared object it stays a load, that the second reading of
 * the clock would wait for: there, and where the compiler links, it is an operand. */
#if defined(ANDES_LINK_TIME) || (defined(__PIC__) && !defined(__PIE__))
#define ANDES_FIND_HERE ""
#define ANDES_HERE(member) "%[" #member "_]"
#define ANDES_OF_HERE(member) , [member##_] "m"(andes_here.member)
#else
#define ANDES_FIND_HERE "mov andes_here@gottpoff(%%rip), %[here]\n\t"
#define ANDES_HERE(member) "%%fs:" ANDES_TO(view_##member) "(%[here])"
#define ANDES_OF_HERE(member)
#endif
/* Texts are macros, since the plug-in for GCC (preprocessor/plugin) makes the same statements of them. */
#define ANDES_ENTER_TEXT \
  "mov %[region], %k[frame]\n\t" \
  "inc %k[frame]\n\t" /* ANDES_REGION_OFF becomes NULL, the result */ \
  "jz 9f\n\t" \
  ANDES_FIND_HERE \
  "cmp " ANDES_HERE(regions) ", %k[frame]\n\t" \
  "ja 7f\n\t" \
  "mov " ANDES_HERE(location) ", %[here]\n\t" \
  "mov " ANDES_TO(location_innermost) "(%[here]), %%eax\n\t" \
  "movzwl %%ax, %%r11d\n\t" \
  "lea (%[here],%%r11,4), %%r11\n\t" /* its row of entries */ \
  "cmp %%eax, " ANDES_TO(location_entries) "-8(%%r11,%[frame],8)\n\t" \
  "jne 6f\n\t" \
  "mov " ANDES_TO(location_entries) "-4(%%r11,%[frame],8), %%r11d\n\t" /* the child */ \
  "mov " ANDES_TO(location_top) "(%[here]), %[frame]\n\t" \
  "lea %H[caller_], %%rdx\n\t" \
  "cmp %%eax, " ANDES_TO(frame_place) "(%[frame])\n\t" \
  "jne 6f\n\t" \
  "sub " ANDES_TO(location_stack_low) "(%[here]), %%rdx\n\t" \
  "cmp " ANDES_TO(frame_stack) "(%[frame]), %%rdx\n\t" \
  "jae 5f\n" \
  "1:\tmov %[caller_], %%r10\n\t" \
  "test $7, %%r11b\n\t" \
  "jnz 4f\n\t" \
  "add $" ANDES_TO(frame_size) ", %[frame]\n\t" \
  "mov %%r11, " ANDES_TO(frame_place) "(%[frame])\n\t" /* and no bits */ \
  "mov %%r10, " ANDES_TO(frame_caller) "(%[frame])\n\t" \
  "mov %%rdx, " ANDES_TO(frame_stack) "(%[frame])\n\t" \
  "mov %[frame], " ANDES_TO(location_top) "(%[here])\n\t" \
  "mov %%r11d, " ANDES_TO(location_innermost) "(%[here])\n" \
  "2:\trdtsc\n\t" \
  "shl $32, %%rdx\n\t" \
  "or %%rdx, %%rax\n\t" \
  "subq $1, " ANDES_TO(node_countdown) "(%[here],%%r11)\n\t" \
  "mov %%rax, (%[frame])\n\t" \
  "jge 9f\n" /* else the visit is due: undo everything */ \
  "3:\taddq $1, " ANDES_TO(node_countdown) "(%[here],%%r11)\n\t" \
  "sub $" ANDES_TO(frame_size) ", %[frame]\n\t" \
  "mov %[frame], " ANDES_TO(location_top) "(%[here])\n\t" \
  "jmp 6f\n" \
  "5:\tjne 6f\n\t" /* inlined into the caller? */ \
  "mov %[caller_], %%rax\n\t" \
  "cmp %%rax, " ANDES_TO(frame_caller) "(%[frame])\n\t" \
  "je 1b\n" \
  "6:\txor %k[frame], %k[frame]\n\t" \
  "cmp %k[frame], " ANDES_TO(location_off) "(%[here])\n\t" \
  "jne 9f\n" \
  "7:\tlea %[region], %%rax\n\t" \
  "lea %H[caller_], %%rdx\n\t" \
  "lea 8f(%%rip), %%r11\n\t" \
  "jmp andes_enter_stub\n" \
  "8:\tmov %%rax, %[frame]\n\t" \
  "jmp 9f\n" \
  "0:\ttest $4, %%r11b\n\t" \
  "jnz 6b\n\t" \
  "cmpq $0, " ANDES_TO(node_countdown) "-2(%[here],%%r11)\n\t" \
  "jle 6b\n\t" \
  "decq " ANDES_TO(node_countdown) "-2(%[here],%%r11)\n\t" \
  "xor %k[frame], %k[frame]\n\t" \
  "jmp 9f\n" \
  "4:\ttest $6, %%r11b\n\t" \
  "jnz 0b\n\t" \
  "dec %%r11d\n\t" \
  "mov " ANDES_TO(node_place) "(%[here],%%r11), %%rax\n\t" /* and bits */ \
  "add $" ANDES_TO(frame_size) ", %[frame]\n\t" \
  "mov %%rax, " ANDES_TO(frame_place) "(%[frame])\n\t" \
  "mov %%r10, " ANDES_TO(frame_caller) "(%[frame])\n\t" \
  "mov %%rdx, " ANDES_TO(frame_stack) "(%[frame])\n\t" \
  "mov %[frame], " ANDES_TO(location_top) "(%[here])\n\t" \
  "mov %%r11d, " ANDES_TO(location_innermost) "(%[here])\n\t" \
  "bt $32+" ANDES_TO(untimed_bit) ", %%rax\n\t" \
  "jnc 2b\n\t" \
  "subq $1, " ANDES_TO(node_countdown) "(%[here],%%r11)\n\t" \
  "jl 3b\n\t" \
  "mov %%rax, " ANDES_TO(frame_place) "(%[frame])\n\t" \
  "movq $0, (%[frame])\n" \
  "9:"
#define ANDES_LEAVE_TEXT \
  ANDES_FIND_HERE \
  "mov " ANDES_HERE(location) ", %[here]\n\t" \
  "cmp %[frame], " ANDES_TO(location_top) "(%[here])\n\t" \
  "jne 4f\n\t" \
  "cmpl $0, " ANDES_TO(frame_bits) "(%[frame])\n\t" \
  "jne 3f\n\t" \
  "rdtsc\n\t" \
  "shl $32, %%rdx\n\t" \
  "or %%rdx, %%rax\n\t" \
  "mov " ANDES_TO(frame_place) "(%[frame]), %%r11d\n\t" \
  "sub (%[frame]), %%rax\n\t" \
  "add %%rax, " ANDES_TO(node_inclusive_ticks) "(%[here],%%r11)\n" \
  "2:\tmov " ANDES_TO(frame_place) "-" ANDES_TO(frame_size) "(%[frame]), %%r11d\n\t" /* the caller's */ \
  "lea -" ANDES_TO(frame_size) "(%[frame]), %%rax\n\t" \
  "mov %%rax, " ANDES_TO(location_top) "(%[here])\n\t" \
  "mov %%r11d, " ANDES_TO(location_innermost) "(%[here])\n\t" \
  "jmp 5f\n" \
  "4:\tmov %[frame], %%rax\n\t" \
  "lea 5f(%%rip), %%r11\n\t" \
  "jmp andes_leave_stub\n" \
  "3:\tcmpl $1<<" ANDES_TO(untimed_bit) ", " ANDES_TO(frame_bits) "(%[frame])\n\t" \
  "jne 4b\n\t" \
  "cmpq $0, (%[frame])\n\t" \
  "je 2b\n\t" \
  "jmp 4b\n" \
  "5:"

ANDES_FAST struct andes_frame *andes_enter(struct andes_site *site) {
  __UINTPTR_TYPE__ frame, here; /* no pointers: beside a setjmp GCC would warn of them */
  ANDES_STATEMENT(ANDES_ENTER_TEXT
      : [frame] "=&r"(frame), [here] "=&r"(here)
      : [region] "m"(site->region), [caller_] "m"(andes_frame_base()[-1])
        ANDES_OF_HERE(regions) ANDES_OF_HERE(location)
      : "rax", "rdx", "r10", "r11", "memory", "cc" ANDES_NOT_KEPT);
  return (struct andes_frame *)frame;
}

ANDES_FAST void andes_leave(struct andes_frame *frame) {
  __UINTPTR_TYPE__ here;
  if (__builtin_expect(frame != (struct andes_frame *)0, 0))
    ANDES_STATEMENT(ANDES_LEAVE_TEXT
        : [here] "=&r"(here)
        : [frame] "r"(frame) ANDES_OF_HERE(location)
        : "rax", "rdx", "r11", "memory", "cc" ANDES_NOT_KEPT);
}
#else
/** Enters the region of `site`. Always inlined: stack position and caller are those of the function
 *  it stands in. Returns the frame to hand to andes_leave (its lowest bit may be set), or NULL if
 *  the visit is not measured. No bound check for frames: the slow path, which every new depth of the
 * tree takes first, keeps room for as many as the tree is deep. Work that can wait is done after the
 * reading of the clock, since the reading waits for all loads before it (docs/decisions/0072). */
ANDES_FAST struct andes_frame *andes_enter(struct andes_site *site) {
  __UINT32_TYPE__ region = __atomic_load_n(&site->region, __ATOMIC_RELAXED);
  if (__builtin_expect(region < andes_here.regions, 0)) {
    struct andes_location *location = andes_here.location;
    struct andes_frame *top = location->top;
    __UINT32_TYPE__ innermost = location->innermost;
    struct andes_entry *entry = ANDES_ENTRY_AT(location, innermost, region);
    /* The stack grows downwards: a caller's frame is never below its callee's, so a higher address
     * means that frames were left without notice (longjmp). An address below the stack's lowest one
     * wraps to a very high one and means another stack. Both take the slow path. */
    __UINTPTR_TYPE__ stack = ANDES_STACK() - location->stack_low;
    if (__builtin_expect(entry->parent == innermost && top->place == innermost &&
                             (stack < top->stack ||
                              (stack == top->stack && top->caller == ANDES_CALLER())) &&
                             !(entry->child & ANDES_ENTRY_FOLDED),
                         1)) {
      struct andes_node *node = ANDES_NODE_AT(location, entry->child & ~ANDES_ENTRY_MASK);
      if (entry->child & ANDES_ENTRY_DIRECT) {
        if (node->countdown > 0) {
          node->countdown--;
          return (struct andes_frame *)0;
        }
      } else {
        /* No variable for top + 1: beside a setjmp GCC would warn that it might be clobbered. */
        __builtin_memcpy(&top[1].place, &node->place, 8); /* and bits */
        top[1].stack = stack;
        top[1].caller = ANDES_CALLER();
        location->top = top + 1;
        location->innermost = node->place;
        top[1].enter_ticks = top[1].bits == ANDES_FRAME_UNTIMED ? 0 : ANDES_TICKS();
        if (__builtin_expect(--node->countdown >= 0, 1)) return top + 1;
        node->countdown++; /* the visit is due: undo everything */
        location->top = top;
      }
    }
    if (location->off) return (struct andes_frame *)0;
  } else if (__builtin_expect(region == ANDES_REGION_OFF, 1)) {
    return (struct andes_frame *)0;
  }
  return andes_enter_slow(site, ANDES_STACK(), ANDES_CALLER());
}

/** Leaves the visit that andes_enter returned. */
ANDES_FAST void andes_leave(struct andes_frame *frame) {
  if (__builtin_expect(frame != (struct andes_frame *)0, 0)) {
    struct andes_location *location = andes_here.location;
    if (__builtin_expect(location->top == frame && frame->bits == 0, 1)) {
      ANDES_NODE_AT(location, frame->place)->inclusive_ticks += ANDES_TICKS() - frame->enter_ticks;
      location->top = frame - 1;
      location->innermost = frame[-1].place;
    } else if (location->top == frame && frame->bits == ANDES_FRAME_UNTIMED &&
               frame->enter_ticks == 0) {
      location->top = frame - 1;
      location->innermost = frame[-1].place;
    } else {
      andes_leave_slow(frame);
    }
  }
}
#endif

/** Enters a step of the phase of `site`: always by a function call, since every step has a call path of
 * its own (docs/interface.md). `number`: of the step; NULL: steps are counted. */
ANDES_FAST struct andes_frame *andes_enter_phase(struct andes_site *site, const __INT64_TYPE__ *number) {
  if (__builtin_expect(__atomic_load_n(&site->region, __ATOMIC_RELAXED) == ANDES_REGION_OFF,
                       1))
    return (struct andes_frame *)0;
  return andes_enter_phase_slow(site, number, ANDES_STACK(), ANDES_CALLER());
}
#ifdef __cplusplus
} /* extern "C" */

namespace {
/** Scope guard: enters where it is declared, leaves with its scope, exceptions included. */
class andes_guard {
public:
  __attribute__((always_inline)) explicit andes_guard(andes_site *site) : frame_(andes_enter(site)) {}
  __attribute__((always_inline)) ~andes_guard() { andes_leave(frame_); }

private:
  andes_guard(const andes_guard &);
  andes_guard &operator=(const andes_guard &);
  andes_frame *frame_;
};

/** The same for a frame that was entered. */
class andes_step {
public:
  __attribute__((always_inline)) explicit andes_step(andes_frame *frame) : frame_(frame) {}
  __attribute__((always_inline)) ~andes_step() { andes_leave(frame_); }

private:
  andes_step(const andes_step &);
  andes_step &operator=(const andes_step &);
  andes_frame *frame_;
};
} // namespace
#define ANDES_PHASE_PROBE(site)                       \
  andes_step andes_guard_ __attribute__((__unused__)) \
  (andes_enter_phase((site), (const __INT64_TYPE__ *)0));
#define ANDES_PROBE(site)                        \
  andes_guard andes_guard_ __attribute__((__unused__)) \
  ((site));
#else
ANDES_FAST void andes_guard_leave(struct andes_frame **frame) { andes_leave(*frame); }
#define ANDES_PHASE_PROBE(site)                                                                 \
  struct andes_frame *andes_guard_ __attribute__((__unused__, __cleanup__(andes_guard_leave))) =       \
      andes_enter_phase((site), (const __INT64_TYPE__ *)0);
#define ANDES_PROBE(site)                                                                       \
  struct andes_frame *andes_guard_ __attribute__((__unused__, __cleanup__(andes_guard_leave))) =       \
      andes_enter((site));
#endif

/* For main, into which compilers inline whole programs. Its frame would be kept in a register through their loops, and a value that
 * is needed there in memory instead. `volatile` keeps the frame in memory. */
ANDES_FAST void andes_main_guard_leave(struct andes_frame *volatile *frame) { andes_leave(*frame); }
#define ANDES_MAIN_PROBE(site)                                                                             \
  struct andes_frame *volatile andes_guard_ __attribute__((__unused__, __cleanup__(andes_main_guard_leave))) = \
      andes_enter((site));

/* The sites of a table are reached by a function call: in OpenMP constructs default(none) demands that
 * every variable is listed, but a function is not a variable. */
#define ANDES_SITES_AT(sites) \
  ANDES_FAST struct andes_site *sites##_at(unsigned site) { return sites + site; }

#endif /* ANDES_PROBE_H */
