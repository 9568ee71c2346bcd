"""What the documents show works, and the package's types hold."""

import ast
import doctest
import importlib
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import clopt

SOURCE = pathlib.Path(os.environ.get("CLOPT_SOURCE", pathlib.Path(__file__).parents[2]))


def blocks_of(page):
    return re.findall(r"^```python\n(.*?)^```", (SOURCE / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def members_of(text):
    return [line.partition(":")[0] for line in text.splitlines()]


PAGES = [
    page
    for page in ["README.md", "python/README.md", *sorted(f"docs/{each.name}" for each in (SOURCE / "docs").glob("*.md"))]
    if blocks_of(page)
]


def test_pages_have_examples():
    assert {"README.md", "python/README.md", "docs/index.md", "docs/python.md", "docs/scipy.md"} <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_documents(page, tmp_path, capsys):
    blocks = blocks_of(page)
    (tmp_path / "docs").symlink_to(SOURCE / "docs")
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        exec(compile("\n".join(blocks), page, "exec"), {})
    finally:
        os.chdir(before)
    # A result that a page shows is the one that is printed, but for its times.
    output = capsys.readouterr().out
    printed = members_of(output)
    for shown in re.findall(r"^```text\n(\w+Result\n.*?)^```", (SOURCE / page).read_text(encoding="utf-8"), re.M | re.S):
        members = members_of(shown)
        begin = printed.index(members[0])
        assert members == printed[begin : begin + len(members)]
        for line in shown.splitlines():
            assert line in output or "seconds:" in line


def modules():
    return [importlib.import_module(each.name) for each in pkgutil.iter_modules(clopt.__path__, "clopt.")]


def test_examples_of_help():
    tried = 0
    for module in modules():
        if module.__name__ != "clopt._core":
            outcome = doctest.testmod(module)
            assert outcome.failed == 0
            tried += outcome.attempted
    assert tried >= 8


def test_everything_public_has_help():
    for name in clopt.__all__:
        assert getattr(clopt, name).__doc__, name


def test_types():
    # numpy's types are read once for each environment, which keeps them.
    cache = pathlib.Path(sys.prefix) / "mypy-cache"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", cache, "-p", "clopt"],
        cwd=pathlib.Path(clopt.__file__).parents[1], capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_is_the_module():
    stub = ast.parse((SOURCE / "python/src/clopt/_core.pyi").read_text(encoding="utf-8"))
    declared = {}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            declared[node.name] = {
                each.name if isinstance(each, ast.FunctionDef) else each.target.id for each in node.body
            }
        elif isinstance(node, ast.FunctionDef):
            declared[node.name] = set()
    real = {name for name in dir(clopt._core) if not name.startswith("_")} - {"version"}
    assert set(declared) == real
    for name, members in declared.items():
        thing = getattr(clopt._core, name)
        own = {member for member in dir(thing) if not member.startswith("_")} if isinstance(thing, type) else set()
        assert members - {"__init__"} == own, name
