"""Every Fortran entry point of the MPI libraries, in every spelling, counts as one visit of its function:
none is missed, and none counts again where the Fortran layer calls the C functions. No list of symbols tells what a
library does inside. PMPI_ functions are stubs that return an error, so arguments may be zeroes."""
import collections
import os
import re
import subprocess
import unittest

import test_table
from support.mpi import MPIS, MpiTest, each_mpi, fortran_compiler

HERE = os.path.dirname(os.path.abspath(__file__))
generate = test_table.generate
FUNCTIONS = {function.name.lower(): function for function in generate.calls(test_table.TABLE)}

# The interfaces: how their names end, and whether they are in capitals. The first is that of gfortran. Those
# with `large` are the functions with _c.
SPELLINGS = (("_", False), ("", False), ("__", False), ("", True), ("_f08_", False), ("_f08ts_", False),
             ("_f08ts_large_", False), ("_f08_large_", False), ("_cptr_", False), ("_cptr", False), ("_cptr__", False))
# Stubs of these would leave nothing that runs: starting and ending, and what says nothing to MPI.
REAL = re.compile(r"PMPIX?_(Init|Finalize|Initialized|Finalized|Is_thread_main|Query_thread|Wtime|Wtick|"
                  r"\w+_[cf]2[cf]\w*|\w+_f082\w+|Aint_\w+)")
# Not called: MPI_Abort ends the process; MPICH's mpi_f08 looks for the end of a list of words in zeroes.
# MPI_Aint_add and MPI_Aint_diff of Open MPI are macros in C, and arithmetic in Fortran.
LEFT_OUT = {"mpi_abort", "mpi_aint_add", "mpi_aint_diff"}
LEFT_OUT_F08 = {"mpi_comm_spawn_multiple"}

# MPI_COMM_WORLD and MPI_ERRORS_RETURN in Fortran.
HANDLES = {"openmpi": ("0", "2"), "mpich": ("0x44000000", "0x54000001")}
FIRST = ("mpi_init", "mpi_comm_set_errhandler")  # called for real, as is MPI_Finalize


def kinds(stem, prototypes):
    """A letter for each argument: c = communicator, e = handler of errors, 1 = one, 0 = zeroes. Behind
    them comes ierror."""
    if stem == "mpi_pcontrol":
        return "1"  # on, as it is
    parameters = prototypes.get(FUNCTIONS[stem].name, ("", ["int x"] * 8))[1]
    return "".join("c" if re.match(r"MPI_Comm\b[^*]*$", one) else
                   "e" if re.match(r"MPI_Errhandler\b[^*]*$", one) else "0" for one in parameters) + "0"


# While they are on, stubs return an error, so that nobody looks at results; else they are the functions.
STUBS_BEGIN = """#define _GNU_SOURCE
#include <dlfcn.h>
__attribute__((visibility("hidden"))) int on;
void stubs_switch(int value) { on = value; }
"""
# Layers look at what some of them write, whether they wrote it or not: it is zero. Where the arguments are.
WRITTEN = {"PMPI_Comm_size": ["l $0, (%rsi)"], "PMPI_Comm_remote_size": ["l $0, (%rsi)"],
           "PMPI_Comm_test_inter": ["l $0, (%rsi)"], "PMPI_Topo_test": ["l $0, (%rsi)"],
           "PMPI_Cartdim_get": ["l $0, (%rsi)"], "PMPI_Graph_neighbors_count": ["l $0, (%rdx)"],
           "PMPI_Dist_graph_neighbors_count": ["l $0, (%rsi)", "l $0, (%rdx)", "l $0, (%rcx)"],
           "PMPI_Win_get_info": ["q $0, (%rsi)"], "PMPI_File_open": ["q $0, (%r8)"]}
STUB = """__attribute__((visibility("hidden"))) void* real_NUMBER;
__asm__(".pushsection .text; .globl NAME; .type NAME, @function; NAME: cmpl $0, on(%rip); jne 1f;"
        "jmp *real_NUMBER(%rip); 1: WRITTEN movl $16, %eax; ret; .popsection");
"""


class Interfaces(MpiTest):

    def fortran_libraries(self, mpi):
        """What a program with mpi_f08 is linked with."""
        source = self.write("linked.f90", "program linked\nuse mpi_f08\ncall MPI_Init()\nend\n")
        program = self.compile(mpi, source, output="linked")
        text = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        return sorted(set(re.findall(r"=> (\S*/libmpi\S*)", text)))

    def entries(self, libraries):
        """{spelling: {function of the table: entry point}}"""
        names = set().union(*map(test_table.exported, libraries))
        found = collections.defaultdict(dict)
        for name in names:
            for ending, upper in SPELLINGS:
                stem = name[:len(name) - len(ending)].lower()
                left_out = LEFT_OUT | (LEFT_OUT_F08 if "f08" in ending else set())
                if name.endswith(ending) and stem in FUNCTIONS and stem not in left_out and \
                        name == (stem + ending if not upper else stem.upper()):
                    found[ending, upper][stem] = name
        return found

    def build(self, mpi, libraries):
        """The stubs, and the program that calls."""
        names = sorted(name for name in set().union(*map(test_table.exported, libraries))
                       if re.fullmatch(r"PMPIX?_[A-Z][a-z]\w*[a-z0-9_]\w*", name) and not REAL.fullmatch(name)
                       and not re.search(r"_f(08)?$", name))
        self.write("stubs.c", STUBS_BEGIN + "".join(
            STUB.replace("NAME", name).replace("NUMBER", str(number)).replace(
                "WRITTEN", "".join(f"mov{one}; " for one in WRITTEN.get(name, [])))
            for number, name in enumerate(names))
            + "__attribute__((constructor)) static void find(void) {\n" + "".join(
                f"  real_{number} = dlsym(RTLD_NEXT, \"{name}\");\n" for number, name in enumerate(names))
            + "}\n")
        subprocess.run(["cc", "-shared", "-fPIC", self.path("stubs.c"), "-o", self.path("libstubs.so")],
                       check=True)
        program = self.path("interfaces")
        subprocess.run(["cc", "-fPIE", os.path.join(HERE, "interfaces.c"), "-o", program,
                        "-L", self.folder, "-Wl,-rpath," + self.folder, "-Wl,--no-as-needed", "-lstubs",
                        *libraries], check=True)
        return program

    @each_mpi
    def test_each_entry_point_is_one_visit(self, mpi):
        if not fortran_compiler(mpi):
            self.skipTest(f"{mpi} has no Fortran")
        libraries = self.fortran_libraries(mpi)
        prototypes = generate.prototypes(MPIS[mpi])
        program = self.build(mpi, libraries)
        entries = self.entries(libraries)
        self.assertGreater(sum(map(len, entries.values())), 1500)
        for spelling, functions in entries.items():
            with self.subTest(mpi=mpi, spelling=spelling):
                others = sorted(set(functions) - {*FIRST, "mpi_finalize"})
                lines = [f"{functions.get(stem, stem + '_')} {kinds(stem, prototypes)}\n"
                         for stem in [*FIRST, *others, "mpi_finalize"]]
                done = self.run_ranks(mpi, 1, [program, self.write("names", "".join(lines)), *HANDLES[mpi]])
                self.assertEqual(done.stderr, "")
                regions, _, _ = self.read()
                visits = {name: int(columns["visits"]) for name, columns in regions.items()
                          if name.lower() in FUNCTIONS}
                large = "_c" if "large" in spelling[0] else ""
                expected = {FUNCTIONS[stem + large].name: 1 for stem in others}
                expected |= {FUNCTIONS[stem].name: 1 for stem in (*FIRST, "mpi_finalize")}
                self.maxDiff = None
                self.assertEqual(visits, expected)


if __name__ == "__main__":
    unittest.main()
