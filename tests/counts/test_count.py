#!/usr/bin/env python3
"""The reader of callgrind's files, on a file small enough to add up by hand."""

import os
import tempfile
import unittest

import count

# Two dumps of one name: 4000 and 8000 instructions in a.out, 100 and 2100 in libandes.so. The lines behind
# calls= are what the called function does in all, which its own object has.
SAMPLE = """\
# callgrind format
desc: Trigger: Client Request: form
positions: line
events: Ir
summary: 4100

ob=/tmp/a.out
fl=a.c
fn=main
9 3000
+1 1000
cob=/lib/libandes.so
cfi=???
cfn=enter
calls=2 0
* 100

ob=/lib/libandes.so
fn=enter
0 100

desc: Trigger: Client Request: form
summary: 10100

ob=/tmp/a.out
fn=main
9 8000
calls=2 0
9 2100

ob=/lib/libandes.so
fn=enter
-3 2000
* 100
desc: Trigger: Program termination
"""


class Count(unittest.TestCase):
    def parts(self):
        with tempfile.NamedTemporaryFile("w", suffix=".out", delete=False) as file:
            file.write(SAMPLE)
        self.addCleanup(os.remove, file.name)
        return count.by_part(file.name)

    def test_instructions_of_each_object(self):
        self.assertEqual([("form", {"/tmp/a.out": 4000, "/lib/libandes.so": 100}),
                          ("form", {"/tmp/a.out": 8000, "/lib/libandes.so": 2100})], self.parts()[:2])

    def test_a_call_is_the_difference_over_the_calls(self):
        self.assertEqual({"form": 3.0}, count.per_call(self.parts(), lambda name: True))
        self.assertEqual({"form": 1.0}, count.per_call(self.parts(), lambda name: name.endswith("libandes.so")))

    def test_tables_of_the_docs(self):
        table = {("gcc-12", "exact"): 50.0, ("gcc-12", "p, plain"): 200.0, ("gcc-12", "p, default build"): 201.0,
                 ("gcc-12", "p, every visit timed"): 300.0, ("gcc-13", "exact"): 49.0}
        self.assertEqual(["| instructions of | more than without |", "|---|---|", "| exact | 50 |", "",
                          "| instructions of the program | plain | default build | every visit timed |",
                          "|---|---|---|---|", "| p | 200 | +0.500 % | +50.000 % |"],
                         count.rows_of_docs(table, "gcc-12"))


if __name__ == "__main__":
    unittest.main()
