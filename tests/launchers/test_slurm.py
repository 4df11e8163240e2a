"""andes under Slurm, on a cluster of two nodes that is made for these tests: srun in the forms of the guide, the
batch script as `andes env --slurm` prints it, the job's number in names."""
import glob
import json
import os
import time

import cases
import slurm
from support.build import ANDES
from support.programs import KINDS, program
from support.run_file import RunFile

# How srun starts the ranks of each library, with Debian's packages.
TYPES = {"openmpi": "pmix", "mpich": "pmi2"}
NODES = {"openmpi": 2, "mpich": 1}  # test_hosts.py says why
END_S = 300


def srun(kind):
    """Words that start four ranks, two on each node; a single node is the first, whichever is free before."""
    return ["srun", "--mpi=" + TYPES[kind], f"--nodes={NODES[kind]}", f"--ntasks-per-node={4 // NODES[kind]}",
            "-n", "4", *(["--nodelist=node1"] if NODES[kind] == 1 else [])]


class Slurm(cases.Case):
    def check_four_ranks(self, run, kind):
        self.check_whole(run, ["node1", "node1", "node2", "node2"] if NODES[kind] == 2 else ["node1"] * 4)

    def submit(self, path, *options, **more):
        return self.command(["sbatch", "--parsable", "--output=job.out", *options, path], **more).stdout.strip()

    def state(self, number):
        text = self.command(["scontrol", "show", "job", number]).stdout
        return dict(word.split("=", 1) for word in text.split() if "=" in word)["JobState"]

    def wait(self, number, *states):
        end = time.monotonic() + END_S
        while (state := self.state(number)) not in states:
            self.assertLess(time.monotonic(), end, f"job {number}: {state}, not one of {states}\n{self.output()}")
            time.sleep(0.1)
        return state

    def output(self):
        path = os.path.join(self.folder, "job.out")
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    @cases.each_kind
    def test_srun_andes_exec(self, kind):
        done = self.command([*srun(kind), "andes", "exec", program(kind, "jacobi"), "256", "20"])
        self.assertIn("right", done.stdout)
        (path,) = self.run_files()
        name, ranks, job, _, _ = os.path.basename(path).split(".")  # with the job's number
        self.assertEqual((name, ranks), ("jacobi", "4"))
        run = RunFile(path)
        self.check_four_ranks(run, kind)
        self.assertEqual(run.environment["SLURM_JOB_ID"], job)

    @cases.each_kind
    def test_andes_run_of_srun(self, kind):
        self.command(["andes", "run", "--", *srun(kind), program(kind, "jacobi"), "256", "20"])
        run = self.only_run()
        self.check_four_ranks(run, kind)
        self.assertEqual(run.facts["exit_status"], 0)

    @cases.each_kind
    def test_a_sweep_by_srun(self, kind):
        self.command(["andes", "run", "--ranks", "2,4", "--", "srun", "--mpi=" + TYPES[kind], "-N", "1",
                      "-n", "{p}", program(kind, "jacobi"), "256", "20"])
        self.assertEqual([os.path.basename(path) for path in self.run_files()],
                         ["p2.1.andes", "p4.1.andes"])

    def test_the_number_of_the_job_in_the_name(self):
        kind = KINDS[0]
        self.command(["srun", "--mpi=" + TYPES[kind], "-n", "2", "andes", "exec",
                      program(kind, "jacobi"), "256", "5"], ANDES_OUT="%x-%p-%j.andes")
        run = self.only_run()
        job = run.environment["SLURM_JOB_ID"]
        self.assertEqual([os.path.basename(path) for path in self.run_files()], [f"jacobi-2-{job}.andes"])

    def script(self, kind, ranks, repeat, *arguments):
        """The batch script, as printed."""
        text = self.command(["andes", "env", "--slurm", "--ranks", ranks, "--repeat", repeat, "--",
                             program(kind, "jacobi"), *arguments]).stdout
        path = os.path.join(self.folder, "job.sh")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    @cases.each_kind
    def test_a_cancelled_job(self, kind):
        """The job's processes get SIGTERM, as at its time limit, and some seconds later SIGKILL."""
        number = self.submit(self.script(kind, "4", "6", "512", "10000000"), "--nodes=1", "--nodelist=node1",
                             SLURM_MPI_TYPE=TYPES[kind])
        begin = time.monotonic()
        while self.ranks_measured() < 4:
            self.assertLess(time.monotonic() - begin, END_S, self.output())
            time.sleep(0.1)
        self.command(["scancel", number])
        self.wait(number, "CANCELLED", "FAILED", "COMPLETED")
        begin = time.monotonic()
        while "the run file is kept" not in self.output() and time.monotonic() - begin < END_S:
            time.sleep(0.1)
        run = self.only_run()  # and the sweep goes no further
        self.assertEqual((run.facts["ranks"], run.facts["complete"]), (4, 0), self.output())
        self.assertIn("signal 15", self.output())
        for rank in range(4):
            self.assertGreater(run.region_value("visits", "iterate_late", rank), 0)
        self.assertEqual(glob.glob(self.place.hosts.files("node1", "/dev/shm/andes-*")), [])

    def ranks_measured(self):
        """Of the running job: those that are beyond MPI_Init for half a second."""
        top = self.command([ANDES, "top", "--once", "--json"], check=None)
        states = json.loads(top.stdout)["rank_states"] if top.returncode == 0 else []
        return sum(state["wall_s"] > 0.5 for state in states)

    @cases.each_kind
    def test_the_batch_script_as_printed(self, kind):
        number = self.submit(self.script(kind, "1,2,4", "2", "256", "5"), SLURM_MPI_TYPE=TYPES[kind])
        self.assertEqual(self.wait(number, "COMPLETED", "FAILED", "CANCELLED"), "COMPLETED", self.output())
        self.assertEqual([os.path.relpath(path, self.folder) for path in self.run_files()],
                         [f"runs/jacobi-{number}/p{p}.{repeat}.andes" for p in (1, 2, 4)
                          for repeat in (1, 2)])
        self.assertIn("jacobi", self.output())
        self.assertRegex(self.output(), r"(?m)^ *4 ")  # the report's line of 4 ranks

    def test_andes_env_inside_a_job(self):
        kind = KINDS[0]
        path = os.path.join(self.folder, "job.sh")
        with open(path, "w", encoding="utf-8") as file:
            file.write('#!/bin/bash\n#SBATCH --ntasks=4 --nodes=2\neval "$(andes env)"\n'
                       f"srun --mpi={TYPES[kind]} {program(kind, 'jacobi')} 256 5\n")
        number = self.submit(path)
        self.assertEqual(self.wait(number, "COMPLETED", "FAILED", "CANCELLED"), "COMPLETED", self.output())
        self.assertEqual(self.only_run().facts["ranks"], 4)


if __name__ == "__main__":
    cases.main(slurm.Cluster)
