"""The ten cases of docs/cases: each page's commands and changes work as written, and its program shows what the page says."""

import concurrent.futures
import os
import re
import shutil
import unittest

from docs import pages
from support.build import SOURCE


# Fewer runs than a reader wants, as the suite's time is short.
SHORTER = {"--repeat 3": "--repeat 1", "--repeat 6": "--repeat 1", "--repeat 7": "--repeat 2", "auto:10%,20s": "auto:10%,1s", "in 1 2 3 4 5 6;": "in 1;",
           "heat 96 20": "heat 24 4"}


def troubles(name):
    """What a page expects and its commands have not printed."""
    found = []
    page = pages.read(name)
    for long, short in SHORTER.items():
        page = page.replace(long, short)
    try:
        pages.walk(page, lambda block, printed: None,
                   lambda pattern, printed: re.search(pattern, " ".join(printed.split())) or found.append("%s: nothing like %s in\n%s" % (
                       name, pattern, printed)))
    except AssertionError as failure:
        found.append("%s: %s" % (name, failure))
    return found


@unittest.skipUnless(shutil.which("mpicc") and shutil.which("patch"), "no mpicc, or no patch")
class Cases(unittest.TestCase):
    def test_pages(self):
        # Four at once: nearly all of them sleep, and none expects a time.
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            found = [trouble for each in pool.map(troubles, pages.names()) for trouble in each]
        self.assertEqual(found, [])

    def test_index(self):
        with open(os.path.join(pages.PAGES, "README.md"), encoding="utf-8") as file:
            self.assertEqual(sorted(re.findall(r"\]\((\w+)\.md\)", file.read())), pages.names())

    def test_pictures(self):
        """Each page has one, small, and its own."""
        for name in pages.names():
            pictures = [block["picture"] for block in pages.BLOCK.finditer(pages.read(name)) if block["picture"]]
            self.assertNotEqual(pictures, [], name)
            for picture in pictures:
                self.assertRegex(picture, r"^\.\./pictures/%s-\w+\.png$" % name)
                self.assertLess(os.path.getsize(os.path.join(pages.PAGES, picture)), 60_000, name)

    def test_every_program_has_a_page(self):
        text = "".join(map(pages.read, pages.names()))
        for program in os.listdir(os.path.join(SOURCE, "tests", "programs", "cases")):
            if program.endswith(".c"):
                self.assertIn(program, text)


if __name__ == "__main__":
    unittest.main()
