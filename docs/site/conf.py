"""How Sphinx makes the site of the pages in docs: tools/docs runs it, with these variables set."""

import os
import re
import sys
from pathlib import Path

source = Path(os.environ["CLOPT_SOURCE"])
sys.path.insert(0, str(source / "python" / "src"))

header = (source / "lib" / "include" / "clopt" / "version.hpp").read_text(encoding="utf-8")
release = ".".join(re.findall(r"#define CLOPT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
project = "clopt"
author = "clopt maintainers"
version = release

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["site", "examples"]
html_theme = "furo"
html_title = f"clopt {release}"
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["site.css"]
# Two hyphens are an option, not a dash.
smartquotes = False
templates_path: list[str] = []

# Headings can be linked to as on a forge: [text](page.md#a-heading).
myst_heading_anchors = 4
# OpenCL C is C, and consoles show what a program prints.
highlight_language = "none"

suppress_warnings = [
    # Every header declares the namespace.
    "duplicate_declaration.cpp",
    # Links to files that are no pages lead to the checkout; tests/readme/check looks that they are there.
    "myst.xref_missing",
]

breathe_projects = {"clopt": os.environ["CLOPT_DOXYGEN"]}
breathe_default_project = "clopt"
breathe_default_members = ("members",)

# The compiled module need not be there for the texts of the others.
autodoc_mock_imports = ["clopt._core", "scipy"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
