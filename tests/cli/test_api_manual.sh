# The manual made from the headers: well-formed pages, links that lead somewhere, every function.
. "$(dirname "$0")/lib.sh"

last_command="scripts/api_manual.py"
python3 "$SOURCE/scripts/api_manual.py" "$work/manual" || complain "no manual"
cat >check.py <<'END'
import sys
from html.parser import HTMLParser
from pathlib import Path

pages = {}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.open, self.ids, self.links = [], set(), []
        self.feed(path.read_text())
        if self.open:
            sys.exit(f"{path.name}: not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag != "meta":
            self.open.append(tag)
        if "id" in attributes:
            if attributes["id"] in self.ids:
                sys.exit(f"two anchors {attributes['id']}")
            self.ids.add(attributes["id"])
        if "href" in attributes:
            self.links.append(attributes["href"])

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit(f"</{tag}> closes nothing")


for path in Path(sys.argv[1]).glob("*.html"):
    pages[path.name] = Page(path)
for name, page in pages.items():
    for link in page.links:
        file, _, anchor = link.partition("#")
        if file not in pages or (anchor and anchor not in pages[file].ids):
            sys.exit(f"{name}: {link} leads nowhere")
for page in pages.values():
    for anchor in sorted(page.ids):
        print(anchor)
END
python3 check.py manual >anchors || complain "malformed page"
sed -n 's/^FLOCK_API .*[ *]\(flock_[a-z0-9_]*\)(.*/\1/p' "$SOURCE/include"/flock/*.h | sort -u >functions
[ "$(wc -l <functions)" -gt 15 ] || complain "few declarations found"
sort -u anchors | comm -23 functions - >missing
[ ! -s missing ] || complain "not in the manual: $(tr '\n' ' ' <missing)"
for name in FLOCK_REJECT_OPENING FLOCK_SECURE flock_statement flock_options FLOCK_MAX_LEVELS; do
    grep -qx $name anchors || complain "$name is not in the manual"
done
finish
