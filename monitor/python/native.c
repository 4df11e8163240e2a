/* native.c: the part of the Python module `andes` that calls the monitor: marks, and Python's functions as regions.
 *
 * A profile function of the interpreter's C level (PyEval_SetProfile) sees the begin and the end of every Python
 * function. A code object is asked about once, by the Python side, and then is a site like a probe's. Python calls
 * may share one frame of the C stack, so a function's visit lies where the innermost visit lies, as if inlined there
 * (docs/decisions/0252).
 *
 * Invariants:
 *  - written for CPython's stable ABI (3.10): one build serves all later versions. PyEval_SetProfile and its numbers
 *    are not part of it; they have been the same since Python 2.2;
 *  - the tables of code objects are used under the interpreter's lock; code objects in them are never freed, so that
 *    none of them is taken for another one at its address;
 *  - without the monitor every function does nothing. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030a0000
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "monitor/interface/probe.h"

typedef int (*profile_function)(PyObject *, PyFrameObject *, int, PyObject *);
extern void PyEval_SetProfile(profile_function, PyObject *);
enum { trace_call = 0, trace_return = 3 }; /* PyTrace_CALL, PyTrace_RETURN */

/* --- code objects ----------------------------------------------------------------------------------------------- */

struct known_code {
  PyObject *code;
  struct andes_site *site; /* NULL: not measured */
};
static struct known_code *codes; /* open addressing; the number of places is a power of two */
static size_t places, used;
static PyObject *describe; /* code -> None or (name, file, line) */

static size_t place_of(const struct known_code *table, size_t size, const PyObject *code) {
  size_t at = ((uintptr_t)code >> 4) * 0x9e3779b97f4a7c15u >> 20 & (size - 1);
  while (table[at].code && table[at].code != code) at = (at + 1) & (size - 1);
  return at;
}

static int make_room(void) {
  const size_t size = places ? 2 * places : 1024;
  struct known_code *table;
  size_t i;
  if (2 * used < places) return 1;
  table = calloc(size, sizeof *table);
  if (!table) return 0;
  for (i = 0; i < places; ++i)
    if (codes[i].code) table[place_of(table, size, codes[i].code)] = codes[i];
  free(codes);
  codes = table;
  places = size;
  return 1;
}

/* A site that stays for good; NULL: the function is not to be measured. */
static struct andes_site *make_site(PyObject *code) {
  struct andes_site *site = NULL;
  PyObject *told = PyObject_CallFunctionObjArgs(describe, code, NULL);
  const char *name, *file;
  unsigned line;
  if (told && told != Py_None && PyArg_ParseTuple(told, "ssI", &name, &file, &line) && (site = malloc(sizeof *site))) {
    const struct andes_site made = ANDES_SITE(strdup(name), strdup(file), line, ANDES_KIND_FUNCTION);
    *site = made;
    if (!site->name || !site->file) site = NULL;
  }
  Py_XDECREF(told);
  PyErr_Clear();
  return site;
}

static struct andes_site *site_of(PyObject *code) {
  size_t at;
  if (places) {
    at = place_of(codes, places, code);
    if (codes[at].code) return codes[at].site;
  }
  if (!make_room()) return NULL;
  at = place_of(codes, places, code);
  Py_INCREF(code);
  codes[at].code = code;
  codes[at].site = NULL; /* while it is asked about */
  ++used;
  {
    struct andes_site *site = make_site(code);
    codes[place_of(codes, places, code)].site = site;
    return site;
  }
}

/* --- visits ----------------------------------------------------------------------------------------------------- */

struct open_call {
  const void *frame; /* of Python */
  struct andes_frame *visit;
};
static __thread struct open_call *calls; /* measured functions of this thread, the innermost last */
static __thread size_t open_calls, call_room;

static struct andes_frame *enter(struct andes_site *site) {
  struct andes_location *location = andes_here.location;
  const struct andes_monitor *monitor = andes_find_monitor();
  struct andes_frame *visit, *top;
  if (location) {
    top = location->top;
    return monitor->enter(site, top->stack + location->stack_low, top->caller, &andes_here);
  }
  /* The first visit of the thread here. It is moved to where the visit around it lies. */
  visit = monitor->enter(site, (uintptr_t)__builtin_frame_address(0), 0, &andes_here);
  location = andes_here.location;
  if (visit && location) {
    top = location->top;
    top->stack = top[-1].stack;
    top->caller = top[-1].caller;
  }
  return visit;
}

static void begin_call(const void *frame, struct andes_site *site) {
  if (open_calls == call_room) {
    const size_t room = call_room ? 2 * call_room : 256;
    struct open_call *more = realloc(calls, room * sizeof *more);
    if (!more) return;
    calls = more;
    call_room = room;
  }
  calls[open_calls].frame = frame;
  calls[open_calls].visit = enter(site);
  ++open_calls;
}

/* Ends all calls down to that one: those above it were left without notice, as by switching greenlets. */
static void end_call(const void *frame) {
  size_t i = open_calls;
  while (i > 0 && calls[i - 1].frame != frame) --i;
  if (i == 0) return;
  while (open_calls >= i) andes_leave(calls[--open_calls].visit);
}

static int on_event(PyObject *self, PyFrameObject *frame, int what, PyObject *argument) {
  (void)self, (void)argument;
  if (what == trace_call) {
    PyObject *code = (PyObject *)PyFrame_GetCode(frame);
    struct andes_site *site = site_of(code);
    Py_DECREF(code);
    if (site && site->region != ANDES_REGION_OFF) begin_call(frame, site);
  } else if (what == trace_return && open_calls > 0) {
    end_call(frame);
  }
  return 0;
}

/* --- the module ------------------------------------------------------------------------------------------------- */

static PyObject *profile_start(PyObject *self, PyObject *function) {
  (void)self;
  if (!andes_find_monitor()) Py_RETURN_FALSE;
  Py_INCREF(function);
  Py_XDECREF(describe);
  describe = function;
  PyEval_SetProfile(on_event, NULL);
  Py_RETURN_TRUE;
}

static PyObject *profile_stop(PyObject *self, PyObject *none) {
  (void)self, (void)none;
  PyEval_SetProfile(NULL, NULL);
  while (open_calls > 0) andes_leave(calls[--open_calls].visit);
  Py_RETURN_NONE;
}

static struct andes_site *named(const char *name, Py_ssize_t length, unsigned kind) {
  const struct andes_monitor *monitor = andes_find_monitor();
  return monitor ? monitor->site(name, (uintptr_t)length, kind) : NULL;
}

static PyObject *begin(PyObject *self, PyObject *arguments) {
  const char *name;
  Py_ssize_t length;
  struct andes_site *site;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "s#", &name, &length)) return NULL;
  if ((site = named(name, length, ANDES_KIND_BLOCK))) andes_find_monitor()->begin(site, NULL, 0, 0);
  Py_RETURN_NONE;
}

static PyObject *end(PyObject *self, PyObject *arguments) {
  const char *name;
  Py_ssize_t length;
  struct andes_site *site;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "s#", &name, &length)) return NULL;
  if ((site = named(name, length, ANDES_KIND_BLOCK))) andes_find_monitor()->end(site, 0, 0);
  Py_RETURN_NONE;
}

static PyObject *phase_begin(PyObject *self, PyObject *arguments) {
  const char *name;
  Py_ssize_t length;
  PyObject *number = Py_None;
  struct andes_site *site;
  int64_t step = 0;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "s#|O", &name, &length, &number)) return NULL;
  if (number != Py_None) {
    step = PyLong_AsLongLong(number);
    if (PyErr_Occurred()) return NULL;
  }
  if ((site = named(name, length, ANDES_KIND_PHASE)))
    andes_find_monitor()->begin(site, number == Py_None ? NULL : (const __INT64_TYPE__ *)&step, 0, 0);
  Py_RETURN_NONE;
}

static PyObject *phase_end(PyObject *self, PyObject *arguments) {
  const char *name;
  Py_ssize_t length;
  struct andes_site *site;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "s#", &name, &length)) return NULL;
  if ((site = named(name, length, ANDES_KIND_PHASE))) andes_find_monitor()->end(site, 0, 0);
  Py_RETURN_NONE;
}

static PyObject *value(PyObject *self, PyObject *arguments) {
  const char *name;
  Py_ssize_t length;
  double number;
  struct andes_site *site;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "s#d", &name, &length, &number)) return NULL;
  if ((site = named(name, length, ANDES_KIND_VALUE))) andes_find_monitor()->value(site, number);
  Py_RETURN_NONE;
}

static PyObject *control(PyObject *self, PyObject *arguments) {
  int level;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "i", &level)) return NULL;
  if (andes_find_monitor()) andes_find_monitor()->control(level);
  Py_RETURN_NONE;
}

static PyObject *is_on(PyObject *self, PyObject *none) {
  (void)self, (void)none;
  return PyBool_FromLong(andes_find_monitor() && andes_find_monitor()->is_on());
}

static PyMethodDef methods[] = {
    {"profile_start", profile_start, METH_O, "Measures the functions of this thread that `describe` describes."},
    {"profile_stop", profile_stop, METH_NOARGS, "Ends that."},
    {"begin", begin, METH_VARARGS, "Begins a region."},
    {"end", end, METH_VARARGS, "Ends it."},
    {"phase_begin", phase_begin, METH_VARARGS, "Begins a step of a phase."},
    {"phase_end", phase_end, METH_VARARGS, "Ends it."},
    {"value", value, METH_VARARGS, "Attaches a number to the innermost region."},
    {"control", control, METH_VARARGS, "As MPI_Pcontrol: 0 off, 1 on, 2 a snapshot."},
    {"is_on", is_on, METH_NOARGS, "Whether this process is being measured."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "andes._native", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void) { return PyModule_Create(&module); }
