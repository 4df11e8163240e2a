#!/usr/bin/env python3
"""configs/andes.info is what monitor/interface/settings.def says.

  settings.py SOURCE          says whether it is
  settings.py SOURCE --write  makes it so
"""
import os
import sys
import textwrap

HEAD = """\
; Settings of the monitor: every key with its default. Copy this file, change what you need, give it
; to andes run --config FILE; keys that are left out keep their defaults.
;
; Each key can also be given on the command line (andes run --set KEY=VALUE) and in the environment
; (ANDES_<KEY> in capitals). The command line overrides the environment, the environment overrides
; this file. A line reads KEY VALUE; what follows a semicolon is a comment.
"""


def info(settings):
    text = HEAD
    for setting in settings:
        text += "\n" + textwrap.fill(setting.explanation, 110, initial_indent="; ", subsequent_indent="; ",
                                     break_on_hyphens=False, break_long_words=False)
        text += "\n%s %s\n" % (setting.key, setting.default or '""')
    return text


def main(source, write):
    sys.path.insert(0, os.path.join(source, "packaging"))
    from settings import read_settings
    wanted = info(read_settings(os.path.join(source, "monitor/interface/settings.def")))
    path = os.path.join(source, "configs/andes.info")
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
    with open(path, encoding="utf-8") as file:
        if file.read() == wanted:
            return 0
    print("configs/andes.info: not what settings.def says; tests/shape/settings.py SOURCE --write makes it so")
    return 1


if __name__ == "__main__":
    del sys.path[0]  # this file is named settings, too
    sys.exit(main(sys.argv[1], "--write" in sys.argv[2:]))
