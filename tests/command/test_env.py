"""andes env and andes exec: what a shell and a batch job make of them."""

import json
import os
import shutil
import stat
import subprocess
import sys

from support.build import LIBRARY
from support.command_line import CommandTest, main


class Env(CommandTest):
    def shell(self, text, **env):
        return subprocess.run(["/bin/sh", "-euc", text], cwd=self.work, text=True, timeout=600,
                              env=self.environment(**env), capture_output=True)

    def test_lines_can_be_evaluated(self):
        done = self.succeeds("env", "--set", "recursion=full")
        self.assertEqual(done.stdout,
                         "export LD_PRELOAD=%s${LD_PRELOAD:+:$LD_PRELOAD}\n"
                         "export ANDES_OUT=%%x.%%p.%%u.andes\n"
                         "export ANDES_RECURSION=full\n" % LIBRARY)
        self.assertEqual(done.stderr, "")
        shown = self.shell(done.stdout + 'echo "$LD_PRELOAD $ANDES_OUT"', LD_PRELOAD="libm.so.6")
        self.assertEqual(shown.stdout, LIBRARY + ":libm.so.6 %x.%p.%u.andes\n")

    def test_names_are_quoted(self):
        done = self.succeeds("env", ANDES_OUT="it's $HOME")
        self.assertEqual(self.shell(done.stdout + 'echo "$ANDES_OUT"').stdout, "it's $HOME\n")

    def test_options_of_a_script_need_slurm(self):
        self.refused("--ranks: belongs to a job script; add --slurm", "env", "--ranks", "1,2")
        self.refused("env: a command belongs to a job script; add --slurm", "env", "--", "./a.out")


class Slurm(CommandTest):
    def setUp(self):
        super().setUp()
        # srun as it matters here: --ntasks=P PROGRAM.
        srun = os.path.join(self.bin, "srun")
        with open(srun, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "$1 $ANDES_OUT" >>"$FAKE_LOG"; shift\nexec "$@"\n')
        os.chmod(srun, os.stat(srun).st_mode | stat.S_IXUSR)
        self.program = self.write("prog", "#!%s\nimport sys\nprint(sys.argv[1:])\n"
                                  % sys.executable, executable=True)

    def script(self, *words):
        return self.succeeds("env", "--slurm", *words).stdout

    def test_script_is_clean(self):
        text = self.script("--ranks", "1,2", "--", "./a b", "it's", "{p}x{p}")
        path = self.write("job.sh", text)
        self.assertEqual(subprocess.run(["bash", "-n", path], check=False).returncode, 0)
        if shutil.which("shellcheck"):
            checked = subprocess.run(["shellcheck", path], capture_output=True, text=True,
                                     check=False)
            self.assertEqual(checked.stdout, "")
        self.assertTrue(text.startswith("#!/bin/bash\n#SBATCH --job-name=andes-"))
        self.assertIn("#SBATCH --ntasks=2\n", text)

    def test_script_runs(self):
        text = self.script("--ranks", "1,2", "--repeat", "2", "--label", "x", "--set",
                           "node_limit=5000", "--", "./prog", "size={p}0", "a b")
        path = self.write("job.sh", text)
        done = subprocess.run(["bash", path], cwd=self.work, text=True, capture_output=True,
                              env=self.environment(SLURM_JOB_ID="42"), timeout=600, check=False)
        self.assertEqual(done.stdout.splitlines()[:4],
                         ["['size=10', 'a b']", "['size=20', 'a b']"] * 2, done.stderr)
        with open(self.log, encoding="utf-8") as file:
            started = [line.split() for line in file]
        folder = os.path.realpath(self.work) + "/runs/prog-x-42/"
        self.assertEqual([(ranks, out.replace(folder, "")) for ranks, out in started],
                         [("--ntasks=%d" % p, "p%d.%d.andes" % (p, r))
                          for r in (1, 2) for p in (1, 2)])


class Exec(CommandTest):
    def shown(self, *words, **env):
        """What the program finds in its environment."""
        self.write("show_env", "#!%s\nimport json, os\nprint(json.dumps([os.getpid(), "
                   "{k: v for k, v in os.environ.items() if k.startswith(('ANDES_', 'LD_PRE'))}]))\n"
                   % sys.executable, executable=True)
        return json.loads(self.succeeds("exec", *words, **env).stdout)

    def test_environment(self):
        pid, env = self.shown("./show_env")
        self.assertEqual(env, {
            "LD_PRELOAD": LIBRARY, "ANDES_PID": str(pid),
            "ANDES_OUT": os.path.realpath(self.work) + "/%x.%p.%u.andes"})

    def test_job_number_under_a_batch_system(self):
        _, env = self.shown("./show_env", SLURM_JOB_ID="42")
        self.assertEqual(env["ANDES_OUT"], os.path.realpath(self.work) + "/%x.%p.%j.%u.andes")

    def test_what_is_set_stays(self):
        _, env = self.shown("--", "./show_env", ANDES_OUT="/tmp/x.andes", ANDES_RECURSION="full",
                            LD_PRELOAD=LIBRARY + ":libm.so.6")
        self.assertEqual(env["ANDES_OUT"], "/tmp/x.andes")
        self.assertEqual(env["ANDES_RECURSION"], "full")
        self.assertEqual(env["LD_PRELOAD"], LIBRARY + ":libm.so.6")

    def test_off(self):
        _, env = self.shown("./show_env", ANDES_MONITOR="off")
        self.assertEqual(env, {"ANDES_MONITOR": "off"})

    def test_arguments_and_status_are_the_program_s(self):
        done = self.succeeds("exec", "sh", "-c", 'echo "$0 $1"; exit 7', "--help", "a b", status=7)
        self.assertEqual((done.stdout, done.stderr), ("--help a b\n", ""))

    def test_name_in_path(self):
        self.assertEqual(self.succeeds("exec", "printf", "%s", "x").stdout, "x")


if __name__ == "__main__":
    main()
