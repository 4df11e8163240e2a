"""The attempts of andes cc, in their order: which runs of the compiler a command comes to, what each of them is
given, and what the user sees of it. The compiler here is gcc behind a script that keeps a list of its runs, and
refuses those that a test wants refused."""
import os
import unittest

from support.preprocessor import InDirectory

# A run is called by what stands in its command: "copies" (with probes in the source and its header), "sources" (with
# probes in the source alone), "hooks", "plain", or "messages" if it makes nothing; behind it "careful" if the loop is no region,
# and "quiet" with -w.
COMPILER = """#!/usr/bin/env python3
import os, re, subprocess, sys
words = sys.argv[1:]
if "-E" in words:
    sys.exit(subprocess.run(["gcc", *words]).returncode)
copied = [word for word in words if "/andes-" in word and word.endswith(".c") and os.path.exists(word)]
if copied:
    with open(os.path.join(os.path.dirname(copied[0]), "andes.h")) as file:
        tables = file.read()
    run = "copies" if '"in_header"' in tables else "sources"
    run += "" if "{loop:" in tables else " careful"
else:
    run = "hooks" if "-finstrument-functions" in words else "messages" if "-dx" in words else "plain"
run += " quiet" if "-w" in words else ""
with open("runs", "a") as runs:
    runs.write(run + "\\n")
print("output of", run, flush=True)
listed = lambda name: os.environ.get(name, "").split(",")
if "-w" not in words:
    print("w.c:1:1: warning: of %s%s" % (run, " [-Winline]" if run in listed("DOUBTED") else ""), file=sys.stderr)
if run in listed("REFUSED"):
    print("w.c:1:1: error: of", run, file=sys.stderr)
    sys.exit(7)
sys.exit(subprocess.run(["gcc", *words]).returncode)
"""
SOURCE = '#include "w.h"\nint main(void)\n{\n  int n = 0;\n  for (int i = 0; i < 3; ++i) n += in_header(i);\n  return n;\n}\n'
HEADER = "static int in_header(int n) { return n + 1; }\n"
NESTED = "int outer(int a) { int inner(int b) { return a + b; } return inner(a); }\n"

WITHOUT_HEADERS = "andes: w.c: instrumented without its headers: their copies do not compile\n"
NO_HEADERS = "andes: w.c: its headers are not instrumented: their copies do not compile\n"
WITHOUT_LOOPS = "andes: w.c: its loops do not become regions: the copy with them does not compile\n"
REFUSED = "andes: w.c: not instrumented: its instrumented copy does not compile; compiled unchanged\n"
BY_HOOKS = "andes: w.c: instrumented by the compiler's hooks: its instrumented copy does not compile\n"
ALL = ("copies", "copies careful", "sources careful")


def warning(run, doubted=False):
    return "w.c:1:1: warning: of %s%s\n" % (run, " [-Winline]" if doubted else "")


def error(run):
    return "w.c:1:1: error: of %s\n" % run


class Attempts(InDirectory):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.write("counted", COMPILER)
        os.chmod(os.path.join(self.dir, "counted"), 0o755)
        self.write("w.c", SOURCE)
        self.write("w.h", HEADER)

    def attempts(self, *runs, refused=(), doubted=(), words=(), options=(), stderr="", status=0, output=None):
        """The runs of a command whose compiler refuses `refused` and warns of the optimiser in `doubted`. `output`: the
        run whose standard output is passed on, if it is not the last."""
        for name in ("runs", "w.o", "w.d"):
            if os.path.exists(os.path.join(self.dir, name)):
                os.remove(os.path.join(self.dir, name))
        done = self.cc("--loops", "all", *options, "./counted", "-MMD", *words, "-c", "w.c",
                       env={"REFUSED": ",".join(refused), "DOUBTED": ",".join(doubted)})
        self.assertEqual(self.read("runs").splitlines(), list(runs))
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (status, "output of %s\n" % (output or runs[-1]), stderr))
        if status == 0:
            self.assertEqual(self.read("w.d"), "w.o: w.c w.h\n" if os.path.exists(os.path.join(self.dir, "w.h")) else "w.o: w.c\n")

    def quiet(self, *runs):
        return [run + " quiet" for run in runs]

    def test_copies_that_compile(self):
        self.attempts("copies", stderr=warning("copies"))
        self.assertEqual(self.probes("w.o"), 3)

    def test_copies_with_fewer_probes(self):
        self.attempts("copies", "copies careful", refused=ALL[:1], stderr=warning("copies careful") + WITHOUT_LOOPS)
        self.assertEqual(self.probes("w.o"), 2)

    def test_copies_of_sources_alone(self):
        self.attempts(*ALL, refused=ALL[:2], stderr=warning("sources careful") + WITHOUT_LOOPS + WITHOUT_HEADERS)
        self.assertEqual(self.probes("w.o"), 1)
        self.attempts("copies careful", "sources careful", refused=ALL[:2], options=["--loops", "none"],
                      stderr=warning("sources careful") + WITHOUT_HEADERS)

    def test_the_command_as_written(self):
        self.attempts(*ALL, "plain", refused=ALL, stderr=warning("plain") + WITHOUT_LOOPS + REFUSED)
        self.assertEqual(self.probes("w.o"), 0)
        self.attempts(*ALL, "plain", refused=[*ALL, "plain"], status=7, stderr=warning("plain") + error("plain"))

    def test_hooks(self):
        hooks = {"options": ["--hooks"], "refused": ALL}
        self.attempts(*ALL, "hooks", stderr=warning("hooks") + BY_HOOKS, **hooks)
        hooks["refused"] = [*ALL, "hooks"]
        self.attempts(*ALL, "hooks", "plain", stderr=warning("plain") + WITHOUT_LOOPS + REFUSED, **hooks)

    def test_hooks_after_the_users_messages(self):
        quiet = self.quiet(*ALL)
        self.attempts("copies", "messages", *quiet, "hooks", options=["--hooks"], words=["-Werror=inline"],
                      refused=["copies", *quiet], stderr=warning("messages") + BY_HOOKS)

    def test_nothing_to_copy(self):
        self.write("w.c", "int n;\n")
        os.remove(os.path.join(self.dir, "w.h"))
        self.attempts("plain", stderr=warning("plain"))
        self.write("w.c", NESTED)
        unreadable = "Clang cannot read it (w.c:1: function definition is not allowed here)"
        self.attempts("plain", stderr="%sandes: w.c: not instrumented: %s; compiled unchanged\n" % (warning("plain"), unreadable))
        self.attempts("hooks", options=["--hooks"],
                      stderr="%sandes: w.c: instrumented by the compiler's hooks: %s\n" % (warning("hooks"), unreadable))

    def test_only_the_header_has_probes(self):
        self.write("w.c", '#include "w.h"\nint n;\n')
        self.attempts("copies careful", "plain", refused=["copies careful"], stderr=warning("plain") + NO_HEADERS)

    # Messages that may be due to probes are left to the command as written, which makes nothing if that is possible, and
    # otherwise is run as a whole: then the object of the copies is put back, or made once more, quietly.

    def test_doubted_messages(self):
        self.attempts("copies", "messages", doubted=["copies"], stderr=warning("messages"), output="copies")
        self.assertEqual(self.probes("w.o"), 3)
        self.attempts("copies", "messages", doubted=["copies", "messages"], stderr=warning("messages", True), output="copies")
        # What the command is to say if it fails, it says as a whole.
        self.attempts("copies", "messages", "plain", doubted=["copies"], refused=["messages", "plain"], status=7,
                      stderr=warning("plain") + error("plain"))

    def test_doubted_messages_of_a_command_that_links(self):
        self.write("one.c", "int one(void) { return 1; }\n")
        self.run_here("gcc", "-c", "one.c")
        def link(*words):
            self.write("runs", "")
            done = self.cc("--loops", "all", "./counted", "one.o", "w.c", "-lm", *words, "-o", "prog", env={"DOUBTED": "copies"})
            self.assertEqual((done.returncode, self.run_here("./prog").returncode), (0, 6))
            return self.read("runs").splitlines(), done.stderr
        self.assertEqual(link(), (["copies", "messages"], warning("messages")))
        # What the linker says, only a command that links says again.
        runs, said = link("-Wl,-z,nothing-that-it-knows")
        self.assertEqual(runs, ["copies", "plain", *self.quiet("copies")])
        self.assertEqual(said.count("nothing-that-it-knows"), 1, said)

    def test_doubted_messages_of_a_whole_command(self):
        whole = {"words": ["-Wstack-usage=1000000"]}
        self.attempts("copies", "plain", doubted=["copies"], stderr=warning("plain"), output="copies", **whole)
        self.assertEqual(self.probes("w.o"), 3)
        self.attempts("copies", "plain", doubted=["copies", "plain"], stderr=warning("plain", True), output="copies", **whole)
        self.attempts("copies", "messages", "plain", doubted=["copies"], refused=["messages"], stderr=warning("plain"), output="copies")
        self.assertEqual(self.probes("w.o"), 3)
        # With other files than the object all of them are to be those of one compilation.
        self.attempts("copies", "plain", "copies quiet", doubted=["copies"], stderr=warning("plain"), words=["-fstack-usage"])
        self.assertEqual(self.probes("w.o"), 3)
        self.attempts("copies", "plain", doubted=["copies"], refused=["plain"], status=7,
                      stderr=warning("plain") + error("plain"), **whole)

    def test_warnings_that_are_errors(self):
        strict = {"words": ["-Werror=inline"]}
        self.attempts("copies", stderr=warning("copies"), **strict)
        self.attempts("copies", "messages", "copies quiet", refused=["copies"], stderr=warning("messages"), **strict)
        self.attempts("copies", "messages", "plain", refused=["copies", "messages", "plain"], status=7,
                      stderr=warning("plain") + error("plain"), **strict)
        quiet = self.quiet(*ALL)
        self.attempts("copies", "messages", *quiet[:2], refused=["copies", *quiet[:1]],
                      stderr=warning("messages") + WITHOUT_LOOPS, **strict)
        self.attempts("copies", "messages", *quiet, refused=["copies", *quiet[:2]],
                      stderr=warning("messages") + WITHOUT_LOOPS + WITHOUT_HEADERS, **strict)
        self.attempts("copies", "messages", *quiet, "plain", refused=["copies", *quiet],
                      stderr=warning("messages") + WITHOUT_LOOPS + REFUSED, **strict)

    def test_doubted_messages_of_a_later_attempt(self):
        self.attempts(*ALL[:2], "messages", refused=ALL[:1], doubted=ALL[1:2], stderr=warning("messages") + WITHOUT_LOOPS,
                      output=ALL[1])
        self.assertEqual(self.probes("w.o"), 2)
        self.attempts(*ALL, "messages", refused=ALL[:2], doubted=ALL[2:],
                      stderr=warning("messages") + WITHOUT_LOOPS + WITHOUT_HEADERS, output=ALL[2])
        self.attempts(*ALL, "messages", "plain", refused=[*ALL[:2], "messages", "plain"], doubted=ALL[2:], status=7,
                      stderr=warning("plain") + error("plain"))

    def test_a_place_for_copies(self):
        done = self.cc("./counted", "-c", "w.c", env={"TMPDIR": "/nonexistent"})
        self.assertEqual((done.returncode, self.read("runs"), done.stderr),
                         (0, "plain\n", warning("plain") + "andes: w.c: not instrumented: no directory for its copy could "
                                                           "be made; set TMPDIR to one that can be written\n"))


if __name__ == "__main__":
    unittest.main()
