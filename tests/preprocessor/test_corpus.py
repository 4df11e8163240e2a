"""The corpus: each file says in comments what becomes of each function, loop and marked block ('+ name'
with a probe, '- reason' without, on the line of the name; {loop} has the line and {loop@9} line and
column), with which flags it compiles, with which selection where that is not `all`, which loops it
asks for, and whether OpenMP constructs are regions. Checked are these decisions, and that a compilation through andes cannot be told from one without: standard error,
dependency file, names in the debug information, output of the program."""
import os
import re
import shutil
import unittest

from support.preprocessor import InDirectory, have

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
MARK = re.compile(r"(?:/\*|//)([+-]) (.*?)(?=\s*\*/|\s*//[+-]|$)")
COMPILERS = {"c": ["gcc", "clang-19", "clang-14"], "cc": ["g++", "clang++-19", "clang++-14"]}
NEWEST = ("clang-19", "clang++-19")
OLDER = ("clang-14", "clang++-14") # with the first flags alone
# Clang 14 lacks what libstdc++ 12 needs for these; Clang refuses old C.
NOT_WITH = {("clang++-14", "coroutine.cc"), ("clang++-14", "templates.cc"), ("clang++-14", "raw.cc"),
            ("clang-14", "old_gnu.c"), ("clang-19", "old_gnu.c")}


def marks(text):
    """{line: [(sign, text)]}"""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        for sign, what in MARK.findall(line):
            what = re.sub(r"{loop(@(\d+))?}", lambda at: "{loop:%d%s}" % (
                number, ":" + at[2] if at[2] else ""), what)
            found.setdefault(number, []).append((sign, what.strip()))
    return {number: sorted(rows) for number, rows in found.items()}


def flag_lines(text):
    return [line.split() for line in re.findall(r"^(?:/\*|//) flags: (.*?)(?: \*/)?$", text, re.M)]


def selection(text):
    """The words that select as the file says."""
    return ["--select", *(re.findall(r"^(?:/\*|//) select: (\w+)", text, re.M) or ["all"]),
            "--loops", *(re.findall(r"^(?:/\*|//) loops: (\w+)", text, re.M) or ["none"]),
            "--openmp", *(re.findall(r"^(?:/\*|//) openmp: (\w+)", text, re.M) or ["on"])]


def names_in(dump):
    """Names and directories of compilation units and of their line tables."""
    units = re.findall(r"DW_TAG_compile_unit.*?(?=DW_TAG|\Z)", dump, re.S)
    return [re.findall(r"DW_AT_(?:name|comp_dir)\s*:.*?([^\s:()]+)\s*$", unit, re.M) for unit in units]


class Corpus(InDirectory):
    maxDiff = None

    def decisions(self, name, select, flags):
        done = self.instrument(*select, "--explain", name, "--", *flags)
        self.assertEqual((done.returncode, done.stderr), (0, ""), name)
        found = {}
        for row in done.stdout.splitlines()[1:]:
            what, line, decision = re.match(r"(.*?) +(\d+)  (.*)$", row).groups()
            sign = "+" if decision == "instrumented" else "-"
            found.setdefault(int(line), []).append(
                (sign, what if sign == "+" else re.sub("; about .*", "", decision.removeprefix("left out: "))))
        return {line: sorted(rows) for line, rows in found.items()}

    def compile_both(self, compiler, name, select, flags):
        """Compiles with and without andes under the same names; returns both sets of traces."""
        traces = []
        for through_andes in (False, True):
            command = [compiler, *flags, "-g", "-MD", "-o", "program", "-c", name]
            command[command.index("program")] = "object.o"
            done = self.cc(*select, *command) if through_andes else self.run_here(*command)
            dump = self.run_here("readelf", "--debug-dump=info", "object.o").stdout
            traces.append({"status": done.returncode, "stdout": done.stdout, "stderr": done.stderr,
                           "dependencies": self.read("object.d"), "units": names_in(dump)})
            if through_andes:
                with open(os.path.join(self.dir, "object.o"), "rb") as file:
                    self.assertNotIn(self.tmp.encode(), file.read(), "a trace of the copy")
            linked = self.run_here(compiler, *flags, "object.o", "-o", "program", "-lm", "-pthread")
            self.assertEqual(linked.returncode, 0, linked.stderr)
            ran = self.run_here("./program")
            traces[-1]["output"] = (ran.returncode, ran.stdout, ran.stderr)
        return traces

    def check(self, name):
        shutil.copy(os.path.join(CORPUS, name), self.dir)
        text = self.read(name)
        expected, select = marks(text), selection(text)
        for flags in flag_lines(text):
            if flags == flag_lines(text)[0]:
                self.assertEqual(self.decisions(name, select, flags), expected)
            for compiler in COMPILERS[name.rsplit(".", 1)[1]]:
                if not have(compiler) or (compiler, name) in NOT_WITH or (
                        compiler in OLDER and flags != flag_lines(text)[0]):
                    continue
                with self.subTest(compiler=compiler, flags=" ".join(flags)):
                    clang = compiler.startswith("clang")
                    # Its OpenMP library is there for the newest Clang alone.
                    used = [flag for flag in flags if compiler in NEWEST or not clang or flag != "-fopenmp"]
                    plain, ours = self.compile_both(compiler, name, select, used)
                    if clang: # its carets quote the copy; what it says stands above them
                        for trace in (plain, ours):
                            trace["stderr"] = re.findall(r"^\S+:\d+:\d+: .*$", trace["stderr"], re.M)
                    self.assertEqual(plain["status"], 0, plain["stderr"])
                    self.assertEqual(ours, plain)
                    self.assertGreater(self.probes("object.o"), 0)


def add(name):
    setattr(Corpus, "test_" + re.sub(r"\W", "_", name), lambda self: self.check(name))


for one in sorted(os.listdir(CORPUS)):
    add(one)

if __name__ == "__main__":
    unittest.main()
