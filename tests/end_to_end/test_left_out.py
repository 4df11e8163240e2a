"""Functions without a probe in run files: of the program's sources, of its headers, of other sources, of a shared object, and of
a program that was killed."""
import glob
import os
import subprocess
import unittest

from support.build import ANDES
from support.folder import InFolder
from support.run_file import RunFile

HEADER = """
static inline int twice(int a) { return a * 2; }
"""
# Operations of a visit. local: 1 (int i = 0) + 200 x 5 (<, ++, [], =, call), twice 200 x 1. far: 1 + 100 x 6 (the same and %),
# cube 100 x (2 + 1 for the call), and twice in it 100. Loops of main: its calls have probes.
PROGRAM = """
#include "twice.h"
#include <unistd.h>
int cube(int), of_library(int *);
int values[200];
void local(int *v) { for (int i = 0; i < 200; i++) v[i] = twice(i); }
void far(int *v) { for (int i = 0; i < 100; i++) v[i % 100] = cube(i); }
int main(int count, char **words) {
  for (int i = 0; i < 400000; i++) { local(values); far(values); of_library(values); }
  if (count > 1) { write(1, "ready", 5); pause(); }
  return 0;
}
"""
OTHER = """
#include "twice.h"
int cube(int a) { return a * a * twice(a); }
void unused(int *v) { for (int i = 0; i < 100; i++) v[i] = i; }
"""
# 1 + 100 x 5, and 100 x 1 in thrice.
LIBRARY = """
static int thrice(int a) { return a * 3; }
int of_library(int *v) { for (int i = 0; i < 100; i++) v[i] = thrice(i); return 0; }
"""
SHARES = [("far", "cube", "other.c", 3, 300 / 1001), ("far", "twice", "twice.h", 2, 100 / 1001),
          ("local", "twice", "twice.h", 2, 200 / 1201), ("of_library", "thrice", "library.c", 2, 100 / 601)]


# As many operations in a visit of one as of the other, but divisions take several times as long as products, and each
# waits for the one before. `step` is too hot to be open.
DIVISIONS = """
static double cheap(double a) { return a * 1.1 * 0.9 * 1.1 * 0.9 * 1.1 * 0.9 * 1.1 * 0.9 * 1.1 * 0.9 * 1.1 * 0.9; }
static double dear(double a) { return a / 1.1 / 0.9 / 1.1 / 0.9 / 1.1 / 0.9 / 1.1 / 0.9 / 1.1 / 0.9 / 1.1 / 0.9; }
double step(double a, int times) {
  for (int i = 0; i < times; i++) a = dear(cheap(a)) + 1;
  return a;
}
int main(void) {
  double a = 1;
  for (int i = 0; i < 16000000; i++) a = step(a, 2);
  return a == 0;
}
"""


class LeftOut(InFolder):
    def setUp(self):
        super().setUp()
        for name, text in (("twice.h", HEADER), ("program.c", PROGRAM), ("other.c", OTHER), ("library.c", LIBRARY)):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        self.command(ANDES, "cc", "cc", "-O2", "-shared", "-fPIC", "library.c", "-o", "liblibrary.so")

    def command(self, *words, **settings):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False,
                              env=dict(os.environ, **settings))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def build(self, *flags):
        self.command(ANDES, "cc", "cc", "-O2", *flags, "program.c", "other.c", "-L.", "-llibrary", "-Wl,-rpath,.", "-o", "program")

    def rows(self, run):
        run = RunFile(run)
        return sorted((run.regions[region]["name"], name, os.path.basename(file), line, round(share, 3), unknown_work)
                      for region, name, file, line, share, unknown_work in
                      run.rows("SELECT region, name, file, line, share, unknown_work FROM left_out"))

    def expect(self, run, of_library=True):
        expected = [(*row[:4], round(row[4], 3), 0) for row in SHARES if of_library or row[0] != "of_library"]
        self.assertEqual(self.rows(run), expected)

    def test_run(self):
        for flags in ((), ("-g", "-ffunction-sections", "-Wl,--gc-sections"), ("-flto",), ("-s",)):
            with self.subTest(flags=flags):
                self.build(*flags)
                out = self.path("run%d.andes" % len("".join(flags)))
                self.command(ANDES, "run", "-o", out, "--", "./program", ANDES_FUNCTION_SAMPLES="off")
                self.expect(out)

    def test_sampled(self):
        """Where there are samples the shares are those of time. Divisions that wait for each other last three times as long as
        products or more, no longer than 20 times; one of twelve may be told of the other, at whose edge it is."""
        with open(self.path("divisions.c"), "w", encoding="utf-8") as file:
            file.write(DIVISIONS)
        self.command(ANDES, "cc", "cc", "-O2", "divisions.c", "-o", "divisions")
        self.command(ANDES, "run", "-o", "sampled.andes", "--", "./divisions")
        run = RunFile(self.path("sampled.andes"))
        told = {name: (share, samples) for name, share, samples in run.rows("SELECT name, share, samples FROM left_out")}
        if any(samples is None for _, samples in told.values()) and run.facts.get("function_samples", 0) < 200:
            self.skipTest("the kernel takes too few samples here")
        (cheap, few), (dear, samples) = told["cheap"], told["dear"]
        self.assertTrue(samples >= 100 and few == samples, told)
        self.assertTrue(1.7 * cheap < dear < 25 * cheap, told)
        shown = self.command(ANDES, "show", "sampled.andes")
        self.assertIn("as samples of the program tell", shown)
        self.assertIn('"sampled": true', self.command(ANDES, "show", "--json", "sampled.andes"))

    def test_names_of_the_report(self):
        self.build()
        self.command(ANDES, "run", "-o", "run.andes", "--", "./program")
        shown = self.command(ANDES, "show", "--json", "run.andes")
        self.assertIn('"left_out"', shown)
        self.assertIn("cube", self.command(ANDES, "report", "run.andes"))

    def test_killed(self):
        self.build("-Wl,--build-id")
        place = self.path("place")
        os.mkdir(place)
        environment = dict(os.environ, ANDES_ARENA=place, ANDES_JOB="job")
        with subprocess.Popen([ANDES, "exec", "./program", "wait"], cwd=self.folder, env=environment,
                              stdout=subprocess.PIPE) as process:
            self.assertEqual(process.stdout.read(5), b"ready")
            process.kill()
        directory, = glob.glob(os.path.join(place, "*"))
        self.command(ANDES, "recover", directory, "-o", "recovered.andes")
        self.expect(self.path("recovered.andes"), of_library=False)  # shared objects are not known any more


if __name__ == "__main__":
    unittest.main()
