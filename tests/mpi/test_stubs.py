"""The entry stubs and dlsym's by themselves, for this processor and for AArch64, which runs in qemu-user where that and a
cross compiler are installed."""
import os
import platform
import shutil
import subprocess
import unittest

from support.build import SOURCE
from support.folder import InFolder

NAMES = {"MPI_Ten": 0, "MPI_Mixed": 1, "MPI_Large": 2, "MPI_Variadic": 3, "MPI_Caller": 4, "MPI_Last": 299}
SLOTS = 300
MONITOR = os.path.join(SOURCE, "monitor", "mpi")
EMULATED = ("aarch64-linux-gnu-gcc", "qemu-aarch64")  # and a static C library of that processor
# What look_up.S leaves to the rest of libandes.so is in the test's program, and so is the thread-local datum of jumps.S.
LAYER = "__thread struct { unsigned long caller, stack; } andes_layer_call;\n"


class Stubs(InFolder):
    def check(self, compiler, ending, before=()):
        for name, text in (("count.inc", "#define ANDES_MPI_SLOTS %d\n" % SLOTS), ("layer.c", LAYER),
                           ("jumps.inc", "".join("JUMP %s, %d\n" % item for item in NAMES.items()))):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        sources = [os.path.join(MONITOR, name + ending + ".S") for name in ("jumps", "look_up")]
        for flags in (["-O0"], ["-O2"]):
            # Static, so that no other dlsym is there, and emulation needs no libraries.
            subprocess.run([compiler, *flags, "-static", "-g", "-Wall", "-Wextra", "-Werror", "-fno-builtin", "-I", self.folder,
                            os.path.join(SOURCE, "tests", "mpi", "stubs", "stubs.c"), self.path("layer.c"), *sources,
                            "-o", self.path("program")], check=True, timeout=600)
            done = subprocess.run([*before, self.path("program")], capture_output=True, text=True, timeout=600)
            self.assertEqual((done.stdout, done.returncode), ("stubs: done\n", 0), done.stderr)

    def test_of_this_processor(self):
        endings = {"x86_64": "", "aarch64": "_aarch64"}
        if platform.machine() not in endings:
            self.skipTest("no stubs for " + platform.machine())
        self.check("cc", endings[platform.machine()])

    @unittest.skipUnless(all(map(shutil.which, EMULATED)), "needs " + " and ".join(EMULATED))
    def test_of_aarch64(self):
        self.check(EMULATED[0], "_aarch64", (EMULATED[1],))


if __name__ == "__main__":
    unittest.main()
