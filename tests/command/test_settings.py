"""Settings: one list, four sources, one order of precedence; every mistake has its message."""

import os

from support.build import BUILD
from support.command_line import CommandTest, main


class Settings(CommandTest):
    def handed_over(self, *words, **env):
        """The ANDES_ variables that a command started by `andes run` gets, its own ones left out."""
        self.launcher()
        self.succeeds("run", *words, "--", "mpirun", "-n", "1", "./prog", **env)
        env = self.calls()[-1]["env"]
        return {k: v for k, v in env.items() if k not in ("ANDES_OUT", "ANDES_JOB", "LD_PRELOAD")}

    def test_shipped_file_changes_nothing(self):
        shipped = os.path.join(BUILD, "share", "andes", "configs", "andes.info")
        self.assertEqual(self.handed_over("--config", shipped), {})

    def test_defaults_are_not_handed_over(self):
        self.assertEqual(self.handed_over("--set", "recursion=folded"), {})

    def test_each_source(self):
        file = self.write("my.info", "recursion full ; every depth\nnode_limit 5000\n")
        self.assertEqual(self.handed_over("--config", file),
                         {"ANDES_RECURSION": "full", "ANDES_NODE_LIMIT": "5000"})
        self.assertEqual(self.handed_over(ANDES_NODE_LIMIT="6000"), {"ANDES_NODE_LIMIT": "6000"})
        self.assertEqual(self.handed_over("--set", "node_limit=7000"),
                         {"ANDES_NODE_LIMIT": "7000"})

    def test_precedence(self):
        file = self.write("my.info", "node_limit 5000\ndepth_limit 50\ntable_values 5\n")
        self.assertEqual(
            self.handed_over("--config", file, "--set", "node_limit=7000",
                             ANDES_NODE_LIMIT="6000", ANDES_DEPTH_LIMIT="60"),
            {"ANDES_NODE_LIMIT": "7000", "ANDES_DEPTH_LIMIT": "60", "ANDES_TABLE_VALUES": "5"})

    def test_command_line_takes_back_the_environment(self):
        self.assertEqual(self.handed_over("--set", "recursion=folded", ANDES_RECURSION="full"), {})

    def test_out_names_the_file(self):
        self.launcher()
        self.succeeds("run", "--", "mpirun", "-n", "3", "./prog", ANDES_OUT="%x-%p.andes")
        self.assertEqual(self.files(), ["prog-3.andes"])

    def test_output_option_comes_before_out(self):
        self.launcher()
        self.succeeds("run", "-o", "b.andes", "--", "mpirun", "./prog", ANDES_OUT="a.andes")
        self.assertEqual(self.files(), ["b.andes"])

    def test_list(self):
        of = "function_call_%s_operation"
        blocking, sends, receives = (of % s for s in ("blocking_send", "non_blocking_send", "non_blocking_receive"))
        words = "%s, %s" % (receives, sends)
        self.assertEqual(self.handed_over("--set", "events=" + words), {"ANDES_EVENTS": words})
        known = [blocking, sends, of % "blocking_receive", receives, "function_call_request_handling", of % "collective",
                 of % "one_sided", "function_call_window_synchronisation", "function_call_communicator_management"]
        done = self.andes("run", "--set", "events=%s messages" % sends, "--", "true")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertTrue(done.stderr.startswith(
            'andes: --set events: "messages" is not allowed; give ' + " or ".join(known) + " or function_call or -"), done.stderr)

    def test_unknown_key(self):
        self.write("my.info", "recursoin full\n")
        self.refused("my.info: recursoin: unknown setting; did you mean recursion? "
                     "(configs/andes.info lists all)", "run", "--config", "my.info", "--", "true")
        self.write("my.info", "zzz 1\n")
        self.refused("my.info: zzz: unknown setting; configs/andes.info lists all",
                     "run", "--config", "my.info", "--", "true")
        self.refused("ANDES_RECURSOIN: unknown setting; did you mean ANDES_RECURSION? "
                     "(configs/andes.info lists all)", "run", "--", "true", ANDES_RECURSOIN="full")
        self.refused("ANDES_RECURSOIN: unknown setting; did you mean ANDES_RECURSION? "
                     "(configs/andes.info lists all)", "exec", "true", ANDES_RECURSOIN="full")
        self.refused("--set recursoin: unknown setting; did you mean recursion? "
                     "(configs/andes.info lists all)", "run", "--set", "recursoin=full", "--", "true")

    def test_a_pager_is_no_setting(self):
        self.assertEqual(self.handed_over(ANDES_PAGER="cat"), {})

    def test_settings_of_builds_are_passed_over(self):
        self.assertEqual(self.handed_over(ANDES_SELECT="all", ANDES_BUILD="none.info"), {})
        self.refused("--set select: a setting of andes cc; give it there (configs/build.info lists all)",
                     "run", "--set", "select=all", "--", "true")

    def test_wrong_value(self):
        self.write("my.info", "recursion deep\n")
        self.refused('my.info: recursion: "deep" is not allowed; give folded or full',
                     "run", "--config", "my.info", "--", "true")
        self.write("my.info", "node_limit many\n")
        self.refused('my.info: node_limit: "many" is not a whole number from 16 to 16777216; give one like 65536',
                     "run", "--config", "my.info", "--", "true")
        self.refused('ANDES_NODE_LIMIT: "-1" is not a whole number from 16 to 16777216; give one like 65536',
                     "run", "--", "true", ANDES_NODE_LIMIT="-1")
        self.refused('--set budget_percent: "500" is not a number from 0 to 100; give one like 1',
                     "run", "--set", "budget_percent=500", "--", "true")
        self.refused('--set log_mb: "1.5x" is not a number from 0 to 100000; give one like 32',
                     "run", "--set", "log_mb=1.5x", "--", "true")
        self.refused('--set monitor: "maybe" is not allowed; give on or off',
                     "run", "--set", "monitor=maybe", "--", "true")

    def test_malformed_file(self):
        self.refused("nosuch.info: cannot be read: No such file or directory; --config takes a "
                     "settings file", "run", "--config", "nosuch.info", "--", "true")
        self.write("my.info", "recursion full\n}\n")
        self.refused("my.info:2: unmatched }; a line reads: KEY VALUE ; comment",
                     "run", "--config", "my.info", "--", "true")
        self.write("my.info", "recursion full\nrecursion folded\n")
        self.refused("my.info: recursion: given twice; keep one of the lines",
                     "run", "--config", "my.info", "--", "true")
        self.write("my.info", "recursion\n{\n  depth 3\n}\n")
        self.refused("my.info: recursion: has nested entries; give one value",
                     "run", "--config", "my.info", "--", "true")
        self.refused("--set recursion: no value; write --set KEY=VALUE",
                     "run", "--set", "recursion", "--", "true")

    def test_monitor_off(self):
        self.launcher()
        done = self.succeeds("run", "--set", "monitor=off", "--", "mpirun", "./prog")
        self.assertEqual(self.files(), [])
        self.assertEqual(self.calls()[0]["env"], {"ANDES_MONITOR": "off"})
        self.assertEqual(done.stderr, "andes: the monitor is off, so nothing was measured; remove "
                                      "the setting monitor to measure\n")


if __name__ == "__main__":
    main()
