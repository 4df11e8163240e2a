"""The code of probes in shared objects: thread-local data are found without __tls_get_addr, a
module exports nothing of the probes, and still works."""

import ctypes
import os
import shutil
import subprocess
import unittest

from support.build import ANDES
from support.commands import command
from support.end_to_end import EndToEnd

SOURCE = """
static int twice(int x) { return 2 * x; }
int value(int x);
int value(int x) { return twice(x) + 1; }
"""


class ProbeCode(EndToEnd):

    def build(self, compiler, suffix):
        source = os.path.join(self.folder, "part" + suffix)
        library = os.path.join(self.folder, compiler + ".so")
        with open(source, "w", encoding="utf-8") as file:
            file.write('extern "C" int value(int x);\n' if suffix == ".cc" else "")
            file.write(SOURCE)
        command([ANDES, "cc", "--select", "all", compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
                 source, "-o", library], cwd=self.folder)
        return library

    def test_shared_objects(self):
        for compiler, suffix in (("gcc", ".c"), ("g++", ".cc"), ("clang", ".c"),
                                 ("clang++", ".cc")):
            if not shutil.which(compiler):
                continue
            with self.subTest(compiler=compiler):
                library = self.build(compiler, suffix)
                code = subprocess.run(["objdump", "-d", library], check=True, capture_output=True,
                                      text=True).stdout
                self.assertIn("enter_slow>", code, "no probe was compiled in")
                self.assertIn("%fs:", code)
                self.assertNotIn("__tls_get_addr", code)
                symbols = subprocess.run(["readelf", "-W", "--dyn-syms", library], check=True,
                                         capture_output=True, text=True).stdout
                self.assertNotIn("andes_", symbols)
                self.assertNotIn("UNIQUE", symbols)
                self.assertEqual(ctypes.CDLL(library).value(20), 41)


if __name__ == "__main__":
    unittest.main()
