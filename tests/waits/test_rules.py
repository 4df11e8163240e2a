"""A file of rules of the user's own in a real run: the call that makes a persistent request and each of
its starts become one event, of which another rule reports a cause."""

import json
import os
import unittest

from support.build import ANDES
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS
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

    def test_without_the_setting(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                _, found = self.findings(kind)
                self.assertEqual([f for f in found if f["cause"] == "receive_started"], [])


if __name__ == "__main__":
    unittest.main()
