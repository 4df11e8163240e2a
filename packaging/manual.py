"""Man pages and completions of bash and zsh, from what the commands just built say of themselves.

usage: manual.py ANDES SETTINGS_DEF VERSION OUT    (called by packaging.cmake)

Commands, options and their texts come from `andes --help` and `andes COMMAND --help`, keys and values
of settings from monitor/interface/settings.def. What an option cannot say is written by hand, a file of
roff for each page in man/: the sections behind NAME, with @OPTIONS@ and @COMMANDS@ where the generated
lists belong; the first line holds the date of the text. So nothing drifts, and a command without a file
has a page nevertheless. The completions are completion.bash and completion.zsh with such places.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

from settings import read_settings

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMN = 30  # where CLI11 puts the texts of options

# What is completed for a value of this option, where the name of the value does not tell.
KINDS = {"--config": "files *.info", "--sequential": "runs"}


@dataclass
class Option:
    flags: list  # ["-h", "--help"]
    value: str = ""  # "FILE", "all|default|FILE"; empty: takes none
    repeated: bool = False
    excludes: list = field(default_factory=list)
    text: str = ""

    def kind(self):
        """What completes a value: none, runs, settings, or files PATTERN / words WORD... [files]."""
        if self.flags[-1] in KINDS:
            return KINDS[self.flags[-1]]
        if self.value == "KEY=VALUE":
            return "settings"
        parts = self.value.split("|")
        if len(parts) > 1:
            return " ".join(["words"] + ["@files" if part == part.upper() else part for part in parts])
        return "files *" if self.value in ("FILE", "OUT", "DIR") else "none"


@dataclass
class Command:
    name: str  # "" for andes itself
    summary: str
    usage: str = ""
    options: list = field(default_factory=list)
    positionals: list = field(default_factory=list)  # (name, text)

    def page(self):
        return "andes-" + self.name if self.name else "andes"

    def kind(self):
        """What completes an argument that is no option: runs, sources, files or none."""
        names = {name for name, _ in self.positionals}
        if names & {"run", "runs", "before", "after"}:
            return "runs"
        if names & {"directories", "job"}:
            return "files *"
        return "sources" if "FILE" in names else "none"


def value_name(words):
    """CLI11 prints types where nobody gave the value a name."""
    word = words[0].split(":")[0] if words else ""
    return {"INT": "N", "UINT": "N", "FLOAT": "NUMBER", "TEXT": "NAME"}.get(word, word)


def read_option(head, text):
    head, _, excludes = head.partition(" Excludes: ")
    words = head.split()
    repeated = "..." in words
    words = [word for word in words if word not in ("...", "REQUIRED")]
    return Option(words[0].split(","), value_name(words[1:]), repeated,
                  excludes.split(), text.strip())


def read_help(command, text):
    """Fills in usage, positionals and options; the last as CLI11 prints them, or by hand likewise."""
    section = ""
    entry = None
    for line in text.splitlines():
        if line.startswith("Usage: ") and not command.usage:
            command.usage = line[len("Usage: "):]
        if re.match(r"\S", line) or not line:
            section = line
            entry = None
            continue
        match = re.match(r" {2}(\S.*?)(?: {2,}(\S.*))?$", line)
        if match and not match.group(2) and re.match(r" (?!--)", line[COLUMN - 1:]):  # more that it excludes is no text
            match = re.match(r" {2}(.{%d}) (.*)$" % (COLUMN - 3), line)
        if match and match.group(1).startswith("-"):
            entry = read_option(match.group(1), match.group(2) or "")
            command.options.append(entry)
        elif match and section == "Positionals:":
            command.positionals.append((match.group(1).split()[0], match.group(2) or ""))
        elif entry and line.startswith("    "):
            entry.text = (entry.text + " " + line.strip()).strip()
    known = {flag for option in command.options for flag in option.flags}
    for flag, value in re.findall(r"\[(--?[\w-]+)(?:[ =]([^\]]+))?\]", command.usage):
        if flag not in known:
            command.options.append(Option([flag], value))
    if "--help" not in known and command.name:
        command.options.insert(0, Option(["-h", "--help"], text="Print this help message and exit"))


def ask(andes):
    """`andes` itself, then its commands."""

    def says(*words):
        done = subprocess.run([andes, *words, "--help"], capture_output=True, text=True, timeout=60,
                              check=False, stdin=subprocess.DEVNULL)
        return done.stdout if done.returncode == 0 else ""

    text = says()
    top = Command("", text.splitlines()[0].partition(": ")[2])
    read_help(top, text.partition("\nSubcommands:\n")[0])
    commands = [top]
    for line in text.partition("\nSubcommands:\n")[2].partition("\n\n")[0].splitlines():
        name, summary = line.split(None, 1)
        commands.append(Command(name, summary.partition(": andes ")[0]))  # without an example
        read_help(commands[-1], says(name))  # empty without a preprocessor
    return commands


def words_of(values):
    """The words that a setting allows: from "on|off", "list of a|b"."""
    return values.removeprefix("list of ").split("|") if "|" in values else []


# ---- man pages ----------------------------------------------------------------------------------


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("~", "\\(ti").replace("^", "\\(ha")
    return "\\&" + text if text.startswith(".") else text


def sentence(text):
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")


def option_list(command):
    lines = [".SH OPTIONS"]
    for option in command.options:
        head = ", ".join("\\fB%s\\fP" % roff(flag) for flag in option.flags)
        if option.value:
            head += " \\fI%s\\fP" % roff(option.value)
        lines += [".TP", head, roff(sentence(option.text or "See the description"))]
        if option.excludes:
            lines.append("Not together with %s."
                         % ", ".join("\\fB%s\\fP" % roff(other) for other in option.excludes))
    return "\n".join(lines)


def command_list(commands):
    return "\n".join(".TP\n\\fB%s\\fP(1)\n%s." % (roff(command.page()), roff(command.summary))
                     for command in commands if command.name)


def man_page(command, commands, version):
    path = os.path.join(HERE, "man", command.page() + ".roff")
    date, body = "", ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            date, body = file.read().split("\n", 1)
    if not body:
        body = ".SH SYNOPSIS\n%s\n@OPTIONS@\n" % roff(command.usage or "andes " + command.name)
    summary = command.summary[0].lower() + command.summary[1:]
    body = body.replace("@OPTIONS@", option_list(command)).replace("@COMMANDS@", command_list(commands))
    others = [other.page() for other in commands if other is not command]
    see = ",\n".join(".BR %s (1)" % roff(page) for page in others).replace(",\n", " ,\n")
    return ("\n".join([
        '.\\" Generated by manual.py from --help and man/%s.roff.' % command.page(),
        '.TH "%s" "1" "%s" "andes %s" "User Commands"'
        % (roff(command.page().upper()), date.removeprefix('.\\" '), version),
        ".SH NAME", "%s \\- %s" % (roff(command.page()), roff(summary)), body.strip(),
        ".SH SEE ALSO", see]) + "\n")


# ---- completions --------------------------------------------------------------------------------


def shell(text):
    return "'" + text.replace("'", "'\\''") + "'"


def fill(template, places):
    with open(os.path.join(HERE, template), encoding="utf-8") as file:
        text = file.read()
    for name, lines in places.items():
        text = re.sub(r"^( *)@%s@$" % name,
                      lambda match: "\n".join(match.group(1) + line for line in lines), text,
                      flags=re.M)
    return text


def bash(commands, settings):
    options, kinds, arguments = [], [], []
    for command in commands:
        flags = [flag for option in command.options for flag in option.flags]
        options.append("%s) printf '%%s\\n' %s ;;" % (shell(command.name), " ".join(flags)))
        for option in command.options:
            if option.value:
                kinds.append("%s) echo %s ;;" % (
                    " | ".join(shell(command.name + " " + flag) for flag in option.flags),
                    shell(option.kind())))
        if command.kind() != "none":
            arguments.append("%s) echo %s ;;" % (command.name, shell(command.kind())))
    return fill("completion.bash", {
        "COMMANDS": ["local commands=%s" % shell(" ".join(c.name for c in commands if c.name))],
        "OPTIONS": options, "KINDS": kinds, "ARGUMENTS": arguments,
        "KEYS": ["local keys=%s" % shell(" ".join(setting.key + "=" for setting in settings))],
        "VALUES": ["%s) echo %s ;;" % (setting.key, shell(" ".join(words_of(setting.values))))
                   for setting in settings if words_of(setting.values)]})


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_action(kind):
    head, _, rest = kind.partition(" ")
    if head == "files":
        return "_files" + (" -g '%s(-.)'" % rest if rest != "*" else "")
    if head == "words":
        words = [word for word in rest.split() if word != "@files"]
        if "@files" not in rest.split():
            return "(%s)" % " ".join(words)
        return " _andes_words_or_files " + " ".join(words)
    if head == "sources":
        return "_files -g '*.(c|cc|cpp|cxx|C|c++)(-.)'"
    return {"runs": "_andes_runs", "settings": "_andes_settings", "none": " "}[head]


def zsh_specification(option):
    excluded = option.excludes + (option.flags if len(option.flags) > 1 else [])
    end = "[%s]" % zsh_text(option.text)
    if option.value:
        end += ":%s:%s" % (zsh_text(option.value), zsh_action(option.kind()))
    before = "(%s)" % " ".join(excluded) if excluded else "*" if option.repeated else ""
    return " ".join(shell(before + flag + ("=" if option.value and flag.startswith("--") else "") + end)
                    for flag in option.flags)


def zsh(commands, settings):
    arguments = []
    for command in commands:
        if command.name:
            lines = [zsh_specification(option) for option in command.options]
            if command.kind() != "none":
                lines.append(shell("*:%s:%s" % (command.positionals[0][0], zsh_action(command.kind()))))
            arguments += ["%s)" % command.name, "  options=("]
            arguments += ["    " + line for line in lines] + ["  ) ;;"]
    top = [shell("%s:%s" % (command.name, command.summary)) for command in commands if command.name]
    flags = [shell("%s:%s" % (flag, option.text)) for option in commands[0].options
             for flag in option.flags]
    return fill("completion.zsh", {
        "COMMANDS": top, "FLAGS": flags, "ARGUMENTS": arguments,
        "KEYS": [shell("%s:%s" % (setting.key, setting.meaning)) for setting in settings],
        "VALUES": ["%s) compadd %s ;;" % (setting.key, " ".join(words_of(setting.values)))
                   for setting in settings if words_of(setting.values)]})


def main(andes, settings_def, version, out):
    commands = ask(andes)
    settings = read_settings(settings_def)
    files = {"man/%s.1" % command.page(): man_page(command, commands, version)
             for command in commands}
    files["bash/andes"] = bash(commands, settings)
    files["zsh/_andes"] = zsh(commands, settings)
    for name, text in files.items():
        path = os.path.join(out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
