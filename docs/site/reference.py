"""Makes the site's pages of the reference, and links to notebooks: reference.py SOURCE PAGES. PAGES is a copy of SOURCE/docs, which gets a page for
each header and for each name of the Python package that reference-cpp.md and reference-python.md have in their tables, and
links to these pages there."""

import re
import sys
from pathlib import Path

HEADER = re.compile(r"\| \[`clopt/([^`]*)`\]\(\.\./lib/include/[^)]*\) \| (.*) \|")
NAME = re.compile(r"^\| `clopt\.([^`]*)` \| (.*) \|$", re.M)
MODULES = ("cluster", "errors", "scipy")


def toctree(pages):
    return "\n```{toctree}\n:hidden:\n" + "".join(f"{page}\n" for page in pages) + "```\n"


def page_of_header(header, contents):
    file = header.rpartition("/")[2]
    return f"# clopt/{header}\n\n{contents}.\n\n```{{doxygenfile}} {file}\n:project: clopt\n```\n"


def page_of_name(name, contents):
    if name in MODULES:
        directive = f".. automodule:: clopt.{name}\n   :members:"
    elif name[0].isupper():
        directive = f".. autoclass:: clopt.{name}\n   :members:\n   :show-inheritance:"
    else:
        directive = f".. autofunction:: clopt.{name}"
    return f"# clopt.{name}\n\n```{{eval-rst}}\n{directive}\n```\n"


def make(pages, reference, folder, pattern, page_of, link):
    """Writes the pages that a table lists into a folder, and leads its first column there."""
    (pages / folder).mkdir(exist_ok=True)
    text = (pages / reference).read_text(encoding="utf-8")
    found = pattern.findall(text)
    if not found:
        raise SystemExit(f"{reference} has no table of names")
    for name, contents in found:
        (pages / folder / f"{name.replace('/', '-')}.md").write_text(page_of(name, contents), encoding="utf-8")
    text = pattern.sub(lambda each: link(each[1], each[2]), text)
    text += toctree(f"{folder}/{name.replace('/', '-')}" for name, _ in found)
    (pages / reference).write_text(text, encoding="utf-8")
    return [name for name, _ in found]


source, pages = Path(sys.argv[1]), Path(sys.argv[2])
headers = make(pages, "reference-cpp.md", "cpp", HEADER, page_of_header,
               lambda name, contents: f"| [`clopt/{name}`](cpp/{name.replace('/', '-')}.md) | {contents} |")
names = make(pages, "reference-python.md", "python", NAME, page_of_name,
             lambda name, contents: f"| [`clopt.{name}`](python/{name}.md) | {contents} |")
# Notebooks beside the scripts that they are made of.
examples = pages / "examples.md"
link = r"\[(\w+)\.py\]\(examples/python/\w+\.py\)"
text, count = re.subn(link, r"\g<0> ([notebook](notebooks/\1.ipynb))", examples.read_text(encoding="utf-8"))
notebooks = sorted(file.stem for file in (pages / "notebooks").glob("*.ipynb"))
if count != len(notebooks):
    raise SystemExit(f"docs/examples.md names {count} scripts, and there are {len(notebooks)}")
examples.write_text(text + toctree(f"notebooks/{name}" for name in notebooks), encoding="utf-8")
include = source / "lib" / "include" / "clopt"
for file in [*include.glob("*.hpp"), *include.glob("detail/*.hpp")]:
    header = str(file.relative_to(include))
    if header not in (*headers, "clopt.hpp", "export.hpp"):
        raise SystemExit(f"docs/reference-cpp.md does not name {header}")
package = (source / "python" / "src" / "clopt" / "__init__.py").read_text(encoding="utf-8")
for name in re.findall(r'^    "(\w+)",$', package.partition("__all__")[2], re.M):
    # errors has the exceptions.
    is_error = re.search(rf"from clopt.errors import \([^)]*\b{name}\b", package)
    if name not in names and not is_error:
        raise SystemExit(f"docs/reference-python.md does not name clopt.{name}")
