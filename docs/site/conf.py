"""How Sphinx makes the site of the pages in docs: tools/docs runs it, with these variables set."""

import os
import re
import sys
from pathlib import Path

from sphinx.ext.napoleon.docstring import GoogleDocstring
from sphinx.util.inspect import TypeAliasForwardRef

source = Path(os.environ["CLOPT_SOURCE"])
# With the compiled module, where it is built, the solvers' help has their options too.
built = source / "build" / "python"
has_module = (built / "clopt").is_dir() and any((built / "clopt").glob("_core*.so"))
sys.path.insert(0, str(built if has_module else source / "python" / "src"))

header = (source / "lib" / "include" / "clopt" / "version.hpp").read_text(encoding="utf-8")
release = ".".join(re.findall(r"#define CLOPT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
project = "clopt"
author = "clopt maintainers"
version = release

extensions = ["myst_nb", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
# What is copied are the commands, without the prompt and what they print.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
exclude_patterns = ["site", "examples"]
html_theme = "furo"
html_title = f"clopt {release}"
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["site.css"]
# Two hyphens are an option, not a dash.
smartquotes = False
templates_path: list[str] = []

# The scripts of docs/examples/python, as notebooks with what they print and draw.
nb_execution_mode = "force" if has_module else "off"
nb_execution_in_temp = True
nb_execution_timeout = 300
nb_execution_raise_on_error = True
os.environ.update(PYTHONPATH=str(built), CLOPT_DEVICE="openmp:0")

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

autodoc_mock_imports = ["scipy"] if has_module else ["clopt._core", "scipy"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_typehints_format = "short"
# As signatures have them, not what numpy defines them as.
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "NDArray": "NDArray", "Floats": "NDArray[np.float64]"}
TypeAliasForwardRef.__repr__ = lambda self: self.name


# Napoleon takes what stands before a colon in an attribute's text for its type, which the annotation has.
GoogleDocstring._parse_attribute_docstring = lambda self: self._consume_to_end()
