#!/usr/bin/env python3
"""Makes a C++ header of the compiler's assembler text of slow_text.c: a string literal, to be part of any assembler text.

  slow_text.py ASSEMBLER HEADER

Labels, functions and static variables get names that no other part of a file has, since with link-time optimisation
several sources become one, some of which may have the functions in C; where the text comes twice, the first counts.
"""
import re
import sys


def main(source, target):
    with open(source, encoding="utf-8") as file:
        lines = file.read().splitlines()
    lines = [line for line in lines if not re.match(r"\s*(\.file|\.ident|\.section\s+\.note|#)", line)]
    text = re.sub(r"\.L([A-Z]*\d+)\b", r".Landes_\1", "\n".join(lines))
    text = re.sub(r"\b(monitor|looked)\.\d+\b", r"andes.\1", text)
    text = re.sub(r"\bandes_(find_monitor|find_wide_vectors|is_x87_in_use|enter_slow|leave_slow|enter_phase_slow)\b", r"andes_text_\1", text)
    text = f".ifndef andes_text_find_monitor\n.pushsection .text\n{text}\n.popsection\n.endif\n"
    with open(target, "w", encoding="utf-8") as file:
        file.write("// Made by slow_text.py.\n#pragma once\n\nnamespace andes::preprocessor {\ninline constexpr char slow_text[] =\n")
        file.writelines(f'    R"({line})" "\\n"\n' for line in text.splitlines())
        file.write("    ;\n} // namespace andes::preprocessor\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
