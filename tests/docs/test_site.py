"""The docs as a site: MkDocs is strict, so a link to a page or picture that is not there, and a page of the navigation that is
missing, are errors. Links to sections are looked up here."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser

from support.build import SOURCE


class Page(HTMLParser):
    """The links of a page to sections, its own sections, and what it loads from elsewhere."""

    def __init__(self, path):
        super().__init__()
        self.links, self.sections, self.loaded = [], set(), []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        self.sections.update(name for name in (names.get("id"), names.get("name")) if name)
        if tag == "a" and "#" in (names.get("href") or ""):
            self.links.append(names["href"])
        source = names.get("src") or (names.get("href") if tag == "link" and names.get("rel") != "canonical" else None)
        if source and re.match(r"(https?:)?//", source):
            self.loaded.append(source)


@unittest.skipUnless(shutil.which("mkdocs"), "no mkdocs")
class Site(unittest.TestCase):
    def test_site(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["mkdocs", "build", "--quiet", "--config-file",
                                   os.path.join(SOURCE, "packaging", "site", "mkdocs.yml"), "--site-dir", folder],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            pages = {path: Page(path) for path in glob.glob(folder + "/**/*.html", recursive=True)}
            self.assertGreater(len(pages), 30)
            for path, page in pages.items():
                self.assertEqual(page.loaded, [], path)
                for link in page.links:
                    if re.match(r"\w+:", link):
                        continue
                    target, section = link.split("#", 1)
                    there = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
                    if there in pages and section:
                        self.assertIn(section, pages[there].sections, "%s: %s" % (path, link))


if __name__ == "__main__":
    unittest.main()
