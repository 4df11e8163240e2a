"""What is left over at MPI_Finalize is named: the kind, both ranks, the tag, the call path and its line."""
import json
import os
import subprocess
import unittest

from support.build import ANDES, PREPROCESS
from support.commands import command
from support.environment import environment
from support.mpi import MPIS, MpiTest, each_mpi, launcher

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "left_overs.c")


def line_of(function):
    with open(SOURCE, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.startswith(f"static void {function}("))


class LeftOvers(MpiTest):
    def left_overs(self, mpi, what):
        program = self.path(f"left.{mpi}")
        if not os.path.exists(program):
            subprocess.run([PREPROCESS, "cc", "--select", "all", MPIS[mpi], "-O1", "-g", SOURCE, "-o", program], check=True)
        run = self.path(f"{what}.{mpi}.andes")
        done = subprocess.run([ANDES, "run", "-o", run, "--", *launcher(mpi), "-n", "2", program, what], timeout=600,
                              env=environment(ANDES_WINDOWS="off"), capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = json.loads(command([ANDES, "diagnose", run, "--json"]).stdout)
        self.assertEqual(json.loads(command([ANDES, "show", run, "--json"]).stdout).get("left_overs"),
                         found.get("left_overs"))
        self.text = " ".join(command([ANDES, "diagnose", run]).stdout.split())
        self.assertEqual("Left over" in self.text, "left_overs" in found, self.text)
        return found.get("left_overs", [])

    def check(self, mpi, what, kind, function, call, events=1, **values):
        left = self.left_overs(mpi, what)
        self.assertEqual(len(left), 1, left)
        expected = {"kind": kind, "events": events, "path": ["main", function, call], "file": SOURCE,
                    "line": line_of(function), **values}
        self.assertEqual({**left[0], "file": os.path.abspath(os.path.join(self.folder, left[0]["file"]))}, expected)
        self.assertIn(f"main > {function} > {call} (left_overs.c:{line_of(function)})", self.text)

    @each_mpi
    def test_nothing(self, mpi):
        for what in ("none", "failed", "freed", "off"):
            self.assertEqual(self.left_overs(mpi, what), [], what)

    @each_mpi
    def test_a_send_that_no_receive_took(self, mpi):
        self.check(mpi, "send", "send", "sends", "MPI_Send", events=3, rank=0, peer_rank=1, tag=7)
        self.assertIn("3 sends that no receive took, the first from rank 0 to rank 1 with tag 7", self.text)

    @each_mpi
    def test_a_receive_that_no_send_met(self, mpi):
        self.check(mpi, "receive", "receive", "posts", "MPI_Irecv", rank=1, peer_rank=0, tag=7)

    @each_mpi
    def test_a_request_that_no_call_completed(self, mpi):
        self.check(mpi, "request", "request", "posts", "MPI_Irecv", rank=1, peer_rank=0, tag=7)

    @each_mpi
    def test_a_receive_from_any_rank(self, mpi):
        self.check(mpi, "any", "request", "posts", "MPI_Irecv", rank=1)
        self.assertIn("of rank 1", self.text)

    @each_mpi
    def test_a_persistent_request_that_was_started(self, mpi):
        self.check(mpi, "persistent", "receive", "persists", "MPI_Start", rank=1, peer_rank=0, tag=9)

    @each_mpi
    def test_a_collective_that_a_rank_did_not_call(self, mpi):
        left = self.left_overs(mpi, "missing")
        self.assertEqual({one["kind"] for one in left}, {"collective_missing", "request"}, left)
        missing = next(one for one in left if one["kind"] == "collective_missing")
        self.assertEqual((missing["rank"], missing["path"]), (1, ["main", "begins_barrier", "MPI_Ibarrier"]))
        self.assertEqual(missing["peer_rank"], 0)

    @each_mpi
    def test_different_roots(self, mpi):
        left = self.left_overs(mpi, "root")
        self.assertEqual(len(left), 1, left)
        path = ["main", "broadcasts", "MPI_Bcast"]
        self.assertEqual([left[0][key] for key in ("kind", "rank", "path", "root", "peer_rank", "peer_path", "peer_root", "events")],
                         ["collective_root", 0, path, 0, 1, path, 1, 1])
        call = "main > broadcasts > MPI_Bcast (left_overs.c:%d)" % line_of("broadcasts")
        self.assertIn("1 collective with different roots: rank 0 called %s with root 0, rank 1 called %s with root 1." % (call, call), self.text)

    @each_mpi
    def test_different_order(self, mpi):
        left = self.left_overs(mpi, "order")
        self.assertEqual({one["kind"] for one in left}, {"collective_order"}, left)
        self.assertEqual(sorted((one["path"][-1], one["rank"], one["peer_path"][-1], one["peer_rank"]) for one in left),
                         [("MPI_Bcast", 0, "MPI_Gather", 1), ("MPI_Gather", 0, "MPI_Bcast", 1)])
        self.assertEqual(sum(one["events"] for one in left), 2)


if __name__ == "__main__":
    unittest.main()
