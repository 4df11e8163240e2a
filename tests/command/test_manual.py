"""Man pages and completions: they hold what --help says, render, and complete in the shells themselves."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from support.build import ANDES, BUILD, SOURCE
from support.command_line import TIMEOUT_S, CommandTest, main

MANUAL = os.path.join(BUILD, "manual")
BASH_COMPLETION = "/usr/share/bash-completion/bash_completion"


def help_of(*words):
    return subprocess.run([ANDES, *words, "--help"], capture_output=True, text=True,
                          timeout=600, check=True).stdout


def commands():
    section = help_of().partition("\nSubcommands:\n")[2].partition("\n\n")[0]
    return [line.split()[0] for line in section.splitlines()]


def options(text):
    """Every option of a help text, wherever it stands, but for those of examples."""
    usage = " ".join(re.findall(r"^Usage: (.*)", text, re.M)[:1])
    listed = re.findall(r"^  (-\S+)", text, re.M)
    return {flag for flag in re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", usage + " " + " ".join(
        word.replace(",", " ") for word in listed))}


def page(command):
    name = "andes-" + command if command else "andes"
    return os.path.join(MANUAL, "man", name + ".1")


@unittest.skipUnless(os.path.isdir(MANUAL), "built for another machine")
class Pages(unittest.TestCase):
    def listed(self, command):
        """Options that stand in the section OPTIONS of a page."""
        with open(page(command), encoding="utf-8") as file:
            section = re.search(r"^\.SH OPTIONS\n(.*?)^\.SH", file.read(), re.M | re.S).group(1)
        heads = re.findall(r"^\.TP\n(.*)$", section, re.M)
        return {flag.replace("\\-", "-") for head in heads
                for flag in re.findall(r"\\fB((?:\\-)[^ ]*?)\\fP", head)}

    def test_every_option_and_no_other(self):
        self.assertGreaterEqual(len(commands()), 9)
        for command in [""] + commands():
            with self.subTest(command=command):
                said = options(help_of(*([command] if command else [])))
                self.assertTrue(command in ("exec", "cc", "build") or "--help" in said, said)
                self.assertEqual(self.listed(command), said | {"-h", "--help"})

    def test_every_command(self):
        with open(page(""), encoding="utf-8") as file:
            text = file.read()
        for command in commands():
            self.assertIn("\\fBandes\\-%s\\fP(1)" % command, text)
        self.assertEqual(sorted(os.listdir(os.path.join(MANUAL, "man"))),
                         sorted(["andes.1"] + ["andes-%s.1" % name for name in commands()]))

    def test_written_part(self):
        """Each page says more than --help does: at least what it is for and an example."""
        for command in [""] + commands():
            with open(page(command), encoding="utf-8") as file:
                text = file.read()
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "EXAMPLES", "SEE ALSO"):
                self.assertIn("\n.SH %s\n" % section, text,
                              "write packaging/man/andes-%s.roff" % command)
            self.assertNotRegex(text, "@[A-Z]+@")

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_renders_without_warnings(self):
        for command in [""] + commands():
            done = subprocess.run(["man", "--warnings", "-l", page(command)], capture_output=True,
                                  text=True, timeout=600, check=False,
                                  env=dict(os.environ, LC_ALL="C.UTF-8", MANWIDTH="80", PAGER="cat"))
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn("EXAMPLES", done.stdout)

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_mandoc_is_content(self):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"]
                              + [page(command) for command in [""] + commands()],
                              capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


@unittest.skipUnless(os.path.exists(BASH_COMPLETION), "no bash-completion")
class Bash(CommandTest):
    def setUp(self):
        super().setUp()
        for name in ("a.andes", "b.andes", "notes.txt", "my.info", "main.c"):
            self.write(name, "")
        os.mkdir(os.path.join(self.work, "runs"))

    def completes(self, line):
        """What bash offers for the last word of `line`, cut into words as readline does."""
        words = [word for word in re.split(r"(=)|\s", line) if word is not None]
        words = [word for index, word in enumerate(words) if word or index == len(words) - 1]
        script = """source %s; source %s
compopt() { :; }
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_KEY=9; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_andes andes "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%%s\\n' "${COMPREPLY[@]}"
""" % (BASH_COMPLETION, os.path.join(MANUAL, "bash", "andes"))
        done = subprocess.run(["bash", "--norc", "--noprofile", "-c", script, "bash", line, *words],
                              cwd=self.work, env=self.environment(), capture_output=True, text=True,
                              timeout=600, check=True)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.split())

    def test_commands_and_options(self):
        self.assertEqual(self.completes("andes "),
                         sorted(commands() + ["-h", "--help", "--no-pager", "--version"]))
        for command in commands():
            self.assertEqual(set(self.completes("andes %s -" % command)),
                             options(help_of(command)) | {"-h", "--help"}, command)
        self.assertEqual(self.completes("andes di"), ["diagnose", "diff"])

    def test_values(self):
        self.assertEqual(self.completes("andes show "), ["a.andes", "b.andes", "runs"])
        self.assertEqual(self.completes("andes report --json a"), ["a.andes"])
        self.assertEqual(self.completes("andes report --sequential "), ["a.andes", "b.andes", "runs"])
        self.assertEqual(self.completes("andes run --config "), ["my.info", "runs"])
        self.assertEqual(self.completes("andes run --ranks "), [])
        self.assertEqual(self.completes("andes instrument --select=d"), ["default"])
        self.assertIn("all", self.completes("andes cc --select a"))
        self.assertEqual(self.completes("andes instrument m"), ["main.c"])

    def test_settings(self):
        with open(os.path.join(SOURCE, "configs", "andes.info"), encoding="utf-8") as file:
            keys = re.findall(r"^(\w+) ", file.read(), re.M)
        self.assertGreater(len(keys), 10)
        for command in ("run", "env"):
            self.assertEqual(self.completes("andes %s --set " % command),
                             sorted(key + "=" for key in keys))
        self.assertEqual(self.completes("andes run --set clock="), ["auto", "monotonic"])
        self.assertEqual(self.completes("andes run --set=clock=m"), ["monotonic"])
        self.assertEqual(self.completes("andes run --set rules=n"), ["notes.txt"])

    def test_other_commands(self):
        """Behind --, exec and the options of cc somebody else's command line is completed."""
        script = self.write("tool", "#!/bin/sh\n", executable=True)
        for line in ("andes run --set windows=on -- %s", "andes exec %s", "andes cc %s",
                     "andes cc --select all %s", "andes cc --select=all %s"):
            self.assertEqual(self.completes(line % script[:-1]), [script], line)
        self.assertEqual(self.completes("andes run -- cat -- n"), ["notes.txt"])
        self.assertEqual(self.completes("andes exec cat --js"), [])


@unittest.skipUnless(shutil.which("zsh"), "no zsh")
class Zsh(CommandTest):
    """A real zsh on a terminal of its own; a key prints the matches instead of inserting them."""

    SCRIPT = """PROMPT= RPROMPT= ; unsetopt zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste
fpath=(%s $fpath); autoload -Uz compinit; compinit -D -u
zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' verbose no; LISTMAX=10000
compadd() {
  local -a hits
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  builtin compadd -A hits "$@"
  [[ -z $hits ]] || print -rl -- $hits >> matches
  builtin compadd "$@"
}
offer() { compstate[insert]= ; compstate[list]= ; _main_complete; compstate[insert]= ; compstate[list]= ; print done >> matches; }
zle -C offer complete-word offer; bindkey '^X' offer
print -r -- rea''dy
"""

    def setUp(self):
        super().setUp()
        for name in ("a.andes", "b.andes", "notes.txt", "main.c"):
            self.write(name, "")
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(self.work)
            os.execvpe("zsh", ["zsh", "-f", "-i"], self.environment(TERM="dumb", HOME=self.work))
        self.addCleanup(self.end, process)
        os.write(self.terminal, ("source %s\n" % self.write(
            "rc", self.SCRIPT % os.path.join(MANUAL, "zsh"))).encode())
        self.wait(lambda said: "ready" in said)

    def end(self, process):
        os.close(self.terminal)
        os.waitpid(process, 0)

    def wait(self, good):
        said, end = "", time.monotonic() + TIMEOUT_S
        while not good(said):
            self.assertLess(time.monotonic(), end, said)
            if select.select([self.terminal], [], [], 0.02)[0]:
                said += os.read(self.terminal, 65536).decode(errors="replace")

    def completes(self, line):
        path = os.path.join(self.work, "matches")
        if os.path.exists(path):
            os.unlink(path)
        os.write(self.terminal, b"\x15" + line.encode() + b"\x18")  # clear the line, type, complete

        def matches():
            if not os.path.exists(path):
                return []
            with open(path, encoding="utf-8") as file:
                return file.read().splitlines()

        self.wait(lambda said: "done" in matches())
        return sorted(set(matches()) - {"done"})

    def test_completion(self):
        self.assertEqual(self.completes("andes "), sorted(commands()))
        for command in commands():
            self.assertEqual({match.rstrip("=") for match in self.completes("andes %s -" % command)},
                             options(help_of(command)) | {"-h", "--help"}, command)
        self.assertEqual(self.completes("andes show a"), ["a.andes"])
        self.assertEqual(self.completes("andes report --json b"), ["b.andes"])
        self.assertEqual(self.completes("andes run --set clock="), ["auto", "monotonic"])
        self.assertIn("recursion", self.completes("andes run --set rec"))
        self.assertIn("default", self.completes("andes cc --select d"))
        self.assertEqual(self.completes("andes run --repeat 2 -- cat n"), ["notes.txt"])
        self.assertEqual(self.completes("andes cc --select all cat n"), ["notes.txt"])
        self.assertEqual(self.completes("andes exec cat n"), ["notes.txt"])


if __name__ == "__main__":
    main()
