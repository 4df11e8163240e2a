#!/usr/bin/env python3
"""Fuzzes readers: fuzz.py TREE TARGET... [--runs N | --seconds N] [--seed S] [--keep DIR] [--grow]

TREE has the targets' programs: of an ANDES_FUZZ build, or those of the tests (tests/fuzz/targets in a build),
which go without coverage and sanitizers. Each starts from tests/fuzz/corpus/TARGET, where it
has one, and from the files that andes comes with; found inputs stay in a directory that is removed at the
end, unless --grow adds what leads further to the corpus, as few and as small inputs as can be. An input
that breaks a target is kept in DIR; put it into the corpus with the cure, under a telling name.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
configs = here.parent.parent / "configs"
TARGETS = ("run_file", "settings", "selection", "rules", "words", "compiler", "message", "exchange",
           "arena")
LARGEST = {"run_file": 400, "exchange": 400, "arena": 400, "message": 400, "words": 300}  # bytes; else 4096


def seeds(target, place):
    """Directories of inputs to begin with."""
    found = [here / "corpus" / target]
    made = place / "seeds"
    made.mkdir()
    if target == "rules":  # an engine's seed and "not behind the shipped ones" stand at the end
        for file in (configs / "rules").glob("*.rules"):
            (made / file.name).write_bytes(file.read_bytes() + b"\0\0")
    if target == "settings":
        for number, name in enumerate(("andes.info", "build.info")):
            if (configs / name).exists():
                (made / name).write_bytes((configs / name).read_bytes() + bytes([number]))
    if target == "selection":
        (made / "selection").write_bytes(b"\\\\\\\\" + (configs / "selection.txt").read_bytes())
    return [str(one) for one in found + [made] if one.is_dir()]


def fuzz(tree, target, options):
    program = tree / f"fuzz_{target}"
    if not program.exists():
        sys.exit(f"andes: {program}: no such target; build it with ./setup fuzz-readers")
    with tempfile.TemporaryDirectory(prefix="andes-fuzz-") as scratch:
        place = pathlib.Path(scratch)
        (place / "found").mkdir()
        begin = seeds(target, place)
        command = [str(program), str(place / "found"), *begin, f"-seed={options.seed}", "-timeout=600",
                   "-rss_limit_mb=3000", f"-max_len={LARGEST.get(target, 4096)}", "-print_final_stats=1",
                   "-reload=0", "-use_value_profile=1", "-len_control=0", f"-artifact_prefix={place}/broken-"]
        command.append(f"-max_total_time={options.seconds}" if options.seconds else f"-runs={options.runs}")
        environment = dict(os.environ, TMPDIR=scratch, ASAN_OPTIONS="detect_leaks=1:allocator_may_return_null=0",
                           UBSAN_OPTIONS="print_stacktrace=1", LC_ALL="C.UTF-8")
        for name in [name for name in environment if name.startswith("ANDES_")]:
            del environment[name]
        ended = subprocess.run(command, env=environment, cwd=scratch, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
        text = ended.stdout.decode(errors="replace")
        executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
        covered = re.findall(r"\bcov: (\d+)", text)  # libFuzzer alone counts it: edges of the code
        print(f"{target}: {executed[1] if executed else '?'} inputs, " +
              (f"{covered[-1]} edges covered, " if covered else "") + f"status {ended.returncode}", flush=True)
        if ended.returncode != 0:
            options.keep.mkdir(parents=True, exist_ok=True)
            for broken in place.glob("broken-*"):
                kept = options.keep / f"{target}-{broken.name.removeprefix('broken-')}"
                shutil.copy(broken, kept)
                print(f"kept: {kept}; again: {program} {kept}")
            print("\n".join(text.splitlines()[-80:]))
            return False
        if options.grow:
            corpus = here / "corpus" / target
            corpus.mkdir(parents=True, exist_ok=True)
            subprocess.run([str(program), "-merge=1", str(corpus), str(place / "found")], env=environment, cwd=scratch,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("targets", nargs="*", default=TARGETS)
    parser.add_argument("--runs", type=int, default=10000)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("fuzz-failures"))
    parser.add_argument("--grow", action="store_true")
    options = parser.parse_args()
    good = [fuzz(options.tree.resolve(), target, options) for target in options.targets or TARGETS]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
