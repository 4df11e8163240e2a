#!/usr/bin/env python3
"""Writes the sources that follow from functions.table.

  generate.py entry TABLE DIR               what entry.cc and jumps.S include (*.inc)
  generate.py wrappers TABLE MPICC FILE     the wrapper library's source for one MPI
  generate.py describe MPICC DIR            prints NAME;SONAME;LIBRARY;INCLUDE of that MPI

Prototypes are taken from the mpi.h of MPICC, preprocessed, so that every wrapper has exactly the
library's own signature; the table adds what they mean. Functions of mpi.h that the table does not
know get no wrapper and a warning: their calls go to the library unchanged.
"""
import hashlib
import re
import sys
from dataclasses import dataclass, field

from mpi_header import (EXTENSIONS, describe_mpi, fortran_layer, named, parameter_name,
                        prototypes)

KINDS = ("send", "receive", "exchange", "source", "destination", "synchronisation", "one-sided",
         "io", "management", "local")  # probe.h's, in the table's spelling


@dataclass
class Function:
    name: str
    route: str
    kind: str
    parameters: list = None       # canonical names, or None: those of mpi.h
    actions: list = field(default_factory=list)  # (word, text)
    waits: bool = False           # for other processes, and there is nothing to record besides


def read_table(path):
    """The table's functions in order; ends with a message on a malformed line."""
    functions = []
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    for number, line in enumerate(lines, 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        head, *actions = [part.strip() for part in line.split("|")]
        match = re.fullmatch(r"(MPIX?_\w+)\s+(-|cf?8?p?)\s+([\w-]+)(?:\s+\((.*)\))?", head)
        if not match or match[3] not in (*KINDS, "callback"):
            sys.exit(f"{path}:{number}: not a line of the table: {line}")
        function = Function(match[1], match[2], match[3])
        if match[4] is not None:
            function.parameters = match[4].split()
        if actions == ["waits"]:
            function.waits = True
            actions = []
        for action in actions:
            word, _, text = action.partition(" ")
            if word == "waits":
                sys.exit(f"{path}:{number}: waits stands alone: any other action says it already")
            if word not in ("after", "always", "around", "before", "intent", "log", "poll"):
                sys.exit(f"{path}:{number}: unknown action: {word}")
            function.actions.append((word, text))
        if function.kind == "local" and (function.actions or function.waits):
            sys.exit(f"{path}:{number}: a local function has no action")
        functions.append(function)
    return functions


def calls(functions):
    return [function for function in functions if function.kind != "callback"]


def digest(path):
    with open(path, "rb") as file:
        return int.from_bytes(hashlib.sha256(file.read()).digest()[:8], "little")


def fortran_names(name):
    """Spellings of a Fortran name by different compilers, in the order of entry.cc."""
    lower = name.lower()
    return [lower + "_", lower, lower + "__", name.upper()]


def f08_name(name):
    """MPICH's mpi_f08: MPI_X_c, whose counts are of kind MPI_COUNT_KIND, is the large form of MPI_X."""
    return name[:-2].lower() + "_f08_large_" if name.endswith("_c") else name.lower() + "_f08_"


SPELLINGS = 4  # of all Fortran names, as fortran_names gives them
POINTER_ENDINGS = ("_cptr_", "_cptr", "_cptr__")  # Open MPI: a pointer is given as type(C_PTR)
RANGES = 1 + SPELLINGS + len(POINTER_ENDINGS) + 1  # C; Fortran; mpi_f08


# --- the entry ------------------------------------------------------------------------------

def write_entry(table, directory):
    functions = calls(read_table(table))
    count = len(functions)
    jumps, names = [], []
    for slot, function in enumerate(functions):
        jumps.append(f"JUMP {function.name}, {slot}")
        names.append(f'    "{function.name}",')
        if "f" in function.route:
            for i, name in enumerate(fortran_names(function.name), 1):
                if name != function.name:
                    jumps.append(f"JUMP {name}, {i * count + slot}")
        if "8" in function.route:
            jumps.append(f"JUMP {f08_name(function.name)}, {(RANGES - 1) * count + slot}")
        if "p" in function.route:
            for i, ending in enumerate(POINTER_ENDINGS, 1 + SPELLINGS):
                jumps.append(f"JUMP {function.name.lower()}{ending}, {i * count + slot}")
    with open(f"{directory}/jumps.inc", "w", encoding="utf-8") as file:
        file.write("\n".join(jumps) + "\n")
    with open(f"{directory}/names.inc", "w", encoding="utf-8") as file:
        file.write(f"constexpr std::uint32_t function_count = {count};\n"
                   f"constexpr std::uint64_t table_digest = {digest(table)}u;\n"
                   "constexpr const char* names[function_count] = {\n"
                   + "\n".join(names) + "\n};\n")
    with open(f"{directory}/count.inc", "w", encoding="utf-8") as file:
        file.write(f"#define ANDES_MPI_SLOTS {RANGES * count}\n")


# --- wrappers -------------------------------------------------------------------------------

FORTRAN_IN = {"MPI_Start", "MPI_Cancel", "MPI_Request_free", "MPI_Wait", "MPI_Test"}
FORTRAN_HANDLES = {"MPI_Comm", "MPI_Datatype", "MPI_Errhandler", "MPI_File", "MPI_Group", "MPI_Op", "MPI_Win", "MPI_Info"}
# MPICH's mpif.h calls the C functions, except for these, which run inside the library.
MPICH_INSIDE = {"MPI_Attr_get", "MPI_Attr_put"} | {
    f"MPI_{object}_{verb}_attr" for object in ("Comm", "Type", "Win") for verb in ("get", "set")}
# Arguments that are void* in C, but not buffers in Fortran.
NO_BUFFERS = {"baseptr", "buffer_addr", "extra_state", "attribute_val"}


@dataclass
class Conversion:
    """How a Fortran entry point takes parameters: their declarations, lines before the call, what the
    call gets, lines after it."""
    declarations: list = field(default_factory=list)
    before: list = field(default_factory=list)
    arguments: list = field(default_factory=list)
    back: list = field(default_factory=list)

    def __add__(self, other):
        return Conversion(self.declarations + other.declarations, self.before + other.before,
                          self.arguments + other.arguments, self.back + other.back)


class Wrapper:
    """A function of the table together with its prototype in one mpi.h."""

    def __init__(self, number, function, prototype):
        self.number, self.function = number, function
        self.result, parameters = prototype
        self.variadic = parameters[-1:] == ["..."]
        if self.variadic:
            parameters = parameters[:-1]
        names = function.parameters or []
        if names and len(names) != len(parameters):
            sys.exit(f"{function.name}: the table has {len(names)} parameters, mpi.h "
                     f"{len(parameters)}")
        self.names, self.declarations, self.types = [], [], []
        for i, parameter in enumerate(parameters):
            name = names[i] if names else parameter_name(parameter)
            declaration, type_ = named(parameter, name)
            self.names.append(name)
            self.declarations.append(declaration)
            self.types.append(type_)

    def actions(self, word):
        return [text for w, text in self.function.actions if w == word]

    def is_local(self):
        """Whether only time and visits are recorded, or usually nothing else: then the monitor may close its
        region."""
        if self.function.actions or self.function.waits:
            return bool(self.actions("poll"))
        return self.function.kind in ("local", "receive")

    def is_closed(self):
        return f"__atomic_load_n(&site_{self.number}.region, __ATOMIC_RELAXED) == ANDES_REGION_OFF"

    def if_closed(self, lines):
        """`lines`, for while its region is closed."""
        if not self.is_local():
            return []
        return [f"  if ({self.is_closed()}) {{", *("  " + line for line in lines), "  }"]

    def closed_poll(self, statement, then=()):
        """Lines of a poll without a visit: its findings are recorded. Like measured()."""
        ends = f"closed_poll_ends(outcome, poll, {self.closed_place()})"
        return [f"  {statement}", *then, *([f"  {ends};", "  return;"] if then else [f"  return {ends};"])]

    def closed_place(self):
        return f"site_{self.number}, region_{self.number}, ANDES_STACK(), ANDES_CALLER()"

    def closed_path(self):
        return f"closed_path({self.closed_place()})"

    def closed_loop(self):
        return f"closed_loop({self.closed_place()})"

    def polled(self, visit, node, loop):
        """Lines behind a poll. `node`: finds its call path; `loop`: makes the visit of the whole loop."""
        return ["  if (outcome == MPI_SUCCESS && poll.missed()) {",
                f"    if (polled_in_vain({visit})) declare_poll({node}, poll);",
                "  } else if (outcome != MPI_SUCCESS || poll.found()) {",
                f"    poll.done({loop}, outcome);",
                "  }"]

    def c_source(self, inlined=False):
        """Source of the C wrapper. `inlined`: into its Fortran wrapper, so that both have the same caller."""
        name = self.function.name
        inline = "[[gnu::always_inline]] inline " if (inlined or self.is_local()) and not self.variadic else ""
        arguments = ", ".join(self.names)
        declarations = ", ".join(self.declarations + (["..."] if self.variadic else [])) or "void"
        call = f"P{name}({arguments})"
        version = "andes_local_call" if self.is_local() else "ANDES_PROBE_VERSION"
        lines = [f"andes_site site_{self.number} = {{\"{name}\", \"\", 0, "
                 f"ANDES_KIND_{self.function.kind.upper().replace('-', '_')}, ANDES_REGION_UNKNOWN, {version}}};",
                 *([f"std::uint32_t region_{self.number};"] if self.actions("poll") else []),
                 f"{inline}{self.result} wrap_{name}({declarations}) {{"]
        if self.actions("before"):
            lines += [*self.before(call), f"  return {call};", "}"]
        else:
            lines += [*self.measured(f"{self.result} outcome = {call};", call), "  return outcome;", "}"]
        if self.is_local() and not self.variadic:
            lines += self.entry(declarations, arguments, call)
        return "\n".join([*lines, ""])

    def entry(self, declarations, arguments, call):
        """Lines of the function that the program calls if the region may be closed. It jumps to what makes a visit, so that
        this sees its caller; thread sanitizer would make a call of that. A poll without a visit takes place here, with what it
        asks for on the stack."""
        name = self.function.name
        lines = [f"[[gnu::noinline]] {self.result} open_{name}({declarations}) {{", f"  return wrap_{name}({arguments});", "}"]
        closed, unlikely = [f"  return {call};"], f"!({self.is_closed()})"
        if self.actions("poll"):
            closed = [*self.constructed(), *self.closed_poll(f"{self.result} outcome = {call};")]
            if any(parameter.endswith("count") for parameter in self.names):  # arrays of requests: a large object, of its own function
                lines += [f"[[gnu::noinline]] {self.result} closed_{name}({declarations}) {{", *closed, "}"]
                closed = [f"  return closed_{name}({arguments});"]
            else:  # with threads requests are looked up before
                unlikely += " || threads"
        return [*lines, f"[[gnu::no_sanitize(\"thread\")]] {self.result} entry_{name}({declarations}) {{",
                f"  if (__builtin_expect({unlikely}, 0)) return open_{name}({arguments});", *closed, "}"]

    def before(self, call):
        """Lines of a visit of no length, and what is to be done before the call."""
        return [f"  if (inside(ANDES_STACK())) return {call};",
                f"  andes_leave(andes_enter(&site_{self.number}));",
                *(f"  {text};" for text in self.actions("before"))]

    def measured(self, statement, unmeasured, then=(), adapt=lambda text: text):
        """Lines of the visit with `statement` in it and of its accounts. `then`: lines right behind the
        visit; adapt(): makes an action's argument list that of this function."""
        polls = self.actions("poll")
        lines = self.constructed(adapt)
        # No MPI library calls MPI_Pcontrol itself: so it also works from a callback of a call that is not measured.
        of_mpi = "inside" if self.function.name == "MPI_Pcontrol" else "!unmeasured_begins"
        closed = self.closed_poll(statement, then) if polls else [f"  return {unmeasured};"]
        lines += [*self.if_closed(closed), f"  andes_frame* frame = andes_enter(&site_{self.number});",
                  f"  if (__builtin_expect(!frame, 0) && {of_mpi}(ANDES_STACK())) "
                  f"return {unmeasured};",
                  *self.here(),
                  *(f"  if (__builtin_expect(frame != nullptr, 1)) {text.replace('(', '(here, ', 1)};"
                    for text in self.actions("intent")),
                  f"  {statement}",
                  *self.leave(), *then]
        lines += [f"  around_{i}.done(visit, outcome);" for i in range(len(self.actions("around")))]
        if polls:  # without a visit its region has been closed just before it was entered, or it was only counted
            lines += self.polled("visit", f"visit ? visit.node : {self.closed_path()}",
                                 f"visit ? loop_with(visit) : {self.closed_loop()}")
        lines += [f"  if (outcome == MPI_SUCCESS) {text};" for text in self.actions("always")]
        lines += [f"  if (outcome == MPI_SUCCESS) {text.replace('(', '(visit, ', 1)};"
                  for text in self.actions("log")]
        for text in self.actions("after"):
            text = text.replace("(", "(visit, ", 1)
            lines.append(f"  if (visit && outcome == MPI_SUCCESS) {text};")
        return lines

    def here(self):
        return [] if self.function.kind == "local" else ["  andes_location* const here = andes_here.location;"]

    def leave(self):
        """Lines that end the visit."""
        if self.function.kind == "local":
            return ["  leave_local(frame);"]
        return ["  [[maybe_unused]] const Visit visit = leave_call(frame, here);"]

    def constructed(self, adapt=lambda text: text):
        """Lines of the objects that stand around the call."""
        lines = []
        for name, text in [*((f"around_{i}", text) for i, text in enumerate(self.actions("around"))),
                           *(("poll", text) for text in self.actions("poll"))]:
            class_, _, rest = text.partition("(")
            rest = adapt(rest[:-1])
            lines.append(f"  {class_} {name}({rest});" if rest else f"  {class_} {name};")
        return lines

    def fortran_source(self):
        """Source of the Fortran wrapper, as a template over the slot of the real function."""
        if self.function.actions:
            if converted := self.fortran_converted():
                return converted
            if self.has_text():
                return self.around_entry_point()
        return self.fortran_forwarded()

    def has_text(self):
        """Whether a parameter is a character string that no action needs: only the library's own entry point knows
        how to read it."""
        texts = [name for name, type_ in zip(self.names, self.types) if type_.replace("const", "") == "char*"]
        return bool(texts) and not any(re.search(rf"\b{name}\b", text) for name in texts
                                       for _, text in self.function.actions)

    def fortran_forwarded(self):
        name = self.function.name
        count = len(self.names) + (self.result == "int")
        count += sum("char" in type_ for type_ in self.types)  # hidden lengths of strings
        arguments = [f"a{i}" for i in range(count)]
        declarations = ", ".join(f"void* {a}" for a in arguments)
        result = "void" if self.result == "int" else self.result
        call = f"((decltype(&fortran_{name}<slot>))real[slot])({', '.join(arguments)})"
        keep = "" if result == "void" else f"{result} result = "
        lines = [f"template <int slot> {result} fortran_{name}({declarations}) {{",
                 *self.if_closed([f"  return {call};"]), f"  andes_frame* frame = andes_enter(&site_{self.number});",
                 f"  if (__builtin_expect(!frame, 0) && !unmeasured_begins(ANDES_STACK())) return {call};",
                 *self.here(), f"  {keep}{call};", *self.leave(),
                 "" if result == "void" else "  return result;", "}", ""]
        return "\n".join(line for line in lines if line) + "\n"

    def converted(self, convert):
        """The parameters as a Fortran entry point gets them, or None where one has no conversion.
        convert(parameter, type): a Conversion; None if there is none."""
        whole = Conversion()
        for parameter, type_ in zip(self.names, self.types):
            part = convert(parameter, type_.replace("const", ""))
            if part is None:
                return None
            whole += part
        return whole

    def fortran_converted(self):
        """Converts the arguments and calls the C wrapper; None where a type has no conversion."""
        name = self.function.name

        def convert(parameter, type_):
            f = parameter + "_f"
            if name in ("MPI_Init", "MPI_Init_thread") and parameter in ("argc", "argv"):
                return Conversion(arguments=["nullptr"])
            if type_ == "void*":
                return Conversion([f"void* {f}"], arguments=[f"buffer_from_fortran({f})"])
            if type_ in FORTRAN_HANDLES or type_ == "MPI_Request":
                return Conversion([f"int* {f}"], arguments=[f"from_fortran({f}, {type_}())"])
            if type_ in ("int", "MPI_Aint", "MPI_Count", "MPI_Offset"):
                return Conversion([f"{type_}* {f}"], arguments=[f"*{f}"])
            if class_ := self.fortran_class(parameter):
                return Conversion([f"int* {f}"], [f"  {class_};"], [f"{parameter}.c()"],
                                  [f"  {parameter}.back(result);"])
            if type_ in ("MPI_Comm*", "MPI_Errhandler*", "MPI_File*", "MPI_Session*", "MPI_Win*"):
                return Conversion([f"int* {f}"], [f"  FortranHandle<{type_[:-1]}> {parameter}({f});"],
                                  [f"&{parameter}.value"], [f"  {parameter}.back({f}, result);"])
            if parameter.endswith("weights"):
                return Conversion([f"int* {f}"], arguments=[f"weights_from_fortran({f})"])
            if type_ == "MPI_Datatype[]":
                buffer = parameter.replace("types", "buf_f")
                count = (f"Degree(PMPI_Comm_f2c(*comm_f)).{'out' if parameter == 'sendtypes' else 'in'}"
                         if "eighbor" in name else f"FortranTypes::count_of({buffer}, comm_f)")
                return Conversion([f"int* {f}"], [f"  FortranTypes {parameter}({f}, {count});"],
                                  [f"{parameter}.c()"])
            if type_ in ("int[]", "int*", "MPI_Aint[]"):
                return Conversion([f"{type_.rstrip('[]*')}* {f}"], arguments=[f])
            return None

        whole = self.converted(convert)
        if not whole:
            return None
        if name != "MPI_Pcontrol":
            whole += Conversion(["int* ierror"], back=["  if (ierror) *ierror = result;"])
        keep = "int result = " if whole.back else ""
        lines = [f"template <int> void fortran_{name}({', '.join(whole.declarations)}) {{",
                 *whole.before, f"  {keep}wrap_{name}({', '.join(whole.arguments)});", *whole.back,
                 "}", ""]
        return "\n".join(lines)

    def f08_source(self):
        """MPICH's mpi_f08, procedures without choice buffers: measured and counted around the
        library's own entry point, whose requests and statuses are those of C. None for the
        others: they reach the C wrapper."""
        name = self.function.name
        if any(type_.replace("const", "") == "void*" and parameter not in NO_BUFFERS
               for parameter, type_ in zip(self.names, self.types)):
            return None
        return self.around_entry_point() if self.function.actions else self.fortran_forwarded()

    def around_entry_point(self):
        """What the actions need, around the library's own entry point."""
        name = self.function.name
        count = "incount_f" if "incount" in self.names else "count_f"
        done = "outcount" if "outcount" in self.names else "nullptr"
        has_text = self.has_text()
        lengths = []  # of strings: behind all other arguments

        def convert(parameter, type_):
            f = parameter + "_f"
            if parameter in ("argc", "argv"):
                return Conversion()
            part = Conversion([f"int* {f}"], arguments=[f])
            if type_ == "MPI_Request":
                part.before = [f"  [[maybe_unused]] const MPI_Request {parameter} = *{f};"]
            elif parameter in ("request", "requests"):
                part.before = [f"  [[maybe_unused]] auto* {parameter} = (MPI_Request*){f};"]
            elif parameter in ("status", "statuses"):
                part.before = [f"  F08Status {parameter}({f});"]
                part.arguments = [f"{parameter}.fortran()"]
            elif parameter in ("index", "indices"):
                part.before = [f"  F08Index {parameter}({f}, requests, *{count});"]
                part.back = [f"  {parameter}.back({done});"]
            elif type_ == "int":
                part.before = [f"  [[maybe_unused]] const int {parameter} = *{f};"]
            elif type_ in FORTRAN_HANDLES:
                part.before = [f"  [[maybe_unused]] const {type_} {parameter} = from_fortran({f}, {type_}());"]
            elif type_ == "MPI_File*":
                part.before = [f"  [[maybe_unused]] const int* {parameter} = {f};"]
            elif type_ == "char*" and has_text:
                lengths.append(f"{parameter}_length")
            elif type_ in ("MPI_Comm*", "MPI_Errhandler*", "MPI_Message*", "MPI_Session*", "MPI_Win*"):
                part.before = [f"  [[maybe_unused]] auto* {parameter} = ({type_}){f};"]
            elif type_ in ("int*", "int[]"):
                part.before = [f"  [[maybe_unused]] const int* {parameter} = {f};"]
            elif parameter not in NO_BUFFERS and type_ not in ("MPI_Aint", "MPI_Offset"):
                return None
            return part

        def adapt(text):
            text = re.sub(r"\b(status|statuses)\b", r"\1.c", text)
            return re.sub(r"\b(index|indices)\b", r"\1.c()", text)

        whole = self.converted(convert)
        if not whole:
            return self.fortran_forwarded()
        outcome, parameters = "MPI_SUCCESS", whole.before
        if name != "MPI_Pcontrol":
            whole += Conversion(["int* ierror_f"], ["  FortranError ierror(ierror_f);"], ["ierror.get()"])
            outcome = "ierror.value()"
        else:  # MPICH's has an optional ierror nevertheless, and writes to it if it is not null
            whole += Conversion(["int* ierror_f"], arguments=["ierror_f"])
        whole += Conversion([f"void* {length}" for length in lengths], arguments=lengths)
        real = f"((decltype(&fortran_{name}<slot>))real[slot])"
        call = f"{real}({', '.join(whole.arguments)})"
        untouched = f"{real}({', '.join(d.split()[-1] for d in whole.declarations)})"
        lines = [f"template <int slot> void fortran_{name}({', '.join(whole.declarations)}) {{"]
        if self.actions("before"):
            lines += [*parameters, *self.before(untouched), f"  {untouched};"]
        else:
            then = [f"  [[maybe_unused]] const int outcome = {outcome};", *whole.back]
            lines += [*whole.before, *self.measured(f"{call};", untouched, then, adapt)]
        return "\n".join([*lines, "}", ""])

    def fortran_class(self, parameter):
        f, name = parameter + "_f", self.function.name
        some = "outcount_f" if "outcount" in self.names else "nullptr"
        count = "incount_f" if "incount" in self.names else "count_f"
        return {
            "request": f"FortranRequest request({f}, {'true' if name in FORTRAN_IN else 'false'})",
            "message": f"FortranMessage message({f})",
            "status": f"FortranStatus status({f})",
            "flag": f"FortranFlag flag({f})",
            "index": f"FortranIndex index({f})",
            "indices": f"FortranIndices indices({f}, outcount_f)",
            "requests": f"FortranRequests requests({f}, *{count})",
            "statuses": f"FortranStatuses statuses({f}, *{count}, {some})",
        }.get(parameter)


def write_wrappers(table, mpicc, path):
    functions = calls(read_table(table))
    known = {function.name for function in read_table(table)}
    declared = prototypes(mpicc)
    for name in sorted(set(declared) - known):
        print(f"andes: {name}: declared by the mpi.h of {mpicc}, unknown to functions.table; "
              "it passes through unmeasured", file=sys.stderr)
    layer = fortran_layer(mpicc)
    parts, entries, needs = [], {}, {}
    count = len(functions)
    for number, function in enumerate(functions):
        if function.name not in declared:
            continue
        wrapper = Wrapper(number, function, declared[function.name])
        parts.append(f"#pragma weak P{function.name}\n" + wrapper.c_source(layer == "all"))
        entry = "entry" if wrapper.is_local() and not wrapper.variadic else "wrap"
        slots = [(number, f"{entry}_{function.name}")]
        inside = layer == "f08" and function.name in MPICH_INSIDE
        mpif = (layer == "all" or inside) and "f" in function.route
        f08 = layer and "8" in function.route
        source = (mpif or f08) and (
            wrapper.fortran_source() if layer == "all" else
            wrapper.fortran_forwarded() if inside else wrapper.f08_source())
        if source:
            parts.append(source)
            if mpif:
                slots.append((count + number, f"fortran_{function.name}<{count + number}>"))
            if f08:
                slots.append((2 * count + number, f"fortran_{function.name}<{2 * count + number}>"))
        for slot, text in slots:
            entries[slot] = f"(void*){text}"
            needs[slot] = f"(void*)P{function.name}"
    lines = ["// Generated from functions.table and mpi.h by generate.py.",
             "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"",
             "#include <mpi.h>", *EXTENSIONS.splitlines(),
             "#include \"monitor/core/layout.h\"", "#include \"monitor/mpi/fatal_errors.h\"", "#include \"monitor/mpi/files.h\"",
             "#include \"monitor/mpi/intents.h\"", "#include \"monitor/mpi/lifetime.h\"",
             "#include \"monitor/mpi/probes.h\"", "#include \"monitor/mpi/request_looks.h\"",
             "#include \"monitor/mpi/sessions.h\"", "#include \"monitor/mpi/windows.h\"", "#include \"monitor/mpi/wrappers.h\"",
             *({"all": ["#include \"monitor/mpi/fortran.h\""],
                "f08": ["#include \"monitor/mpi/fortran_f08.h\""]}.get(layer, [])),
             "#pragma GCC diagnostic ignored \"-Wold-style-cast\"", # of the table's texts
             "", "namespace andes::monitor::mpi {", "namespace {", "",
             f"void* real[{3 * count}];", "", *parts]

    def array(name, values):
        body = ",\n    ".join(values.get(slot, "nullptr") for slot in range(3 * count))
        return f"void* const {name}[{3 * count}] = {{\n    {body}}};"

    lines += [array("functions", entries), array("needs", needs), "",
              "} // namespace", "} // namespace andes::monitor::mpi", "",
              "extern \"C\" __attribute__((visibility(\"default\")))",
              "const andes_mpi_wrappers andes_mpi_wrappers_table = {",
              f"    {digest(table)}u, andes::monitor::monitor_layout(), {3 * count}, andes::monitor::mpi::functions, andes::monitor::mpi::needs,",
              "    andes::monitor::mpi::real};", ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "entry":
        write_entry(*sys.argv[2:])
    elif len(sys.argv) == 5 and sys.argv[1] == "wrappers":
        write_wrappers(*sys.argv[2:])
    elif len(sys.argv) == 4 and sys.argv[1] == "describe":
        print(";".join(describe_mpi(*sys.argv[2:])))
    else:
        sys.exit(__doc__)
