"""Bad input of the command line: the exact message, exit status 2, nothing written."""

import os
import subprocess
import unittest

from support.build import ANDES
from support.command_line import CommandTest, main


class BadInput(CommandTest):
    def test_no_command(self):
        self.refused("no command; andes --help lists them")

    def test_unknown_command(self):
        self.refused("foo: no such command; andes --help lists them", "foo")

    def test_mistyped_command(self):
        self.refused("mpicc: no such command; write andes cc mpicc ...", "mpicc", "-c", "a.c")
        self.refused("mpirun: no such command; write andes run -- mpirun ...", "mpirun", "-n", "2", "./a.out")
        self.refused("make: no such command; write andes build -- make ...", "make")
        self.refused("rnu: no such command; did you mean run? (andes --help lists them)", "rnu")

    def test_unknown_option(self):
        self.refused("--vers: no such option; andes --help lists the commands, andes COMMAND --help "
                     "their options", "--vers")

    def test_version(self):
        done = self.succeeds("--version")
        self.assertEqual((done.stdout, done.stderr), ("andes 0.1.0\n", ""))

    def test_help_of_each_command(self):
        for command in ("run", "exec", "env"):
            done = self.succeeds(command, "--help")
            self.assertIn("Usage", done.stdout)
            self.assertEqual(done.stderr, "")
        self.assertIn("andes report", self.succeeds("--help").stdout)

    def test_run_without_command(self):
        self.refused("run: no command; write it after --: "
                     "andes run --ranks 1,2,4 -- mpirun -n {p} ./a.out", "run")

    def test_run_without_dashes(self):
        self.refused("run: mpirun: the command to run belongs after --; "
                     "write andes run -- mpirun -n 2 ./a.out", "run", "mpirun", "-n", "2", "./a.out")
        self.refused("run: mpirun: the command to run belongs after --; "
                     "write andes run --ranks 1,2 -- mpirun -n {p} ./a.out",
                     "run", "--ranks", "1,2", "mpirun", "-n", "{p}", "./a.out")

    def test_words_that_nothing_takes(self):
        self.refused("show: not expected: b.andes c.andes; andes show --help lists the options",
                     "show", "a.andes", "b.andes", "c.andes")
        self.refused("doctor: not expected: -n 2 ./a.out; it takes the program alone, without launcher and arguments: "
                     "andes doctor ./a.out", "doctor", "mpirun", "-n", "2", "./a.out")
        self.refused("run: not an option: --rank; did you mean --ranks?", "run", "--rank", "1", "--", "./a.out")
        self.refused("show: not an option: --flta=2; did you mean --flat?", "show", "--flta=2", "a.andes")
        self.refused("show: not an option: --flta; did you mean --flat?", "show", "--flta") # and no file
        self.refused("show: not an option: --flta; did you mean --flat?", "show", "a.andes", "b.andes", "--flta")
        self.refused("run: mpirun: the command to run belongs after --; write andes run -- mpirun --rank 1 ./a.out",
                     "run", "mpirun", "--rank", "1", "./a.out") # of mpirun
        self.refused("run: not an option: --budget; write --set budget_percent=VALUE for the setting",
                     "run", "--budget", "2", "--", "./a.out")
        self.refused("--set budget: unknown setting; did you mean budget_percent? (configs/andes.info lists all)",
                     "run", "--set", "budget=2", "--", "./a.out")
        self.refused("run: not an option: --tree-mb=8; write --set tree_mb=VALUE for the setting",
                     "run", "--tree-mb=8", "--", "./a.out")
        self.refused("run: not expected: -n 2; the launcher takes it: andes run -- mpirun -n 2 ./a.out; for a sweep: "
                     "--ranks 1,2 and -n {p} there", "run", "-n", "2", "--", "mpirun", "./a.out")
        self.refused("run: not expected: --on-fire 1; andes run --help lists the options",
                     "run", "--on-fire", "1", "--", "./a.out")

    def test_command_that_does_not_exist(self):
        self.refused("./nosuch: no such file; check its path and the working directory",
                     "run", "--", "./nosuch")
        self.refused("nosuchmpirun: no such program in PATH; check its name, or write its path",
                     "run", "--ranks", "1,2", "--", "nosuchmpirun", "-n", "{p}", "./a.out")

    def test_exec_of_program_that_does_not_exist(self):
        self.refused("./nosuch: no such file; check its path and the working directory", "exec", "./nosuch")
        self.refused("exec: no program; write andes exec ./a.out ARGUMENTS", "exec")

    def test_p_without_ranks(self):
        self.refused("run: the command has {p} but there is no --ranks; add for example --ranks 1,2,4",
                     "run", "--", "mpirun", "-n", "{p}", "./a.out")

    def test_ranks_without_p(self):
        self.refused("run: there is --ranks but the command has no {p}; write it where the number of ranks "
                     "belongs: mpirun -n {p} ./a.out",
                     "run", "--ranks", "1,2", "--", "mpirun", "-n", "2", "./a.out")

    def test_bad_rank_lists(self):
        remedy = "; write for example 1,2,4 or 1-4 or 2-16:2"
        for text, fact in {
                "": "a number is missing",
                "1,,4": "a number is missing",
                "1,2,": "a number is missing",
                "two": '"two" is not a number',
                "1;2": '"1;2" is not a number',
                "1.5": '"1.5" is not a number',
                "0": "0 is not a number of ranks",
                "-3": "-3 is not a number of ranks",
                "1-0": "0 is not a number of ranks",
                "8-4": "8-4 runs backwards",
                "2-": "a number is missing",
                "2-8:": "a number is missing",
                "2-8:0": "0 is not a number of ranks",
                "4:2": "a step needs a range before it",
                "99999999999999": "99999999999999 is too large",
                "1-100000": "more than 10000 rank counts"}.items():
            with self.subTest(text):
                self.refused("--ranks %s: %s%s" % (text, fact, remedy),
                             "run", "--ranks", text, "--", "mpirun", "-n", "{p}", "./a.out")
        self.refused("--ranks 1,2,2: 2 is named twice; use --repeat for more runs of a rank count",
                     "run", "--ranks", "1,2,2", "--", "mpirun", "-n", "{p}", "./a.out")

    def test_bad_repeat(self):
        for text in ("0", "x", "-1", "1.5", "99999999"):
            with self.subTest(text):
                self.refused("--repeat %s: not a number of runs; give a whole number like 6" % text,
                             "run", "--repeat=" + text, "--", "true")

    def test_bad_label(self):
        self.refused('--label "a/b": blanks and slashes cannot be in a file name; '
                     "give a word like before", "run", "--label", "a/b", "--", "true")

    def test_output_of_a_sweep(self):
        self.refused("-o a.andes: names one run file but there are 4 runs; remove it: the run files then go to "
                     "a directory under runs",
                     "run", "-o", "a.andes", "--ranks", "1,2", "--repeat", "2", "--",
                     "mpirun", "-n", "{p}", "./a.out")

        self.refused("the setting out a.andes: names one run file but there are 2 runs; remove it: "
                     "the run files then go to a directory under runs",
                     "run", "--repeat", "2", "--", "true", ANDES_OUT="a.andes")

    def test_output_exists(self):
        self.write("a.andes", "precious")
        self.refused("a.andes: exists already and is not overwritten; remove it or choose another "
                     "name", "run", "-o", "a.andes", "--", "true")
        with open(os.path.join(self.work, "a.andes"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_output_directory_missing(self):
        self.refused("no/such: No such file or directory; make the directory first",
                     "run", "-o", "no/such/a.andes", "--", "true")

    def test_output_is_a_directory(self):
        os.mkdir(os.path.join(self.work, "d"))
        self.refused("d: is a directory; -o takes the name of a run file",
                     "run", "-o", "d", "--", "true")

    def test_unknown_pattern(self):
        self.refused("a%q.andes: %q has no meaning; %x is the program, %p the ranks, %j the job, "
                     "%u unique, %% %", "run", "-o", "a%q.andes", "--", "true")

    def test_runs_is_a_file(self):
        self.write("runs", "")
        self.refused("runs: cannot be written: Not a directory; go to another directory or give "
                     "-o FILE", "run", "--", "true")

    @unittest.skipUnless(os.getuid() == 0, "needs another user to be refused")
    def test_unwritable_directory(self):
        os.chmod(self.place, 0o755)
        for words, message in (
                (("run", "--", "true"),
                 "runs: cannot be written: Permission denied; go to another directory or give -o "
                 "FILE"),
                (("run", "-o", "a.andes", "--", "true"),
                 ".: cannot be written: Permission denied; choose another place for -o")):
            done = subprocess.run([ANDES, *words], cwd=self.work, user=65534,
                                          group=65534, extra_groups=[], env=self.environment(),
                                          capture_output=True, text=True, timeout=600)
            self.assertEqual((done.returncode, done.stderr), (2, "andes: " + message + "\n"))
        self.assertEqual(os.listdir(self.work), [])

    def test_unknown_option_of_a_command(self):
        done = self.andes("run", "--rnaks", "1,2", "--", "true")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertTrue(done.stderr.startswith("andes: run: "), done.stderr)
        self.assertIn("--rnaks", done.stderr)

    def test_no_monitor(self):
        nowhere = os.path.join(self.place, "nowhere")
        self.refused(nowhere + "/libandes.so: the monitor is not there; build or install all of andes",
                     "run", "--", "true", ANDES_LIB=nowhere)


if __name__ == "__main__":
    main()
