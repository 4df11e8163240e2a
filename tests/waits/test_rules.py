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


class Rules(EndToEnd):

    def findings(self, kind, **settings):
        """Times of the program's calls by its own clock, and what is found."""
        rules = os.path.join(self.folder, "my.rules")
        with open(rules, "w", encoding="utf-8") as file:
            file.write(RULES)
        out, _ = self.measure(kind, 2, "messages", "late_sender_persistent", asleep=True, rules=rules,
                              **settings)
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

    def test_without_the_setting(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                _, found = self.findings(kind)
                self.assertEqual([f for f in found if f["cause"] == "receive_started"], [])


if __name__ == "__main__":
    unittest.main()
