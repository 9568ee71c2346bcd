"""The package belongs to Python's main interpreter."""

import subprocess
import sys
import textwrap

import pytest

interpreters = pytest.importorskip("_xxsubinterpreters")

PROGRAM = textwrap.dedent('''
    import sys
    import warnings
    import _xxsubinterpreters as interpreters

    WORK = """
    import warnings
    warnings.simplefilter("ignore")
    try:
        import clopt
        print(clopt.genetic("onemax", genes=40, population=20, maxiter=20, device="openmp:0", seed=3).checksum)
    except ImportError as error:
        print(error)
    """.replace("\\n    ", "\\n")
    for each in sys.argv[1]:
        if each == "m":
            exec(WORK)
        else:
            other = interpreters.create()
            interpreters.run_string(other, WORK)
            interpreters.destroy(other)
        sys.stdout.flush()
''')


@pytest.mark.parametrize("order", ["m", "s", "ss", "ms", "sm", "msm", "sms"])
def test_other_interpreters_are_refused(order: str) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM, order], capture_output=True, text=True, timeout=60, check=True)
    lines = ended.stdout.splitlines()
    assert len(lines) == len(order)
    for kind, line in zip(order, lines):
        if kind == "m":
            assert len(line) == 16 and int(line, 16) > 0
        else:
            assert "main interpreter only" in line
