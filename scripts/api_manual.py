#!/usr/bin/env python3
"""Turn the public headers into a manual: one HTML page a header, and an index.

    scripts/api_manual.py FOLDER     writes FOLDER/index.html, FOLDER/flock.html, ...

The headers are written to be read, so a page keeps their order and words: the comment of the file,
then every declaration after the comment that stands before it. Names of functions, types and
constants are links. A public function without a comment is an error.
"""

import html
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADERS = ["flock", "statement", "verify", "prove", "merkle", "params"]
STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 52em; margin: 2em auto; padding: 0 1em; color: #222; }
pre { background: #f5f5f5; border-left: 3px solid #888; padding: .6em .8em; overflow-x: auto; }
h2 { margin-top: 2em; border-bottom: 1px solid #ddd; }
a { color: #0645ad; text-decoration: none; } a:hover { text-decoration: underline; }
table { border-collapse: collapse; } td { padding: .2em 1em .2em 0; vertical-align: top; }
"""


class Item:
    """A declaration and the comment before it."""

    def __init__(self, comment, code):
        self.comment = comment
        self.code = code
        self.functions = re.findall(r"^FLOCK_API [^(]*?\b(flock_\w+)\(", code, flags=re.M)
        self.names = list(self.functions)  # what can be linked to
        if code.startswith("typedef"):
            self.names = re.findall(r"\b(flock_\w+)", code.split("{")[0])[:1]
            if code.startswith("typedef enum"):
                self.names += re.findall(r"^    (FLOCK_\w+)", code, flags=re.M)
        elif code.startswith("#define"):
            self.names = re.findall(r"^#define (FLOCK_\w+)", code, flags=re.M)
        elif code.startswith("enum"):
            self.names = re.findall(r"\b(FLOCK_\w+) =", code)


def comment_text(comment):
    lines = [re.sub(r"^ \* ?", "", line) for line in comment[2:-2].strip("*\n ").splitlines()]
    return "\n".join(lines).strip()


def read_header(path):
    """The comment of the file, and its items."""
    text = path.read_text()
    text = re.sub(r'#ifdef __cplusplus\n.*?#endif\n', "", text, flags=re.S)
    text = re.sub(r"#if defined\(__GNUC__\).*?#endif\n", "", text, flags=re.S)
    text = re.sub(r"#(?:ifndef|define) FLOCK_\w+_H\n|#include .*\n|#endif\n", "", text)
    about, rest = re.match(r"(/\*.*?\*/)(.*)", text, flags=re.S).groups()
    items = []
    # A declaration ends with a semicolon at the start level; macros follow each other.
    pattern = (r"\s*(?P<comment>/\*.*?\*/\n)?"
               r"(?P<code>(?:#define [^\n]*\n)+|typedef struct \w+ \w+;\n"
               r"|typedef (?:enum|struct) \w+ \{.*?\n\} \w+;\n"
               r"|enum \{.*?\};\n|(?:FLOCK_API [^;]*;\n)+)")
    position = 0
    for match in re.finditer(pattern, rest, flags=re.S):
        between = rest[position : match.start()].strip()
        if between:
            raise SystemExit(f"{path.name}: not understood: {between[:200]}")
        position = match.end()
        items.append(Item(match["comment"] and comment_text(match["comment"].strip()),
                          match["code"].strip()))
    if rest[position:].strip():
        raise SystemExit(f"{path.name}: not understood: {rest[position:].strip()[:200]}")
    return comment_text(about), items


def link(text, targets):
    def replace(match):
        name = match.group(0)
        return f'<a href="{targets[name]}.html#{name}">{name}</a>' if name in targets else name

    return re.sub(r"\b(?:flock|FLOCK)_\w+", replace, html.escape(text, quote=False))


def prose(text, targets):
    """Paragraphs; what is laid out in columns stays as it is."""
    out = []
    for paragraph in re.split(r"\n\s*\n", text):
        laid_out = re.search(r"^(In:|Out:| -|  )", paragraph, flags=re.M)
        tag = ("<pre>", "</pre>") if laid_out else ("<p>", "</p>")
        out.append(tag[0] + link(paragraph, targets) + tag[1])
    return "\n".join(out)


def page(title, body):
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n")


def header_page(name, about, items, targets):
    body = ['<p><a href="index.html">libflock</a></p>', f"<h1>flock/{name}.h</h1>",
            prose(about, targets)]
    for item in items:
        title = ", ".join(item.functions or item.names[:1])
        anchors = "".join(f'<span id="{name}"></span>' for name in item.names)
        body.append(f"{anchors}<h2>{title}</h2>")
        if item.comment:
            body.append(prose(item.comment, targets))
        body.append(f"<pre>{link(item.code.replace('FLOCK_API ', ''), targets)}</pre>")
    return page(f"flock/{name}.h", "\n".join(body))


def summary(item):
    text = " ".join((item.comment or "").split())
    return re.split(r"(?<=[a-z)])[.:;] ", text + " ")[0].rstrip(". ")


def index_page(headers, targets):
    version = re.search(r'"(\d[\d.]*)"', (ROOT / "include/flock/flock.h").read_text()).group(1)
    body = [f"<h1>libflock {version}</h1>",
            "<p>Prove and verify batch Boolean computations. To verify, read flock/verify.h and "
            "flock/statement.h; to prove, flock/prove.h.</p>"]
    for name, (_, items) in headers.items():
        body.append(f'<h2><a href="{name}.html">flock/{name}.h</a></h2>\n<table>')
        for item in items:
            if item.names:
                body.append(f"<tr><td>{link(', '.join(item.functions or item.names[:1]), targets)}</td>"
                            f"<td>{html.escape(summary(item), quote=False)}</td></tr>")
        body.append("</table>")
    return page("libflock", "\n".join(body))


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    headers = {name: read_header(ROOT / f"include/flock/{name}.h") for name in HEADERS}
    present = {path.stem for path in (ROOT / "include/flock").glob("*.h")}
    if present != set(HEADERS):
        raise SystemExit(f"headers without a page: {present ^ set(HEADERS)}")
    targets = {name: header for header, (_, items) in headers.items()
               for item in items for name in item.names}
    for name, (about, items) in headers.items():
        for item in items:
            if item.functions and not item.comment:
                raise SystemExit(f"{name}.h: {item.functions[0]} has no comment")
        (folder / f"{name}.html").write_text(header_page(name, about, items, targets))
    (folder / "index.html").write_text(index_page(headers, targets))


if __name__ == "__main__":
    main()
