"""A table in a page of the documentation that is made from declarations: facts.py, columns.py."""
import os
import re


def plain(text):
    """Of a string as C++ has it: without the backslashes."""
    return text.replace("\\", "")


def check(source, page, head, wanted, complaint, write):
    """Exit status: 0 if the table with this head in `page` is `wanted`, or was made so; 1, with the complaint, if not."""
    path = os.path.join(source, page)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = re.search(re.escape(head) + r"(?:\|.*\n)*", text)
    if found and found[0] == wanted:
        return 0
    if found and write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:found.start()] + wanted + text[found.end():])
        return 0
    print(f"{page}: {complaint}")
    return 1
