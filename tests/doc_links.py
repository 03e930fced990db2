#!/usr/bin/env python3
"""Do the links of all documents lead somewhere? doc_links.py ROOT

Its folders build* and those that are hidden are left out.

Files must be there, and so must the headings that a link names after '#', spelt as GitHub and most others do.
One line for each that leads nowhere; exit status 1 then. What is on the web is not asked for."""
import pathlib
import re
import sys


def prose(text):
    """Without blocks of code, in which '#' begins comments."""
    return re.sub(r"^(```.*?^```|    .*?)$", "", text, flags=re.M | re.S)


def anchors(text):
    found = []
    for heading in re.findall(r"^#+ +(.*)$", prose(text), re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        again = sum(re.fullmatch(re.escape(anchor) + r"(-\d+)?", other) is not None for other in found)
        found.append(f"{anchor}-{again}" if again else anchor)
    return found


def main(root):
    bad = 0
    files = [*root.glob("*.md"), *(f for folder in root.glob("[!.]*/") if not folder.name.startswith("build")
                                   for f in folder.rglob("*.md"))]
    texts = {f.resolve(): f.read_text() for f in files}
    for file, text in texts.items():
        for link in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (file.parent / name).resolve() if name else file
            if not target.exists():
                what = "there is no such file"
            elif anchor and target.suffix == ".md" and anchor not in anchors(texts.get(target) or target.read_text()):
                what = "there is no such heading"
            else:
                continue
            print(f"{file.relative_to(root)}: {link}: {what}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
