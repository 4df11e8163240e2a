"""The monitor's settings as monitor/interface/settings.def declares them: for man pages, completions and configs/andes.info."""
import re

ENTRY = re.compile(r"^ANDES_(NUMBER|SWITCH|TEXT|OTHER)\((.*?)\)$", re.M | re.S)
ARGUMENT = re.compile(r'\s*((?:"(?:[^"\\]|\\.)*"\s*)+|[^",]+)(?:,|$)')
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


class Setting:
    """`values`: what it may be, as settings.h has it; `meaning`: a line; `explanation`: what users have to know."""

    def __init__(self, kind, arguments):
        *own, self.meaning, self.explanation = arguments
        if kind == "NUMBER":
            whole = "int" in own[0]
            self.key, self.default, self.values = own[1], own[2], "whole number" if whole else "number"
        elif kind == "SWITCH":
            self.key, self.default, self.values = own[2], own[3], "%s|%s" % (own[3], own[4])
        elif kind == "TEXT":
            self.key, self.default, self.values = own[0], "", "text"
        else:
            self.key, self.default, self.values = own[:3]


def argument(text):
    parts = TEXT.findall(text)
    return "".join(parts).replace('\\"', '"') if parts or text.strip() == '""' else text.strip()


def read_settings(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    settings = [Setting(kind, [argument(part) for part in ARGUMENT.findall(body)]) for kind, body in ENTRY.findall(text)]
    assert len(settings) == len(re.findall(r"^ANDES_", text, re.M)), path + ": an entry cannot be read"
    return settings
