"""A file of rules of the user's own is checked before anything starts: one diagnostic, status 2."""

import unittest

from support.command_line import CommandTest

RULES = """rule
    event e type point_to_point_operation_group
    create performance observation
        name = "Every message"
        impact = op1.send_start_time - e.receive_start_time;
"""


class Rules(CommandTest):
    def test_broken_rules(self):
        self.launcher()
        self.write("my.rules", RULES)
        message = ("my.rules:5:18: unknown event variable 'op1'; this rule has e\n"
                   "        impact = op1.send_start_time - e.receive_start_time;\n" + " " * 17 + "^")
        self.refused(message, "run", "--set", "rules=my.rules", "--", "mpirun", "-n", "1", "./prog")
        self.refused(message, "exec", "true", ANDES_RULES="my.rules")
        self.assertEqual(self.calls(), [])

    def test_sound_rules(self):
        self.launcher()
        self.write("my.rules", RULES.replace("op1", "e"))
        self.succeeds("run", "--set", "rules=my.rules", "--", "mpirun", "-n", "1", "./prog")
        self.assertEqual(self.calls()[-1]["env"]["ANDES_RULES"], "my.rules")

    def test_rules_that_read_what_is_not_logged(self):
        self.launcher()
        self.write("my.rules", RULES.replace("point_to_point_operation_group", "function_call_one_sided_operation")
                   .replace("op1.send_start_time - e.receive_start_time", "e.finish_time - e.start_time"))
        message = ("my.rules: its rules read function_call_one_sided_operation, which are not in the log; add --set "
                   "events=%sfunction_call_one_sided_operation")
        run = ["run", "--set", "rules=my.rules"]
        program = ["--", "mpirun", "-n", "1", "./prog"]
        self.refused(message % "", *run, *program)
        other = "function_call_request_handling"
        self.refused(message % (other + ","), *run, "--set", "events=" + other, *program)
        self.refused(message % "", "exec", "true", ANDES_RULES="my.rules")
        self.assertEqual(self.calls(), [])
        self.succeeds(*run, "--set", "events=%s, function_call_one_sided_operation" % other, *program)

    def test_rules_that_cannot_be_read(self):
        for name in ("missing.rules", "."):
            self.refused(name + ": the rules cannot be read; give a readable file in the setting rules",
                         "run", "--set", "rules=" + name, "--", "true")


if __name__ == "__main__":
    unittest.main()
