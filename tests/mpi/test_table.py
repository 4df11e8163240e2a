"""functions.table against mpi.h and against the symbols of the MPI libraries: nothing missing."""
import os
import re
import subprocess
import sys
import unittest

from support.mpi import LIBRARY, MPIS, MpiTest, each_mpi

MONITOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../monitor/mpi")
sys.path.insert(0, MONITOR)
import generate  # noqa: E402

TABLE = generate.read_table(os.path.join(MONITOR, "functions.table"))
KNOWN = {function.name for function in TABLE}

# Local, though their types say otherwise.
LOCAL = {
    **dict.fromkeys(["MPI_Pack", "MPI_Pack_c", "MPI_Unpack", "MPI_Unpack_c"],
                    "from buffer to buffer: the communicator tells the format"),
    **dict.fromkeys(["MPI_Grequest_start", "MPIX_Grequest_start", "MPIX_Grequest_class_allocate"],
                    "a request that the program itself completes"),
    "MPI_Comm_get_parent": "asks for a communicator that there is already",
}
# Not local, though their types do not say so.
NOT_LOCAL = {
    **dict.fromkeys(["MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort"], "begin and end of all processes"),
    **dict.fromkeys(["MPI_%s_%s" % words for words in (
        ("Buffer", "detach"), ("Buffer", "detach_c"), ("Buffer", "flush"), ("Comm", "detach_buffer"),
        ("Comm", "detach_buffer_c"), ("Comm", "flush_buffer"), ("Session", "detach_buffer"), ("Session", "detach_buffer_c"),
        ("Session", "flush_buffer"))], "ends when the messages in the buffer are sent"),
    **dict.fromkeys(["MPI_Lookup_name", "MPI_Publish_name", "MPI_Unpublish_name"], "asks the server of names"),
    **dict.fromkeys(["MPI_Comm_get_errhandler", "MPI_Comm_set_errhandler", "MPI_Win_get_errhandler",
                     "MPI_Win_set_errhandler", "MPI_Errhandler_get", "MPI_Errhandler_set"],
                    "the program must see the library's handler in the place of ours"),
    **dict.fromkeys(["MPI_Comm_call_errhandler", "MPI_Win_call_errhandler"], "our handler must know who raises the error"),
    "MPI_Pcontrol": "stops and resumes the measurement",
    "MPIX_Comm_agree": "an agreement of all members",
    **dict.fromkeys(["MPI_Iprobe", "MPI_Parrived", "MPI_Request_get_status"], "loops over it wait"),
}


def concerns_others(types):
    """Whether a function with parameters of these types moves data, completes, or makes or frees something together
    with other processes."""
    types = {type_.replace("const", "").replace("[]", "*") for type_ in types}
    groups = {"MPI_Comm", "MPI_Win", "MPI_File"}
    begins_or_completes = {"MPI_Request*", "MPI_Message", "MPI_Message*"}
    makes_or_frees = {"MPI_Comm*", "MPI_Win*", "MPI_File*", "MPI_Session*"}
    moves = {"void*", "MPI_Datatype"} <= types and types & groups
    probes = {"MPI_Comm", "MPI_Status*"} <= types and "int*" not in types  # without a flag: until there is a message
    gives_hints = "MPI_Info" in types and types & groups  # all have to give the same
    return bool(types & (begins_or_completes | makes_or_frees) or moves or probes or gives_hints)


def exported(library):
    """Functions that `library` defines (not its variables)."""
    text = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                          check=True).stdout
    return {line.split()[2].split("@")[0] for line in text.splitlines() if line.split()[1] in "TWi"}


class Table(MpiTest):
    def library(self, mpi):
        return generate.describe_mpi(MPIS[mpi], self.folder)[2]

    @each_mpi
    def test_every_function_that_mpi_h_declares(self, mpi):
        declared = generate.prototypes(MPIS[mpi])
        self.assertGreater(len(declared), 380)
        self.assertEqual(set(declared) - KNOWN, set())

    @each_mpi
    def test_every_symbol_of_the_library(self, mpi):
        symbols = {name for name in exported(self.library(mpi)) if re.match(r"MPIX?_", name)}
        self.assertGreater(len(symbols), 400)
        # Fortran spellings of functions of the table, in upper case, are routes, not functions.
        spellings = {name.upper() for name in KNOWN} | {name + "_f" for name in KNOWN}
        self.assertEqual({name for name in symbols - KNOWN if name not in spellings}, set())

    @each_mpi
    def test_every_declared_function_has_a_wrapper_that_can_call_it(self, mpi):
        symbols = exported(self.library(mpi))
        declared = set(generate.prototypes(MPIS[mpi]))
        source = self.path("wrappers.cc")
        generate.write_wrappers(os.path.join(MONITOR, "functions.table"), MPIS[mpi], source)
        with open(source, encoding="utf-8") as file:
            wrapped = set(re.findall(r"^\S.* wrap_(\w+)\(", file.read(), re.MULTILINE))
        self.assertEqual(wrapped, declared - {"MPI_File_c2f", "MPI_File_f2c"})  # no calls
        without_pmpi = {name for name in declared if "P" + name not in symbols}
        # MPICH has no PMPI_ names of its status conversions: they pass through.
        self.assertLessEqual(without_pmpi, {"MPI_Status_c2f08", "MPI_Status_f082c",
                                            "MPI_Status_f082f", "MPI_Status_f2f08"})

    @each_mpi
    def test_what_is_taken_for_local_concerns_no_other_process(self, mpi):
        """By the types in mpi.h; handles that are converted to and from Fortran's stay where they are. A receive
        without an action is a poll of which nothing is accounted for."""
        declared = generate.prototypes(MPIS[mpi])
        local, others, concerning = set(), set(), set()
        for number, function in enumerate(generate.calls(TABLE)):
            if function.kind not in ("management", "receive", "local") or function.name not in declared:
                continue
            wrapper = generate.Wrapper(number, function, declared[function.name])
            taken_for_local = wrapper.is_local() and not wrapper.actions("poll")
            (local if taken_for_local else others).add(function.name)
            if concerns_others(wrapper.types) and not re.search("_(c2f|f2c)$", function.name):
                concerning.add(function.name)
        self.assertGreater(len(local), 200)
        self.assertEqual(local & concerning, set(LOCAL) & set(declared))
        self.assertEqual(others - concerning, set(NOT_LOCAL) & set(declared))

    def test_entry_exports_every_name_of_every_route(self):
        names = exported(LIBRARY)
        missing = set()
        for function in generate.calls(TABLE):
            expected = {function.name}
            if "f" in function.route:
                expected |= set(generate.fortran_names(function.name))
            if "8" in function.route:
                expected.add(generate.f08_name(function.name))
            missing |= expected - names
        self.assertEqual(missing, set())

    def test_entry_exports_nothing_but_its_interface(self):
        strange = {name for name in exported(LIBRARY)
                   if not re.match(r"(?i:mpix?_)|andes_|__cyg_profile_func_(enter|exit)$|dlclose$|dlsym$"
                                   r"|GOMP_|omp_set_(nest_)?lock_?$|ompt_start_tool$|sched_yield$|_?longjmp$|siglongjmp$|__longjmp_chk$"
                                   r"|pthread_(cond_((timed|clock)?wait)|barrier_wait|join)$|sem_(timed)?wait$", name)}
        self.assertEqual(strange, set())

    def test_libraries_need_libc_and_their_mpi_alone(self):
        """What is in the process during the run brings no C++ library and no second MPI."""
        directory = os.path.dirname(LIBRARY)
        for name in ["libandes.so"] + [f"libandes-{mpi}.so" for mpi in MPIS]:
            text = subprocess.run(["readelf", "-d", os.path.join(directory, name)],
                                  capture_output=True, text=True, check=True).stdout
            needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", text)) - {"libc.so.6", "libm.so.6"}
            allowed = set() if name == "libandes.so" else {
                generate.describe_mpi(MPIS[name[9:-3]], self.folder)[1]}
            self.assertLessEqual(needed, allowed | {"ld-linux-x86-64.so.2"}, name)

    def test_names_are_unique(self):
        self.assertEqual(len(KNOWN), len(TABLE))

    def test_predefined_callbacks_are_not_exported(self):
        names = exported(LIBRARY)
        for function in TABLE:
            if function.kind == "callback":
                self.assertNotIn(function.name, names)
                self.assertNotIn(function.name.lower() + "_", names)

    def test_a_malformed_line_is_refused(self):
        path = self.write("bad.table", "# comment\nMPI_Send  cf8  sending\n")
        with self.assertRaisesRegex(SystemExit, r"bad\.table:2: not a line of the table: MPI_Send"):
            generate.read_table(path)

    def test_actions_that_are_unknown_or_too_many_are_refused(self):
        path = self.write("bad.table", "MPI_Comm_join  cf8  management  | wait\n")
        with self.assertRaisesRegex(SystemExit, r"bad\.table:1: unknown action: wait$"):
            generate.read_table(path)
        path = self.write("bad.table", "MPI_Comm_join  cf8  local  | waits\n")
        with self.assertRaisesRegex(SystemExit, r"bad\.table:1: a local function has no action$"):
            generate.read_table(path)
        path = self.write("bad.table", "MPI_Comm_free  cf8  management  (comm) | waits | around FreeComm(comm)\n")
        with self.assertRaisesRegex(SystemExit, r"bad\.table:1: waits stands alone"):
            generate.read_table(path)

    def test_a_test_by_hand_says_what_it_lacks(self):
        environment = {name: text for name, text in os.environ.items() if name != "TEST_MPIS"}
        done = subprocess.run([sys.executable, __file__], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "test_table.py: TEST_MPIS is not set; ctest sets it: ctest --test-dir build -R table\n"))

    @each_mpi
    def test_a_function_unknown_to_the_table_is_warned_of(self, mpi):
        with open(os.path.join(MONITOR, "functions.table"), encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("MPI_Ssend ")]
        path = self.write("short.table", "".join(lines))
        done = subprocess.run([sys.executable, os.path.join(MONITOR, "generate.py"), "wrappers",
                               path, MPIS[mpi], self.path("short.cc")], capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stderr, f"andes: MPI_Ssend: declared by the mpi.h of {MPIS[mpi]}, "
                         "unknown to functions.table; it passes through unmeasured\n")


if __name__ == "__main__":
    unittest.main()
