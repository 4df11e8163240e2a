"""The parts of a page of HTML, read without andes and without a browser."""
import base64
import html.parser
import json
import zlib


class Parts(html.parser.HTMLParser):
    """Elements of script by their id, and all markup that is met: (tag, attributes)."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.raw, self.tags, self.title, self._open = {}, [], "", None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._open = dict(attributes).get("id") if tag == "script" else tag if tag == "title" else None

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open == "title":
            self.title += data
        elif self._open:
            self.raw[self._open] = self.raw.get(self._open, "") + data

    def manifest(self):
        return json.loads(self.raw["andes-manifest"])

    def bytes(self, name):
        return zlib.decompress(base64.b64decode(self.raw["andes-" + name], validate=True))

    def text(self, name):
        return self.bytes(name).decode()


def parts_of(path):
    with open(path, encoding="utf-8") as file:
        return Parts(file.read())
