"""A real terminal for tests: tmux, with a server of its own; and its screen as a picture.

    with Terminal(80, 24, folder) as terminal:
        terminal.type("andes top\\n")
        terminal.wait_for("load balance")

usage: screen.py OUT.svg COLUMNS LINES SECONDS COMMAND...
writes what the screen of COMMAND looks like after SECONDS, as docs/live.svg was made (docs/live.md).
"""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 300


def available():
    return shutil.which("tmux") is not None


class Terminal:
    """A shell in a terminal of so many columns and lines. Its prompt is `ready>`."""

    def __init__(self, columns, lines, folder, **environment):
        self.place = tempfile.mkdtemp(prefix="andes-tmux-")
        self.socket = os.path.join(self.place, "socket")
        env = dict(os.environ, TERM="screen-256color", LC_ALL="C.UTF-8", **environment)
        for name in ("TMUX", "NO_COLOR", "COLUMNS", "LINES"):
            env.pop(name, None)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines),
                  "-c", folder, "sh", env=env)
        self.tmux("set-option", "-g", "status", "off")
        self.resize(columns, lines)
        self.type("PS1='ready>'; clear\n")
        self.wait_for("^ready>")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.place, ignore_errors=True)

    def tmux(self, *words, env=None):
        return subprocess.run(["tmux", "-S", self.socket, *words], env=env, check=True, timeout=PATIENCE_S,
                              capture_output=True, text=True).stdout

    def type(self, text):
        self.tmux("send-keys", "-l", text.rstrip("\n"))
        if text.endswith("\n"):
            self.key("Enter")

    def key(self, *names):
        self.tmux("send-keys", *names)

    def resize(self, columns, lines):
        self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def lines(self):
        """What stands on the screen, line by line."""
        return self.tmux("capture-pane", "-p").split("\n")[:-1]

    def text(self):
        return "\n".join(self.lines())

    def coloured(self):
        return self.tmux("capture-pane", "-p", "-e").split("\n")[:-1]

    def cursor_shown(self):
        return self.tmux("display-message", "-p", "#{cursor_flag}").strip() == "1"

    def on_alternate_screen(self):
        return self.tmux("display-message", "-p", "#{alternate_on}").strip() == "1"

    def wait_for(self, wanted, patience_s=PATIENCE_S):
        """Waits until the screen holds the regular expression, or `wanted(text)` is true."""
        true = wanted if callable(wanted) else lambda text: re.search(wanted, text)
        until = time.monotonic() + patience_s
        while not true(self.text()):
            if time.monotonic() > until:
                raise AssertionError("never came: %r; the screen:\n%s" % (wanted, self.text()))
            time.sleep(0.05)


# ---- pictures ------------------------------------------------------------------------------------

CELL, LINE, MARGIN = 8.4, 18, 12
COLOURS = {"31": "#e06c75", "32": "#98c379", "33": "#e5c07b", "36": "#56b6c2"}


def cells(line):
    """(column, text, codes of its style) of each stretch of a captured line."""
    column, style = 0, ()
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            for code in part[2:-1].split(";"):
                if code in ("", "0"):
                    style = ()
                elif code == "39":
                    style = tuple(one for one in style if one not in COLOURS)
                elif code == "22":
                    style = tuple(one for one in style if one not in ("1", "2"))
                else:
                    style += (code,)
        elif part:
            yield column, part, style
            column += len(part)


def svg(lines, columns):
    width, height = columns * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">'
           % (width, height, width, height),
           '<rect width="100%" height="100%" rx="6" fill="#1e222a"/>',
           '<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14" fill="#d7dae0" '
           'xml:space="preserve">']
    for number, line in enumerate(lines):
        for column, text, style in cells(line):
            if not text.strip():
                continue
            colours = [COLOURS[code] for code in style if code in COLOURS]
            look = ' fill="%s"' % colours[-1] if colours else ""
            look += ' font-weight="bold"' if "1" in style else ""
            look += ' opacity="0.6"' if "2" in style else ""
            out.append('<text x="%.1f" y="%.0f" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>'
                       % (MARGIN + column * CELL, MARGIN + (number + 0.75) * LINE, len(text) * CELL, look,
                          html.escape(text).replace(" ", "\u00a0")))
    return "\n".join(out + ["</g>", "</svg>"]) + "\n"


def main(out, columns, lines, seconds, *command):
    with Terminal(int(columns), int(lines), os.getcwd()) as terminal:
        terminal.type("clear; " + " ".join(command) + "\n")
        time.sleep(float(seconds))
        picture = svg(terminal.coloured(), int(columns))
    with open(out, "w", encoding="utf-8") as file:
        file.write(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
