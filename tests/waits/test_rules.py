"""A file of rules of the user's own in a real run: the call that makes a persistent request and each of
its starts become one event, of which another rule reports a cause."""

import json
import os
import unittest

from support.build import ANDES, SOURCE
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS, launcher, polling
from support.run_file import RunFile
from test_known import call_times

RULES = """
rule
    event e1 type function_call_non_blocking_receive_operation
    event e2 type function_call_request_handling
    where
        e1.@function_name eq "MPI_Recv_init" and
        e2.@function_name eq "MPI_Start" and
        e1.rank = e2.rank and
        e1.request = e2.request
    compose event of type point_to_point_operation
        type = RECEIVE_OPERATION
        function_name = e1.function_name
        call_stack = e2.@call_stack
        start_time = e2.start_time
        finish_time = e2.finish_time
        rank = e2.rank
        source = e1.source
        dest = e1.dest
        tag = e1.tag
        comm = e1.comm
    delete e2;

rule
    event e type point_to_point_operation
    where
        e.function_name eq "MPI_Recv_init" and e.source = 0 and e.dest = 1 and e.tag = 0
    create performance observation
        cause = receive_started
        name = "Prepared receive started"
        advice = "None is needed."
        impact = e.finish_time - e.start_time;
"""


# The first rule to name a cause decides among equal ones, and of the calls of one name none waits longer than it takes.
CALLS = """
rule
    event e type function_call_one_sided_operation
    where e.dest = 0 and e.bytes = 4 and e.function_name eq "MPI_Put"
    create performance observation
        cause = put
        name = "Put to rank 0"
        impact = 2 * (e.finish_time - e.start_time);

rule
    event e type function_call_window_synchronisation
    where e.function_name eq "MPI_Win_unlock" and e.dest >= 0
    create performance observation
        cause = unlock
        name = "Unlock"
        impact = 2 * (e.finish_time - e.start_time);

rule
    event e type function_call_communicator_management
    create performance observation
        cause = manage
        name = "Window made or freed"
        impact = 2 * (e.finish_time - e.start_time);
"""


# By tests/programs/waits/functions.c: a wait in the program itself, one joined with the message received within the function,
# and two that only count.
FUNCTIONS = """
rule
    event f type function_call
    where f.function_name eq "wait_for_flag" and f.kind = FUNCTION
    create performance observation
        cause = flag
        name = "Waiting for a flag"
        impact = f.finish_time - f.start_time;

rule
    event f type function_call
    event e type point_to_point_operation_group
    where
        f.function_name eq "exchange" and f.rank = e.receive_rank and
        e.receive_start_time >= f.start_time and e.receive_start_time <= f.finish_time
    create performance observation
        cause = before_receive
        name = "In exchange before the receive"
        impact = e.receive_start_time - f.start_time;

rule
    event f type function_call
    where f.kind = PARALLEL
    create performance observation
        cause = region
        name = "Parallel region"
        impact = 1;
"""

ONE_LOCK = """
rule event e type lock_operation_group
     create performance observation name = "Lock" impact = 1;
"""


class Rules(EndToEnd):

    def findings(self, kind, ranks=2, program=("messages", "late_sender_persistent"), text=RULES, **settings):
        """Times of the program's calls by its own clock, and what is found."""
        rules = os.path.join(self.folder, "my.rules")
        with open(rules, "w", encoding="utf-8") as file:
            file.write(text)
        out, _ = self.measure(kind, ranks, *program, asleep=True, rules=rules, **settings)
        file = os.path.join(self.folder, "run%d.andes" % self.number)
        found = json.loads(command([ANDES, "diagnose", file, "--all", "--json"]).stdout)
        return call_times(out), found["findings"]

    def test_persistent_requests(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                # Beside it one that is in the log anyway.
                times, found = self.findings(kind, events="function_call_non_blocking_receive_operation, "
                                                          "function_call_request_handling")
                own = [f for f in found if f["cause"] == "receive_started"]
                self.assertEqual(len(own), 1, found)
                self.assertEqual("/".join(own[0]["path"]), "main/late_sender_persistent/MPI_Start")
                self.assertEqual([r["rank"] for r in own[0]["ranks"]], [1])
                self.assertEqual(own[0]["events"], 2)
                self.assertGreater(own[0]["severity_s"], 0)
                self.assertLessEqual(own[0]["severity_s"], times[1, "MPI_Start"] + 1e-6)
                self.assertIn("late_sender", [f["cause"] for f in found])

    def test_calls_of_windows(self):
        """Three ranks make and free a window; each locks one rank's part, puts one word of 4 bytes there, unlocks."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                _, found = self.findings(
                    kind, 3, ("onesided", "lock_contention"), CALLS, events="function_call_one_sided_operation,"
                    "function_call_window_synchronisation,function_call_communicator_management")
                events = {(f["cause"], f["path"][-1]): {r["rank"] for r in f["ranks"]} for f in found}
                self.assertEqual(events.get(("put", "MPI_Put")), {0, 1})
                self.assertEqual(events.get(("unlock", "MPI_Win_unlock")), {0, 1, 2})
                self.assertEqual(events.get(("manage", "MPI_Win_create")), {0, 1, 2})
                self.assertEqual(events.get(("manage", "MPI_Win_free")), {0, 1, 2})

    def build_functions(self, kind):
        command([ANDES, "cc", "--select", "all", "mpicc." + kind, "-O2", "-fopenmp",
                 os.path.join(SOURCE, "tests", "programs", "waits", "functions.c"), "-o", "functions"], cwd=self.folder)
        with open(os.path.join(self.folder, "my.rules"), "w", encoding="utf-8") as file:
            file.write(FUNCTIONS)

    def check_functions(self, kind):
        file = os.path.join(self.folder, "functions.%s.andes" % kind)
        command([ANDES, "run", "-o", file, "--set", "rules=my.rules", "--set", "events=function_call", "--",
                 *launcher(kind, 2), "./functions", "functions"], cwd=self.folder, LD_PRELOAD=polling(kind))
        found = {f["cause"]: f for f in json.loads(command([ANDES, "diagnose", file, "--all", "--json"]).stdout)["findings"]}
        flag = found["flag"]
        self.assertEqual("/".join(flag["path"]), "main/functions/wait_for_flag")
        self.assertEqual(([r["rank"] for r in flag["ranks"]], flag["events"]), ([1], 2))
        self.assert_near(flag["severity_s"], 0.150 + 0.120, 0.01, "waiting for the flag")
        before = found["before_receive"]
        self.assertEqual("/".join(before["path"]), "main/functions/exchange")
        self.assert_near(before["severity_s"], 0.350 - 0.340, 0.005, "in exchange before the receive")
        self.assert_near(found["late_sender"]["severity_s"], 0.450 - 0.350, 0.01, "late sender")
        self.assertEqual(found["region"]["events"], 2 * 3 * 4)  # ranks, regions, threads
        # It was computation, and is waiting now: nothing else has changed.
        location = RunFile(file).location(1)
        team_s = location["team_idle_ns"] / 1e9
        self.assert_near(location["idle_ns"] / 1e9 - team_s, 0.270 + 0.010 + 0.100, 0.02, "idle of rank 1")
        parts = sum(location[part + "_ns"] for part in ("compute", "communication", "idle", "io", "tool"))
        self.assert_near(parts / 1e9, location["wall_ns"] / 1e9, 1e-6, "conserved")

    def test_functions_of_the_program(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.build_functions(kind)
                self.timed(self.check_functions, kind)

    def test_operations_left_out(self):
        """Of two causes, that of a collective and those of messages, the messages' are gone."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.measure(kind, 2, "messages", "late_sender", asleep=True, events="-point_to_point_operation_group")
                file = os.path.join(self.folder, "run%d.andes" % self.number)
                found = json.loads(command([ANDES, "diagnose", file, "--json"]).stdout)
                self.assertNotIn("late_sender", [f["cause"] for f in found["findings"]])
                self.assertEqual(found["events_left_out"], "messages")
                self.assertEqual([found[key] for key in ("messages_unmatched", "events_unordered", "events_lost")], [0, 0, 0])
                self.assertIn("Setting events left messages out of the log",
                              command([ANDES, "diagnose", file]).stdout.replace("\n", " "))

    def test_rules_of_what_is_left_out(self):
        with open(os.path.join(self.folder, "my.rules"), "w", encoding="utf-8") as file:
            file.write(ONE_LOCK)
        done = command([ANDES, "run", "--set", "rules=my.rules", "--set", "events=-lock_operation_group", "--", "true"],
                       cwd=self.folder, check=2)
        self.assertIn("my.rules: its rules read lock_operation_group, which setting events leaves out of the log; "
                      "take -lock_operation_group out of the setting", done.stderr)

    def test_without_the_setting(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                _, found = self.findings(kind)
                self.assertEqual([f for f in found if f["cause"] == "receive_started"], [])


if __name__ == "__main__":
    unittest.main()
