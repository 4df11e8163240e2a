"""The commands of the README run as written, with small sizes, in a folder with its program."""

import os
import re
import shutil
import subprocess
import unittest

from support.build import SOURCE
from support.end_to_end import EndToEnd
from support.environment import environment

BLOCK = re.compile(r"<!-- tested: begin -->\s*```sh\n(.*?)```\s*<!-- tested: end -->", re.S)


class Readme(EndToEnd):

    def blocks(self, name):
        with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
            return BLOCK.findall(file.read())

    def test_links(self):
        """What README and tutorial point to is there."""
        for name in ("README.md", "docs/tutorial.md"):
            with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
                links = re.findall(r"\]\((?!https?:)([^)#]+)\)", file.read())
            self.assertTrue(links, name)
            for link in links:
                target = os.path.join(SOURCE, os.path.dirname(name), link)
                self.assertTrue(os.path.exists(target), "%s: %s" % (name, link))

    def run_blocks(self, name):
        blocks = self.blocks(name)
        self.assertTrue(blocks, name + " has no tested block")
        for source in ("jacobi.c", "jacobi_sequential.c", "heat.c", "counts.h", "waits/jacobi_strips.c"):
            shutil.copy(os.path.join(SOURCE, "tests", "programs", source), self.folder)
        script = "".join(blocks).replace("2048 500", "300 60").replace("64 40", "16 10").replace("96 40", "16 10")
        script = script.replace("--repeat 6 -- mpirun --bind-to none", "--repeat 2 -- mpirun --bind-to none")
        # Edits that the text tells of in words stand in the block as comments: "# edit: COMMAND".
        script = re.sub(r"(?m)^# edit: ", "", script)
        done = subprocess.run(["bash", "-e", "-c", script], cwd=self.folder, env=environment(),
                              timeout=300, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, script + done.stdout + done.stderr)
        return done

    @unittest.skipUnless(shutil.which("mpicc"), "no mpicc")
    def test_readme(self):
        done = self.run_blocks("README.md")
        for title in ("Where are we?", "How far can it go?", "Where to put the effort?"):
            self.assertIn(title, done.stdout)
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "runs", "jacobi-001"))),
                         sorted("p%d.%d.andes" % (p, r) for p in (1, 2, 4) for r in range(1, 7)))

    @unittest.skipUnless(shutil.which("mpicc"), "no mpicc")
    def test_tutorial(self):
        done = self.run_blocks(os.path.join("docs", "tutorial.md"))
        self.assertIn("Did it help?", done.stdout)
        for title in ("Splits of the same number of cores:", "serial regions %", "thread balance"):
            self.assertIn(title, done.stdout)


if __name__ == "__main__":
    unittest.main()
