"""scipy's own tests of differential_evolution, run against clopt's. docs/scipy.md lists those that must fail, and how."""

import importlib.util
import os
import pathlib
import re
import warnings

import pytest

import clopt.scipy

SOURCE = pathlib.Path(os.environ.get("CLOPT_SOURCE", pathlib.Path(__file__).parents[2]))


class Solver:
    """In place of the class behind scipy's function, which its tests use too: what it is made with, and `solve()`."""

    def __init__(self, func, bounds, *args, **options):
        self._call = (func, bounds, *args), options

    def solve(self):
        arguments, options = self._call
        result = clopt.scipy.differential_evolution(*arguments, **options)
        self.x, self.population, self.population_energies = result.x, result.population, result.population_energies
        return result

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def load():
    found = importlib.util.find_spec("scipy.optimize.tests.test__differential_evolution")
    if found is None:
        return None
    spec = importlib.util.spec_from_file_location("scipys_tests", found.origin)
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # marks that its own configuration declares
        spec.loader.exec_module(module)
    module.differential_evolution = clopt.scipy.differential_evolution
    module.DifferentialEvolutionSolver = Solver
    return module.TestDifferentialEvolutionSolver


def is_run(name):
    """Whether it is a test that scipy itself runs without being asked for slow ones."""
    marks = getattr(getattr(TESTS, name), "pytestmark", [])
    return name.startswith("test") and all(mark.name != "xslow" for mark in marks)


TESTS = load()
NAMES = [name for name in dir(TESTS) if is_run(name)] if TESTS else []
# | `test` | `exception` | reason |, or of what depends on the last digits | `test` | `exception`, or none | reason |
ROWS = re.findall(
    r"^\| `(test\w+)` \| `(\w+)`(, or none)? \|", (SOURCE / "docs" / "scipy.md").read_text(encoding="utf-8"), re.MULTILINE
)
LISTED = {name: exception for name, exception, _ in ROWS}
MAY_PASS = {name for name, _, or_none in ROWS if or_none}


def test_the_list_names_tests():
    if TESTS is None:
        pytest.skip("this scipy comes without its tests")
    assert len(LISTED) == len(ROWS) and set(LISTED) <= set(NAMES)
    assert len(NAMES) >= 60


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
def test_of_scipy(name):
    tests = TESTS()
    tests.setup_method()
    try:
        getattr(tests, name)()
    except (Exception, pytest.fail.Exception) as error:
        if LISTED.get(name) == type(error).__name__:
            return
        raise
    finally:
        tests.teardown_method()
    assert name not in LISTED or name in MAY_PASS, f"{name} passes: take it out of the list in docs/scipy.md"
