"""Output formats: each is declared once, and what follows from that."""

import os
import re

from support.build import SOURCE
from support.command_line import CommandTest, main


class Declared(CommandTest):
    def test_every_format_is_in_the_page(self):
        with open(os.path.join(SOURCE, "docs", "exports.md"), encoding="utf-8") as page:
            lines = re.findall(r"^\| ([\w, ]+) \| `(\w+)` \|", page.read(), re.M)
        told = {(command, name) for commands, name in lines for command in commands.split(", ")}
        help_texts = {command: self.succeeds(command, "--help").stdout for command in
                      re.findall(r"^  (\w+) ", self.succeeds("--help").stdout.partition("Subcommands:")[2], re.M)
                      if command not in ("andes", "exec", "cc", "build", "instrument")}
        offered = {(command, name) for command, text in help_texts.items() if "--format text|" in text
                   for name in self.formats(command) if name != "text"}
        self.assertLessEqual({("show", "json"), ("recover", "json"), ("doctor", "csv")}, offered)
        self.assertEqual(offered, told)


if __name__ == "__main__":
    main()
