"""The programmer's interface: what programs say of themselves by andes.h and the Fortran module is in the run
file as they said it, exactly; without a monitor, and with ANDES_DISABLE, they compute the same. Nothing here
looks at times but whether those of parts fit into those of wholes."""

import glob
import json
import os
import re
import shutil
import subprocess
import time
import unittest

from support.build import ANDES, INCLUDE
from support.environment import environment
from support.folder import InFolder
from support.programs import KINDS_WITH_COMPILER, NO_KINDS
from support.run_file import RunFile

HERE = os.path.dirname(os.path.abspath(__file__))
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror"]
CLANGS = [c for c in ("clang-19", "clang") if shutil.which(c)][:1]


class Measured(RunFile):
    """What a run file says of regions, steps and attached values."""

    def __init__(self, path):
        super().__init__(path)
        self.kinds = {text: self.kind(callpath) for callpath, text in self.paths.items()}
        self.visits = self.sums_by_path("visits")
        self.exclusive = self.sums_by_path("exclusive_ns")
        self.inclusive = self.sums_by_path("inclusive_ns")
        self.step_visits = self.sums_by_step("visits")
        self.step_inclusive = self.sums_by_step("inclusive_ns")
        self.numbers = {self.step_paths[number]: step["number"] for number, step in self.steps.items()}
        self.attached = {}
        for callpath, step, *value in self.rows(
                "SELECT callpath, step, name, count, not_finite, sum, min, max, last FROM attached"):
            where = self.paths[callpath] if step is None else self.step_paths[step]
            self.attached.setdefault(where, []).append(tuple(value))


class Case(InFolder):

    def command(self, *args, check=0, **env):
        done = subprocess.run([str(a) for a in args], cwd=self.folder, env=environment(**env), text=True, timeout=600,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if check is not None:
            self.assertEqual(done.returncode, check, "%s\n%s%s" % (args, done.stdout, done.stderr))
        return done

    def build(self, source, *compiler, name="prog"):
        program = os.path.join(self.folder, name)
        done = self.command(*compiler, os.path.join(HERE, source), "-o", program)
        self.assertEqual(done.stderr, "")
        return program

    def measure(self, *command, launcher=(), **env):
        run = os.path.join(self.folder, "run.andes")
        if os.path.exists(run):
            os.remove(run)
        done = self.command(*launcher, ANDES, "exec", *command, ANDES_OUT=run, **env)
        return done, Measured(run)

    def show(self, *options):
        return self.command(ANDES, "show", os.path.join(self.folder, "run.andes"), *options).stdout


C = ["gcc", "-O2", "-I" + INCLUDE]
CXX = ["g++", "-O2", "-std=c++17", "-I" + INCLUDE]


class Language(Case):

    def test_no_warning_in_any_language(self):
        for compilers, source, standards in (
                (["gcc"] + CLANGS, "named.c", ("c89", "c99", "c11", "gnu17")),
                (["g++"] + [c.replace("clang", "clang++") for c in CLANGS], "scopes.cc",
                 ("c++98", "c++11", "c++20"))):
            for compiler in compilers:
                for standard in standards:
                    for more in ([], ["-DANDES_DISABLE"]):
                        if standard == "c++98":  # the program itself has threads
                            text = "#include <andes/andes.h>\nvoid f(int i) { ANDES_REGION(\"a\"); " \
                                   "andes::Region b(\"b\"); ANDES_PHASE(\"c\"); andes::Phase d(\"d\", i); " \
                                   "andes_begin(\"e\"); andes_value(\"f\", i); andes_end(\"e\"); andes_off(); }\n"
                            path = os.path.join(self.folder, "old.cc")
                            with open(path, "w", encoding="utf-8") as file:
                                file.write(text)
                        else:
                            path = os.path.join(HERE, source)
                        for level in ("-O0", "-O2"):
                            done = self.command(compiler, "-std=" + standard, level, *STRICT, *more, "-I" + INCLUDE,
                                                "-c", path, "-o", os.path.join(self.folder, "x.o"), check=None)
                            self.assertEqual((done.returncode, done.stderr), (0, ""), (compiler, standard, more, level))

    def test_without_a_monitor(self):
        for source, compiler in (("named.c", C), ("scopes.cc", CXX + ["-pthread"])):
            plain = self.command(self.build(source, *compiler, "-DANDES_DISABLE", name="plain"))
            found = self.command(self.build(source, *compiler, name="found"))
            self.assertEqual((found.stdout, found.stderr), (plain.stdout, ""))
            measured, _ = self.measure(os.path.join(self.folder, "found"))
            self.assertEqual(measured.stdout, plain.stdout)


class Regions(Case):

    def check_named(self, run, ranks, root):
        def visits(path):
            return run.visits.get(root + path, 0) / ranks
        self.assertEqual(visits("/time step"), 12)
        self.assertEqual(run.kinds[root + "/time step"], "phase")
        self.assertEqual(visits("/time step/work"), 12)
        for k in range(1, 13):
            step = "%s/time step/time step %d" % (root, k)
            self.assertEqual(run.step_visits[step], ranks)
            self.assertEqual(run.step_visits[step + "/work"], ranks)
            self.assertEqual(run.numbers[step], k)
            self.assertEqual(run.attached[step], [("residual", 1, 0, 100.0 / k, 100.0 / k, 100.0 / k, 100.0 / k)] * ranks)
            # A time of which the cost of the probe leaves nothing is not kept.
            self.assertGreaterEqual(run.step_inclusive.get(step, 0), run.step_inclusive.get(step + "/work", 0))
        self.assertEqual(visits("/iteration"), 6)
        self.assertEqual({p: v for p, v in run.step_visits.items() if p.startswith(root + "/iteration/") and "work" not in p},
                         {"%s/iteration/iteration %d" % (root, n): 2 * ranks for n in (0, 10, 20)})
        # Ends that fit nothing change nothing.
        self.assertEqual(visits("/first"), 1)
        self.assertEqual(visits("/first/second"), 1)
        self.assertEqual(visits("/first/second/work"), 1)
        for i in range(3):
            self.assertEqual(visits("/case %d" % i), 6)
            self.assertEqual(visits("/case %d/work" % i), 3)
        # A region left open by longjmp is over where its function is.
        self.assertEqual(visits("/jumper/left open"), 1)
        self.assertEqual(visits("/work"), 1)
        self.assertEqual(visits("/around"), 1)
        self.assertEqual(visits("/around/work"), 1)
        self.assertFalse([p for p in run.visits if "unseen" in p])
        self.assertIn(("unusable", 0, 1, None, None, None, None), run.attached[root])
        # Nothing is counted twice: what is exclusive sums to the whole.
        whole = sum(v for p, v in run.inclusive.items() if "/" not in p)
        self.assertAlmostEqual(sum(run.exclusive.values()) / whole, 1, places=6)
        for step in (p for p in run.step_inclusive if p.count("/") == root.count("/") + 2):
            phase = step[:step.rindex("/")]
            self.assertLessEqual(run.step_inclusive[step], run.inclusive[phase] * (1 + 1e-9))

    def test_c(self):
        program = self.build("named.c", *C)
        done, run = self.measure(program)
        self.check_named(run, 1, "(program)/main")
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn('the end of the region "never begun" is ignored, as the innermost open region is "main"', done.stderr)

    def test_other_clock(self):
        _, run = self.measure(self.build("named.c", *C), ANDES_CLOCK="monotonic")
        self.check_named(run, 1, "(program)/main")

    def test_with_probes(self):
        """The same, in a program that andes cc builds: it finds the header by itself."""
        for compiler in ("gcc", *CLANGS):
            program = self.build("named.c", ANDES, "cc", "--select", "all", compiler, "-O2")
            _, run = self.measure(program)
            self.assertEqual(run.visits["(program)/main/main/steps/time step/work/work"], 12)
            self.assertEqual(run.step_visits["(program)/main/main/steps/time step/time step 3/work/work"], 1)
            self.assertEqual(run.visits["(program)/main/main/ends/first/second/work/work"], 1)
            self.assertEqual(run.visits["(program)/main/main/jumper/jumper/left open"], 1)
            self.assertEqual(run.visits["(program)/main/main/work/work"], 1)

    @unittest.skipUnless(KINDS_WITH_COMPILER, NO_KINDS)
    def test_mpi(self):
        for kind in KINDS_WITH_COMPILER:
            program = self.build("named.c", "mpicc." + kind, "-O2", "-DWITH_MPI", "-isystem" + INCLUDE)
            plain = self.command("mpirun." + kind, "-n", 2, program)
            done, run = self.measure(program, launcher=("mpirun." + kind, "-n", "2"))
            self.assertEqual(done.stdout, plain.stdout)
            self.check_named(run, 2, "(program)/main")
            self.assertEqual(run.visits["(program)/main/time step/MPI_Barrier"], 24)
            self.assertEqual(run.step_visits["(program)/main/time step/time step 5/MPI_Barrier"], 2)

    def test_cpp(self):
        done, run = self.measure(self.build("scopes.cc", *CXX, "-pthread"))
        self.assertEqual(done.stderr, "")
        self.assertEqual(run.visits["(program)/outer"], 6)
        self.assertEqual(run.visits["(program)/outer/inner"], 18)
        self.assertEqual(run.visits["(program)/outer/inner/thrower/odd"], 9)
        self.assertEqual(run.visits["(program)/outer/inner/thrower/odd/begun"], 9)
        self.assertEqual(run.visits["(program)/outer/inner/thrower/even/begun"], 9)
        self.assertEqual(run.visits["(program)/outer/inner/twice"], 36 - 2 * 3)
        self.assertEqual(run.step_visits["(program)/outer/outer 4/inner/inner 2/thrower/odd"], 1)
        self.assertEqual(run.visits["(thread)/thread step/twice"], 4)
        self.assertEqual(run.step_visits["(thread)/thread step/thread step 4"], 1)

    @unittest.skipUnless(shutil.which("gfortran"), "no Fortran compiler")
    def test_fortran(self):
        source = os.path.join(INCLUDE, "andes", "andes.f90")
        own = self.build("named.f90", "gfortran", source, name="own")
        built = self.build("named.f90", ANDES, "cc", "gfortran", "-O1", name="built")
        plain = self.command(own)
        self.assertEqual((self.command(built).stdout, plain.stderr), (plain.stdout, ""))
        self.command(ANDES, "cc", "gfortran", "-c", os.path.join(HERE, "named.f90"))
        self.command(ANDES, "cc", "gfortran", "named.o", "-o", "linked")
        for program, root in ((own, "(program)"), (built, "(program)/named"),
                              (os.path.join(self.folder, "linked"), "(program)/named")):
            done, run = self.measure(program)
            self.assertEqual(done.stdout, plain.stdout)
            self.assertIn('"never begun" is ignored', done.stderr)
            self.assertEqual(run.visits[root + "/time step/assemble"], 5)
            self.assertEqual(run.step_visits[root + "/time step/time step 5/assemble"], 1)
            self.assertEqual(run.visits[root + "/sweep"], 4)
            self.assertEqual(run.step_visits[root + "/sweep/sweep 21/case 1"], 1)
            (value,) = run.attached[root + "/time step/time step 2/assemble"]
            self.assertEqual(value[:3], ("residual", 1, 0))
            self.assertAlmostEqual(value[3], 1.5, places=6)
            self.assertFalse([p for p in run.visits if "andes::" in p or "unseen" in p], run.visits)


class Documentation(Case):

    def code(self, first):
        """The indented code of docs/interface.md that begins with this line."""
        with open(os.path.join(HERE, "..", "..", "docs", "interface.md"), encoding="utf-8") as file:
            lines = file.read().split("\n")
        at = lines.index("    " + first)
        end = next(i for i in range(at, len(lines)) if lines[i] and not lines[i].startswith("    "))
        return "\n".join(line[4:] for line in lines[at:end]) + "\n"

    def check(self, source, text, *compiler):
        with open(os.path.join(self.folder, source), "w", encoding="utf-8") as file:
            file.write(text)
        self.command(ANDES, "cc", *compiler, source, "-o", "prog")
        _, run = self.measure(os.path.join(self.folder, "prog"))
        (phase,) = [p for p in run.visits if p.endswith("/time step")]
        self.assertEqual((run.visits[phase], run.visits[phase + "/sweep"]), (10, 10))
        self.assertEqual(len(run.attached), 10)

    def test_c(self):
        text = self.code("#include <andes/andes.h>") + "int main(void) { for (int i = 0; i < 10; i++) advance(i); }\n"
        before = "void exchange(void) {} void sweep(int n) { (void)n; } double residual(void) { return 1; }\n"
        for compiler in ("gcc", *CLANGS):
            self.check("advance.c", before + text, compiler)

    @unittest.skipUnless(shutil.which("gfortran"), "no Fortran compiler")
    def test_fortran(self):
        self.check("solver.f90", self.code("program solver"), "gfortran")


class Limits(Case):

    def test_steps_beyond_the_limit(self):
        _, run = self.measure(self.build("named.c", *C), ANDES_PHASE_LIMIT="4")
        steps = {p.rsplit("/", 1)[1]: v for p, v in run.step_visits.items() if p.count("/") == 3 and "time step" in p}
        self.assertEqual(steps, {"time step 1": 1, "time step 2": 1, "time step 3": 1, "time step 4": 1,
                                 "time step (more)": 8})
        self.assertEqual(run.visits["(program)/main/time step/work"], 12)
        self.assertIsNone(run.numbers["(program)/main/time step/time step (more)"])
        (value,) = run.attached["(program)/main/time step/time step (more)"]
        self.assertEqual((value[0], value[1], value[4], value[5], value[6]), ("residual", 8, 100 / 12, 20.0, 100 / 12))
        _, run = self.measure(os.path.join(self.folder, "prog"), ANDES_PHASE_LIMIT="0")
        self.assertEqual(run.step_visits["(program)/main/time step/time step (more)"], 12)

    def test_a_million(self):
        program = self.build("million.c", *C)
        _, run = self.measure(program, 200000, ANDES_TREE_MB="2", ANDES_BUDGET_PERCENT="0")
        self.assertEqual(run.visits["(program)/counted"], 200000)
        self.assertEqual(run.visits["(program)/counted/inside"], 200000)
        self.assertEqual(run.visits["(program)/numbered"], 200000)
        self.assertEqual(run.step_visits["(program)/counted/counted (more)/inside"], 200000 - 100)
        self.assertEqual(run.step_visits["(program)/numbered/numbered (more)"], 200000 - 100)
        self.assertEqual(sum(v[1] for p, values in run.attached.items() for v in values), 200000)
        self.assertEqual(sum(v for p, v in run.visits.items()
                             if p.startswith("(program)/name") or "(more" in p or p == "(program)/after"), 20001)

    def test_recovered(self):
        program = self.build("killed.c", *C)
        out = os.path.join(self.folder, "run.andes")
        self.command(ANDES, "exec", program, check=-9, ANDES_OUT=out, ANDES_ARENA=self.folder)
        (arena,) = glob.glob(os.path.join(self.folder, "*", "*.arena"))
        self.command(ANDES, "recover", os.path.dirname(arena), "-o", out)
        run = Measured(out)
        self.assertEqual(run.visits["(program)/time step/inside"], 5)
        for k in range(1, 6):
            (value,) = run.attached["(program)/time step/time step %d/inside" % k]
            self.assertEqual(value, ("residual", 1, 0, 10.0 * k, 10.0 * k, 10.0 * k, 10.0 * k))

    def test_live(self):
        """`andes top` has one line for all steps of a phase, and says which one a rank is in."""
        program = self.build("killed.c", *C)
        for limit, step in ((100, "time step 5"), (3, "time step (visit 5)")):
            place = os.path.join(self.folder, "limit%d" % limit)
            os.mkdir(place)
            process = subprocess.Popen([ANDES, "exec", program, "stay"], env=environment(
                ANDES_ARENA=place, ANDES_PHASE_LIMIT=limit), cwd=self.folder)
            try:
                frame = None
                for _ in range(300):
                    time.sleep(0.1)
                    jobs = glob.glob(os.path.join(place, "*"))
                    done = jobs and self.command(ANDES, "top", "--json", "--interval", "0.1", jobs[0], check=None)
                    frame = json.loads(done.stdout) if done and done.returncode == 0 else None
                    if frame and frame["rank_states"] and frame["rank_states"][0].get("now_in") == [step, "inside"]:
                        break
                (rank,) = frame["rank_states"]
                self.assertEqual((rank["now_in"], rank["in_mpi"]), ([step, "inside"], False))
                paths = [row["path"] for row in frame["callpaths"]]
                self.assertEqual(paths[0], ["time step", "inside"])
                self.assertEqual(sum(path[-1].startswith("time step") for path in paths), 1, paths)
                text = self.command(ANDES, "top", "--once", "--interval", "0.1", jobs[0]).stdout
                self.assertRegex(text, r"(?m)^time step > inside +100\.0 ")
                self.assertRegex(text, r"(?m)^ +0 .* %s > inside$" % re.escape(step))
            finally:
                process.kill()
                process.wait()


class Views(Case):

    def setUp(self):
        super().setUp()
        self.measure(self.build("named.c", *C))

    def test_text(self):
        text = self.show("--cut", "0")
        self.assertNotIn("time step 7", text)
        self.assertRegex(text, r"main > time step +12 +12 ")
        self.assertRegex(text, r"residual +12 +25\.[89] +8\.33 +100 +8\.33 +")
        apart = self.show("--cut", "0", "--phases")
        self.assertIn("time step 7", apart)
        self.assertRegex(apart, r"residual +1 +50\.0 +50\.0 +50\.0 +50\.0 +")

    def test_json(self):
        folded, apart = (json.loads(self.show("--json", *more)) for more in ([], ["--phases"]))
        for document in (folded, apart):
            phase = next(p for p in document["phases"] if p["path"][-1] == "time step")
            self.assertEqual([s["number"] for s in phase["steps"]], list(range(1, 13)))
            self.assertLessEqual(phase["min_s"], phase["mean_s"])
            self.assertLessEqual(phase["mean_s"], phase["max_s"])
            whole = sum(r["exclusive_s"] for r in document["callpaths"])
            self.assertAlmostEqual(whole / document["callpaths"][0]["inclusive_s"], 1, places=6)
        rows = {"/".join(r["path"]): r for r in apart["callpaths"]}
        self.assertEqual(rows["main/time step/time step 7/work"]["visits"], 1)
        self.assertNotIn("main/time step/work", rows)
        values = {tuple(v["path"]): v for v in apart["values"] if v["name"] == "residual"}
        self.assertEqual(values[("main", "time step", "time step 4")]["max"], 25.0)
        (value,) = [v for v in folded["values"] if v["name"] == "residual"]
        self.assertEqual((value["count"], value["min"], value["max"], len(value["locations"])), (12, 100 / 12, 100, 12))

    def test_csv(self):
        tables = self.show("--csv").split("\n\n")
        self.assertEqual(len(tables), 2)
        self.assertTrue(tables[1].startswith("value,callpath,path,count,not_finite,mean,min,max,last\n"))
        self.assertIn("residual,", tables[1])

    def test_no_steps_of_single_ranks(self):
        done = self.command(ANDES, "show", "run.andes", "--phases", "--rank", "0", check=2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertNotIn("residual", self.show("--rank", "0"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
