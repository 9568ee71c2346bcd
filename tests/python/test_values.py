"""Values that floats do not hold, that are infinite, and that are no numbers; tables that do not fit."""

import math

import numpy as np
import pytest

import clopt

BIG = 10000001


def weight(x, *_):
    return sum(BIG + i for i, bit in enumerate(x) if bit)


@pytest.mark.parametrize("form", ["each", "vectorized"])
@pytest.mark.parametrize("solver", [clopt.genetic, clopt.ecga])
def test_functions_are_exact(solver, form):
    def many(x):
        return [weight(column) for column in np.asarray(x).T]

    func, extra = (weight, {}) if form == "each" else (many, {"vectorized": True})
    size = {"genes": 30, "kind": "bits"} if solver is clopt.genetic else {"length": 30}
    found = solver(func, **size, direction="maximise", maxiter=3, population=60, seed=1, device="openmp:0", **extra)
    assert found.fun == weight(found.x) > 2**24


@pytest.mark.parametrize("solver", [clopt.genetic, clopt.ecga])
@pytest.mark.parametrize("sign", [1, -1])
def test_infinities_have_their_places(solver, sign):
    direction = "minimise" if sign > 0 else "maximise"
    size = {"genes": 9, "kind": "bits"} if solver is clopt.genetic else {"length": 9}

    def run(special):
        func = lambda x: special if x[0] else float(sum(x))  # noqa: E731
        return solver(func, **size, direction=direction, maxiter=4, population=100, seed=1, device="openmp:0")

    for worst in (sign * math.inf, math.nan):
        found = run(worst)
        assert found.fun == sum(found.x) and not found.x[0]
    best = run(-sign * math.inf)
    assert best.fun == -sign * math.inf and not best.success and "not a finite number" in best.message


def test_ecga_takes_a_precision():
    text = clopt.Objective.text(
        f"// clopt: bits, maximise\nreal objective_term(individual x, uint i) {{ return gene(x, i) != 0 ? {BIG} : 0; }}"
    )
    run = {"length": 30, "maxiter": 20, "population": 400, "seed": 1, "device": "openmp:0"}
    assert clopt.ecga(text, **run).fun == 30 * BIG
    assert clopt.ecga(text, precision="double", **run).fun == 30 * BIG
    assert clopt.ecga(text, precision="float", **run).fun == float(np.float32(30 * BIG)) != 30 * BIG
    with pytest.raises(clopt.InvalidInput, match="half"):
        clopt.ecga(text, precision="half", **run)


def test_tables_that_do_not_fit_are_a_warning():
    text = clopt.Objective.text(
        "// clopt: bits, maximise\nreal objective_term(individual x, uint i) { return W(x, i) * gene(x, i); }",
        tables={"W": [1, 2, 3]},
    )
    run = {"maxiter": 1, "device": "openmp:0"}
    with pytest.warns(RuntimeWarning, match="the table W of .* has 3 numbers for 5 genes"):
        clopt.genetic(text, genes=5, **run)
    with pytest.warns(RuntimeWarning, match="has 3 numbers for 4 genes"):
        clopt.ecga(text, length=4, population=20, **run)
