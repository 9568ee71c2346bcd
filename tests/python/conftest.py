import json
import os
import subprocess

import pytest

import clopt

PROGRAM = os.environ.get("CLOPT_PROGRAM", "")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes seconds; run with CLOPT_TEST_WIDE only")


def pytest_collection_modifyitems(config, items):
    """Leaves out what is long, unless it is named or all of it is wanted."""
    if os.environ.get("CLOPT_TEST_WIDE") or any("::" in name for name in config.args):
        return
    chosen = [item for item in items if not item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


@pytest.fixture(scope="session")
def device():
    return clopt.open("openmp:0", threads=2)


@pytest.fixture(scope="session")
def program():
    """Runs the program and returns its JSON, whatever its status."""

    def run(*arguments):
        command = [PROGRAM, *map(str, arguments), "--device", "openmp:0", "--json"]
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=120).stdout)

    return run
