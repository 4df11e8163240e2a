#!/usr/bin/env python3
"""The causes in which all ranks wait for the last one are those that the rules say so of: their impact lasts until
latest_start_time. is_of_all() lists them, since a run file does not tell, and docs/metrics.md does, under "Gain".

  causes.py SOURCE
"""
import os
import re
import sys

CAUSE = re.compile(r"^\s*cause = (\w+)", re.M)
IMPACT = re.compile(r"^\s*impact = (.*?);", re.M | re.S)
LIST = re.compile(r"bool is_of_all\(.*?\n}", re.S)
SENTENCE = re.compile(r"The gain is .*?It is that of \*share\* for (.*?) and `wait_at_end`", re.S)


def of_all(rules):
    """Causes of a text of rules with a wait that lasts until all ranks have come."""
    for rule in re.split(r"^rule$", rules, flags=re.M)[1:]:
        cause, impact = CAUSE.search(rule), IMPACT.search(rule)
        if cause and impact and re.search(r"\blatest_start_time\b", impact[1]):
            yield cause[1]


def main(source):
    def text(*path):
        with open(os.path.join(source, *path), encoding="utf-8") as file:
            return file.read()
    folder = os.path.join("configs", "rules")
    told = {cause for name in os.listdir(os.path.join(source, folder)) for cause in of_all(text(folder, name))}
    wrong = []
    for place, pattern, word in ((os.path.join("postproc", "analysis", "gain.cc"), LIST, r'"(\w+)"'),
                                 (os.path.join("docs", "metrics.md"), SENTENCE, r"`(\w+)`")):
        found = pattern.search(text(place))
        listed = set(re.findall(word, found[0] if pattern is LIST else found[1])) if found else set()
        wrong += ["%s: lacks %s, in which all ranks wait for the last one by configs/rules" % (place, cause)
                  for cause in sorted(told - listed)]
        wrong += ["%s: lists %s, in which by configs/rules they do not" % (place, cause) for cause in sorted(listed - told)]
    print("\n".join(wrong))
    sys.exit(bool(wrong) or not told)


if __name__ == "__main__":
    main(*sys.argv[1:])
