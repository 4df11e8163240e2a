"""Changes how a C or C++ text looks and nothing else: comments, spaces, line splices, joined lines,
digraphs, trigraphs, CRLF, a byte order mark. Lines of the preprocessor stay as they are, and so does
what stands within quotes."""
import re

TOKEN = re.compile(r"""[ ]+|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|//[^\n]*|/\*.*?\*/|\w+|.""", re.S)
DIGRAPHS = {"{": "<%", "}": "%>", "[": "<:", "]": ":>"}
TRIGRAPHS = {"{": "??<", "}": "??>", "[": "??(", "]": "??)", "^": "??'", "|": "??!", "~": "??-"}
SPACES = ["  ", "\t", " /* c */ ", " /* { */ ", " \\\n ", "\n", "\n\n  ", " /* }\n */ ", " /**/ "]


def has_trigraphs(features):
    return not features.gnu and features.year < (2017 if features.cxx else 2023)


def disguised_line(line, random, features, style):
    out = []
    for match in TOKEN.finditer(line):
        token = match[0]
        if token.isspace() and style["spaces"] and random.random() < 0.1:
            token = random.choice(SPACES + ([" //}\n"] if features.cxx or features.year >= 1999 else []))
        elif token in DIGRAPHS and style["digraphs"] and random.random() < 0.3:
            token = DIGRAPHS[token]
        elif token in TRIGRAPHS and style["trigraphs"] and random.random() < 0.2:
            token = TRIGRAPHS[token]
        elif token.isidentifier() and len(token) > 3 and style["splices"] and random.random() < 0.02:
            token = token[:2] + "\\\n" + token[2:]
        out.append(token)
    return "".join(out)


def disguise(text, random, features):
    """The text in another dress, as bytes."""
    digraphs = features.cxx or features.gnu or features.year >= 1999
    style = {"spaces": random.random() < 0.6, "digraphs": digraphs and random.random() < 0.3,
             "trigraphs": has_trigraphs(features) and random.random() < 0.3, "splices": random.random() < 0.3,
             "joined": random.random() < 0.3}
    lines, raw = [], False
    for line in text.split("\n"):
        directive = line.lstrip().startswith("#") or line.endswith("\\") or raw
        raw = line.count('R"x(') > line.count(')x"') or raw and ')x"' not in line
        if not directive and not raw:
            line = disguised_line(line, random, features, style)
        comment = "//" in line or directive or raw
        if lines and style["joined"] and not comment and not lines[-1][1] and random.random() < 0.4:
            lines[-1] = (lines[-1][0] + " " + line, False)
        else:
            lines.append((line, comment))
    out = "\n".join(line for line, _ in lines)
    if random.random() < 0.2:
        out = out.replace("\n", "\r\n")
    data = out.encode()
    return b"\xef\xbb\xbf" + data if random.random() < 0.1 else data
