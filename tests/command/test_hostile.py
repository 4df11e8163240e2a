"""What others may do to a user of andes: run files with names that a terminal would obey or a spreadsheet
would compute, file names with line breaks, links laid where andes writes, outputs that take nothing, names
from the environment that lead elsewhere. Each ends in what was asked for or in one line and status 2."""

import csv
import glob
import io
import json
import os
import sqlite3  # to damage run files; to read them: support/run_file.py
import stat
import subprocess
import unittest

from support.build import ANDES, BUILD, PREPROCESS
from support.command_line import TIMEOUT_S, CommandTest, main
from support.waiting import wait_until

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")

# An escape sequence, an 8-bit one, a line break, a carriage return, marks that turn the direction of writing,
# a byte that is no UTF-8.
HOSTILE = "a\x1b[2J\x1b]0;title\x07\u009b31m\nb\rc\u202ed\u2066e".encode() + b"\xff"
NOBODY = 65534  # a user without rights
SHOWN = "a\\x1b[2J\\x1b]0;title\\x07\\u009b31m\\x0ab\\x0dc\\u202ed\\u2066e\\xff"


class Hostile(CommandTest):
    def setUp(self):
        super().setUp()
        self.make({"file": "a.andes", "ranks": 4})

    def make(self, *specs):
        subprocess.run([MAKE_RUNS], cwd=self.work, input=json.dumps(specs), text=True, check=True)

    def change(self, sql, *values, file="a.andes"):
        database = sqlite3.connect(os.path.join(self.work, file))
        database.execute(sql, values)
        database.commit()
        database.close()

    def to(self, output, *words, shell_end=""):
        """One command of a shell with its standard output led elsewhere."""
        return subprocess.run(["sh", "-c", '"$@" %s %s' % (output, shell_end), "sh", ANDES, *words], cwd=self.work,
                              env=self.environment(), stderr=subprocess.PIPE, text=True, timeout=TIMEOUT_S)

    def test_names_that_terminals_obey(self):
        self.change("UPDATE region SET name = CAST(? AS TEXT), file = CAST(? AS TEXT) WHERE name = 'work'", HOSTILE, HOSTILE)
        self.change("UPDATE host SET name = CAST(? AS TEXT), cpu = CAST(? AS TEXT)", HOSTILE, HOSTILE)
        for name in ("program", "mpi_library", "started"):
            self.change("UPDATE fact SET value = CAST(? AS TEXT) WHERE name = ?", HOSTILE, name)
        self.change("UPDATE fact SET value = ? WHERE name = 'arguments'", json.dumps(["\x1b[2J", "\u202e", "a\nb"]))
        env = {"LC_ALL": "C.UTF-8"}
        ways = [[command, "a.andes", "--format", name] for command in ("show", "report", "diagnose")
                for name in self.formats(command)]
        for words in (*ways, ["diff", "a.andes", "a.andes"]):
            done = self.succeeds(*words, **env)
            for character in set(done.stdout) - {"\n"}:
                self.assertTrue(character.isprintable(), (words, character))
        self.assertIn(SHOWN, self.succeeds("show", "a.andes", "--csv", **env).stdout)
        shown = json.loads(self.succeeds("show", "a.andes", "--json", **env).stdout)
        self.assertIn(SHOWN, [path["path"][-1] for path in shown["callpaths"]])

    def test_cells_that_spreadsheets_compute(self):
        self.change("UPDATE region SET file = '=HYPERLINK(\"x\")' WHERE name = 'work'")
        self.change("UPDATE region SET file = '@SUM(1)' WHERE name = 'setup'")
        rows = list(csv.DictReader(io.StringIO(self.succeeds("show", "a.andes", "--csv").stdout)))
        self.assertEqual({row["file"] for row in rows if row["path"].endswith(("work", "setup"))},
                         {"'=HYPERLINK(\"x\")", "'@SUM(1)"})

    def test_schema_that_acts(self):
        """Views, triggers and computed columns of a file's own are no tables of a run."""
        self.change("ALTER TABLE region RENAME TO kept")
        self.change("CREATE VIEW region AS SELECT * FROM kept")
        self.assertIn("damaged", self.andes("show", "a.andes").stderr)
        self.make({"file": "b.andes", "ranks": 1})
        self.change("ALTER TABLE host ADD COLUMN more AS (hex(zeroblob(600000000)))", file="b.andes")
        self.change("ALTER TABLE host DROP COLUMN cpu", file="b.andes")
        self.change("ALTER TABLE host RENAME COLUMN more TO cpu", file="b.andes")
        done = self.andes("show", "b.andes")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)

    def test_file_names(self):
        self.refused("a\\x0ab\\x1b[2J.andes: no such file or directory; name a run file or a directory of run files",
                     "show", "a\nb\x1b[2J.andes")
        os.rename(os.path.join(self.work, "a.andes"), os.path.join(self.work, "x\ninclude y.andes"))
        written = self.succeeds("filter", "x\ninclude y.andes", status=self.andes("filter", "x\ninclude y.andes").returncode)
        for line in written.stdout.splitlines():
            self.assertTrue(line.startswith(("#", "exclude ")), line)

    def test_outputs_that_take_nothing(self):
        for words in (["show", "a.andes"], ["report", "a.andes", "--json"], ["env"], ["--help"], ["show", "--help"]):
            done = self.to(">/dev/full", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(done.stderr, "andes: standard output: No space left on device; make room or write elsewhere\n")
            closed = self.to(">&-", *words)
            self.assertEqual((closed.returncode, closed.stderr.count("\n")), (2, 1), (words, closed.stderr))
        # A reader that has seen enough is no error, and nothing is said.
        self.assertEqual(self.to("| head -n 1", "show", "a.andes", "--json", shell_end=">/dev/null").stderr, "")

    def test_links_laid_in_the_way(self):
        """A directory that others may write to: what andes makes there beside the file is made by andes."""
        self.change("INSERT OR REPLACE INTO fact VALUES('budget_percent', 1), ('probe_ns', 20)")
        victim = self.write("victim", "precious")
        place = os.path.join(self.work, "shared")
        os.mkdir(place)
        script = 'for n in 0 1 2; do ln -s ../victim shared/hot.sel.$$-$n; done; ln -s ../victim shared/hot.sel.$$; exec "$@"'
        done = subprocess.run(["sh", "-c", script, "sh", ANDES, "filter", "a.andes", "-o", "shared/hot.sel"],
                              cwd=self.work, env=self.environment(), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(victim, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")
        self.assertTrue(os.path.isfile(os.path.join(place, "hot.sel")))
        self.assertFalse(os.path.islink(os.path.join(place, "hot.sel")))

    def test_cache_directory_of_somebody_else(self):
        """What is known of compilers is neither read from nor written to a directory that is not one's own alone."""
        if not os.path.exists(PREPROCESS):
            self.skipTest("built without the preprocessor")
        self.write("a.c", "int main(void) { return 0; }\n")
        for made in ("link", "open"):
            temporary = os.path.join(self.work, made)
            elsewhere = os.path.join(self.work, made + "-elsewhere")
            os.mkdir(temporary)
            os.mkdir(elsewhere)
            name = os.path.join(temporary, "andes-compilers-%d" % os.getuid())
            if made == "link":
                os.symlink(elsewhere, name)
            else:
                os.mkdir(name)
                os.chmod(name, 0o777)
            self.succeeds("cc", "cc", "-c", "a.c", TMPDIR=temporary)
            self.assertEqual(os.listdir(elsewhere) + ([] if made == "link" else os.listdir(name)), [], made)
        temporary = os.path.join(self.work, "own")
        os.mkdir(temporary)
        self.succeeds("cc", "cc", "-c", "a.c", TMPDIR=temporary)
        kept = glob.glob(os.path.join(temporary, "andes-compilers-*"))
        self.assertEqual([stat.S_IMODE(os.stat(one).st_mode) for one in kept], [0o700])
        self.assertNotEqual(os.listdir(kept[0]), [])

    def test_names_from_the_environment(self):
        """Neither the program's name nor the job's number leads out of the directory."""
        program = os.path.join(self.work, "a\nb")
        self.write("a\nb", "")
        os.unlink(program)
        os.symlink("/bin/true", program)
        self.launcher()
        self.succeeds("run", "--", "mpirun", "-n", "2", "./a\nb")
        self.assertEqual(self.files(), ["a.andes", "runs/a_b-001/p2.1.andes"])
        self.succeeds("run", "-o", "x-%j.andes", "--", "mpirun", "-n", "2", "./prog", SLURM_JOB_ID="../../../y/z")
        self.assertIn("x-_._.._.._y_z.andes", self.files())
        self.refused('--label "../x": blanks and slashes cannot be in a file name; give a word like before',
                     "run", "--label", "../x", "--", "./prog")

    def test_what_lies_in_the_place_of_the_run_file(self):
        """What gives bytes for ever, or waits for somebody to write, is not read."""
        for made in ("mkfifo x.andes", "truncate -s 1T x.andes"):
            done = self.andes("run", "-o", "x.andes", "--", "sh", "-c", made)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("andes: x.andes: is not a run file; the run file is left unchanged\n", done.stderr)
            self.assertNotIn("wrote", done.stderr)
            os.unlink(os.path.join(self.work, "x.andes"))

    def as_nobody(self, *words, until=None, **env):
        """andes as a user who is not root, in a directory that all may write to; `until` is called a moment later."""
        os.chmod(self.place, 0o755)
        os.chmod(self.work, 0o1777)
        started = subprocess.Popen([ANDES, *words], cwd=self.work, env=self.environment(**env), user=NOBODY, group=NOBODY,
                                   extra_groups=[], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        if until:
            until()
        _, said = started.communicate(timeout=TIMEOUT_S)
        return started.returncode, said

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_what_others_put_in_the_way(self):
        """In a directory that all may write to: nothing of another user's is followed, written or taken for the run."""
        if not os.access(ANDES, os.X_OK) or self.as_nobody("--version")[0] != 0:
            self.skipTest("the build is not open to others")
        self.write("wait.c", "#include <unistd.h>\nint main(void) { struct { char c; } b; close(creat(\"begun\", 0600));"
                             " while (readlink(\"x.andes\", &b.c, 1) < 0 && access(\"x.andes\", F_OK) != 0) usleep(10000); return 0; }\n")
        subprocess.run(["cc", "-w", "-finstrument-functions", "-include", "fcntl.h", "wait.c", "-o", "wait"], cwd=self.work, check=True)
        target = os.path.join(self.work, "target")
        os.mkdir(target)
        os.chmod(target, 0o777)
        begun = os.path.join(self.work, "begun")
        for made in ("ln -s target/x x.andes", "ln -s a.andes x.andes", "mkfifo x.andes", "mkdir x.andes", "cp a.andes x.andes"):
            def put():
                wait_until(lambda: os.path.exists(begun), TIMEOUT_S, pause_s=0.01)
                subprocess.run(made, shell=True, cwd=self.work, check=True)

            status, said = self.as_nobody("run", "-o", "x.andes", "--", "./wait", until=put)
            self.assertEqual(status, 0, said)
            self.assertIn("andes: wrote x.2.andes\n", said, made)
            self.assertNotIn("x.andes: not", said, made)
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.work, "x.2.andes")).st_mode), 0o600)
            self.assertIn("exit_status", self.facts("x.2.andes"))
            self.assertEqual(os.listdir(target), [], made)
            subprocess.run("rm -r x.andes x.2.andes begun", shell=True, cwd=self.work, check=True)
        os.symlink("target", os.path.join(self.work, "runs"))
        status, said = self.as_nobody("run", "--", "true")
        self.assertEqual((status, said), (2, "andes: runs: is a link made by another user; remove it, or give -o\n"))
        self.assertEqual(os.listdir(target), [])

    def test_rights(self):
        """A run file that is completed after the run keeps the rights that it was made with, here by a program."""
        self.launcher()
        for umask, mode in ((0o022, 0o644), (0o077, 0o600)):
            name = "run-%o.andes" % umask
            done = subprocess.run(["sh", "-c", 'umask %o; exec "$@"' % umask, "sh", ANDES, "run", "-o", name, "--", "mpirun",
                                   "-n", "2", "./prog"], cwd=self.work, env=self.environment(), capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.work, name)).st_mode), mode)
            self.assertIn("exit_status", self.facts(name))


if __name__ == "__main__":
    main()
