import json
import os
import subprocess

import pytest

import clopt

PROGRAM = os.environ.get("CLOPT_PROGRAM", "")


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
