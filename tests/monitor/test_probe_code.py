"""What compilers make of a probe: the way through a function whose visit is measured calls nothing,
locks nothing and takes no more instructions than it did when its cost was measured; without a monitor
it takes next to none. Usage: test_probe_code.py SOURCE_DIRECTORY [unittest arguments].

The assembler text is read as a graph of instructions; the ways are shortest paths through it that
read the clock twice, or never, and make no call."""
import heapq
import re
import shutil
import subprocess
import sys
import unittest

SOURCE = sys.argv[1]
PROGRAM = """
#include "monitor/interface/probe.h"
static struct andes_site site = ANDES_SITE("measured", "x.c", 1, ANDES_KIND_FUNCTION);
int measured(int x);
int measured(int x) {
  ANDES_PROBE(&site)
  __asm__ volatile("nop # body" : "+r"(x));
  return x;
}
"""
COMPILERS = [c for c in ("gcc", "clang-14", "clang-19", "clang") if shutil.which(c)]

# Instructions of the whole function on the way that is timed, and on the one without a monitor, its
# own (prologue, body, return) included. Raise them only with a measurement beside it. In code for
# executables each half finds the thread's view: one more where a visit is timed, which takes no time
# (22.2 ns a visit with 60 and with 61), and one less where it is not.
LIMITS = {"executable": (61, 11), "shared object": (60, 12)}


def instructions(compiler, options):
    """The function's instructions with their labels: [(labels, text)]."""
    text = subprocess.run([compiler, "-O2", "-x", "c", "-I", SOURCE, *options, "-S", "-", "-o", "-"],
                          input=PROGRAM, text=True, capture_output=True, check=True).stdout
    found, labels, inside = [], [], False
    for line in text.splitlines():
        line = line.strip()
        while label := re.match(r"([.\w$]+):\s*", line):
            inside = inside or label[1] == "measured"
            if label[1].startswith("andes_"):
                inside = False
            labels.append(label[1])
            line = line[label.end():]
        if inside and line and not line.startswith((".", "#")):
            found.append((labels, line))
            labels = []
    return found


def target(code, here, name):
    """Where a jump to a label leads; 9f is the next label 9, 1b the last label 1."""
    local = re.fullmatch(r"(\d+)([fb])", name)
    name = local[1] if local else name
    places = [i for i, (labels, _) in enumerate(code) if name in labels]
    if local:
        places = [i for i in places if i > here] if local[2] == "f" else [i for i in places if i <= here][::-1]
    return places[0] if places else None


def way(code, clock_reads):
    """The shortest way from the first instruction to a return that passes the body and reads the clock
    so many times, without a call; None if there is none."""
    queue, seen = [(0, 0, 0, False, ())], set()
    while queue:
        length, here, reads, body, path = heapq.heappop(queue)
        if (here, reads, body) in seen or here >= len(code):
            continue
        seen.add((here, reads, body))
        text = code[here][1]
        path += (text,)
        if text.startswith("call") or reads > clock_reads:
            continue
        if "# body" in text:
            body = True
        if text.startswith("rdtsc"):
            reads += 1
        if text.startswith("ret"):
            if body and reads == clock_reads:
                return path
            continue
        jump = re.match(r"j(\w+)\s+([.\w$]+)", text)
        there = target(code, here, jump[2]) if jump else None
        if there is not None:
            heapq.heappush(queue, (length + 1, there, reads, body, path))
        if not jump or jump[1] != "mp":
            heapq.heappush(queue, (length + 1, here + 1, reads, body, path))
    return None


class ProbeCode(unittest.TestCase):
    def test_ways_through_a_function_with_a_probe(self):
        self.assertTrue(COMPILERS)
        for compiler in COMPILERS:
            for options in ((), ("-fPIE",), ("-fPIC",)):
                with self.subTest(compiler=compiler, options=options):
                    code = instructions(compiler, options)
                    timed, absent = LIMITS["shared object" if "-fPIC" in options else "executable"]
                    for clock_reads, limit in ((2, timed), (0, absent)):
                        path = way(code, clock_reads)
                        self.assertIsNotNone(path, "no way without a call")
                        self.assertLessEqual(len(path), limit, "\n".join(path))
                        self.assertFalse([t for t in path if re.match(r"lock|xchg|cmpxchg|mfence", t)])

    def test_the_search_knows_local_labels(self):
        code = [([], "jz 1f"), ([], "rdtsc"), (["1"], "nop # body"), ([], "jnz 1b"), (["1"], "ret")]
        self.assertEqual(way(code, 0), ("jz 1f", "nop # body", "jnz 1b", "ret"))
        self.assertEqual(len(way(code, 1)), 5)

    def test_the_search_sees_calls_and_counts(self):
        code = [([], "je .L1"), ([], "rdtsc"), ([], "nop # body"), ([], "rdtsc"), ([], "ret"),
                ([".L1"], "call f"), ([], "nop # body"), ([], "ret")]
        self.assertEqual(len(way(code, 2)), 5)
        self.assertIsNone(way(code, 0))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
