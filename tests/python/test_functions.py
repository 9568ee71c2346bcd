"""Objectives of every kind give the same run, and what they raise is raised."""

import pickle

import numpy as np
import pytest

import clopt

BOUNDS = 3 * [(-5.0, 5.0)]
# Exact in single precision for small whole numbers only; so values are compared as the library rounds them.
RUN = {"maxiter": 20, "precision": "double"}
TEXT = "real objective_term(individual x, uint i) { return (gene(x, i) - C) * (gene(x, i) - C); }"


def squares(x):
    return float((x[0] - 1) ** 2 + (x[1] - 1) ** 2 + (x[2] - 1) ** 2)


def test_every_kind_of_function_is_the_same_run(device):
    plain = clopt.differential_evolution(squares, BOUNDS, device=device, **RUN)
    shapes = set()

    def of_generation(x):
        shapes.add(x.shape)
        return (x[0] - 1) ** 2 + (x[1] - 1) ** 2 + (x[2] - 1) ** 2

    vectorised = clopt.differential_evolution(of_generation, BOUNDS, vectorized=True, device=device, **RUN)
    assert shapes == {(3, plain.population)}
    assert np.array_equal(plain.x, vectorised.x) and plain.checksum == vectorised.checksum
    assert plain.fun == squares(plain.x)
    text = clopt.Objective.text(TEXT, constants={"C": 1})
    assert np.array_equal(plain.x, clopt.differential_evolution(text, BOUNDS, device=device, **RUN).x)


def test_arguments_and_rows(device):
    data = np.array([[1.0, 2.0], [3.0, 4.0]])

    def distance(x, row, scale):
        assert x.shape == (1,) and row.shape == (2,)
        return scale * abs(x[0] - row.sum())

    plain = clopt.differential_evolution(distance, [(0, 9)], args=(2,), data=data, device=device, maxiter=60)
    assert plain.x.shape == (2, 1) and np.allclose(plain.x[:, 0], [3, 7], atol=1e-3)

    def distances(x, rows, scale):
        assert len(x) == 1 and len(rows) == 2 and x.shape[1] == rows.shape[1]
        return scale * abs(x[0] - rows.sum(0))

    vectorised = clopt.differential_evolution(
        distances, [(0, 9)], args=(2,), data=data, device=device, maxiter=60, vectorized=True
    )
    assert np.array_equal(plain.x, vectorised.x)


@pytest.mark.parametrize("kind, check", [
    ("bits", lambda x: set(x) <= {0, 1}),
    ("integers", lambda x: np.all(x == np.round(x))),
    ("permutation", lambda x: sorted(x) == list(range(len(x)))),
])
def test_other_kinds_of_genes(device, kind, check):
    seen = []

    def value(x):
        seen.append(check(x))
        return float(x @ np.arange(len(x)))

    bounds = [(-3, 3)] if kind == "integers" else None
    result = clopt.genetic(value, 7, kind=kind, bounds=bounds, maxiter=20, device=device, direction="maximise")
    assert all(seen) and len(seen) == result.nfev and check(result.x)
    assert result.x.dtype == np.int64 and result.fun == value(result.x.astype(float))


def test_ecga_maximises_a_function(device):
    result = clopt.ecga(lambda x: x.sum(0), 21, vectorized=True, population=100, device=device)
    assert result.fun == 21 and result.x.tolist() == 21 * [1]


@pytest.mark.parametrize("vectorized", [False, True])
def test_what_a_function_raises_is_raised(device, vectorized):
    calls = []

    def fails(x):
        calls.append(x)
        if len(calls) == 3:
            raise KeyError("mine")
        return x.sum(0)

    with pytest.raises(KeyError, match="mine"):
        clopt.differential_evolution(fails, BOUNDS, vectorized=vectorized, device=device)
    assert len(calls) == 3


def test_values_of_a_wrong_shape_are_refused(device):
    with pytest.raises(clopt.InvalidInput, match=r"returned the shape"):
        clopt.differential_evolution(lambda x: 1.0, BOUNDS, vectorized=True, device=device)
    with pytest.raises(TypeError):
        clopt.differential_evolution(lambda x: None, BOUNDS, device=device)


def test_tables_and_constants(device):
    text = "real objective_term(individual x, uint i) { return fabs(gene(x, i) - T(x, i)); }"
    objective = clopt.Objective.text(text, tables={"T": [1, 2, 3]}, bounds=(-5, 5))
    again = pickle.loads(pickle.dumps(objective))
    results = [clopt.differential_evolution(each, dimensions=3, maxiter=200, device=device) for each in (objective, again)]
    assert np.allclose(results[0].x, [1, 2, 3], atol=1e-4) and results[0].checksum == results[1].checksum
    with pytest.raises(clopt.InvalidInput):
        clopt.Objective.text(text, tables={"1T": [1]})
    with pytest.raises(clopt.InvalidInput):
        clopt.Objective.text("nothing")
    with pytest.raises(clopt.InvalidInput, match="does not compile"):
        clopt.differential_evolution(clopt.Objective.text("real objective(individual x) { return y; }"), BOUNDS, device=device)


def test_what_is_no_function_is_refused(device):
    with pytest.raises(TypeError):
        clopt.differential_evolution(3, BOUNDS, device=device)
    with pytest.raises(clopt.InvalidInput, match="vectorized"):
        clopt.differential_evolution("sphere", BOUNDS, vectorized=True, device=device)
