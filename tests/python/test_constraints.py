"""Constraints, start vectors and whole numbers: what is found, what is told, and what is refused."""

import ctypes

import numpy as np
import pytest

import clopt

BOUNDS = 2 * [(0.0, 4.0)]
DOUBLES = ctypes.POINTER(ctypes.c_double)

# The nearest point to the origin with x + y >= 2: (1, 1), whose value is 2.
VALUE = "real objective(individual x) { return gene(x, 0) * gene(x, 0) + gene(x, 1) * gene(x, 1); }\n"
NEAREST = VALUE + "real violation(individual x) { return 2 - gene(x, 0) - gene(x, 1); }"
# Nothing is allowed: what is least wrong is the greatest vector, (4, 4), which lacks 1.
NOTHING = VALUE + "real violation(individual x) { return 9 - gene(x, 0) - gene(x, 1); }"


def value(x):
    return x[0] * x[0] + x[1] * x[1]


def lack(x):
    return 2 - x[0] - x[1]


SOLVERS = {
    "differential_evolution": lambda func, **run: clopt.differential_evolution(func, BOUNDS, **run),
    "genetic": lambda func, **run: clopt.genetic(func, bounds=BOUNDS, **run),
}
solvers = pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS.keys())


@solvers
def test_the_best_keeps_the_constraints(device, solve):
    result = solve(clopt.Objective.text(NEAREST), maxiter=300, precision="double", device=device)
    assert result.success and result.feasible is True and result.violation == 0.0
    assert lack(result.x) <= 0 and result.fun == value(result.x) == pytest.approx(2, abs=1e-2)


@solvers
def test_an_answer_that_breaks_them_is_none(device, solve):
    result = solve(clopt.Objective.text(NOTHING), maxiter=300, precision="double", device=device)
    assert not result.success and result.feasible is False and "constraints" in result.message
    assert result.ending == "generations" and result.message.endswith("the limit of generations was reached")
    assert result.violation == 9 - result.x[0] - result.x[1] == pytest.approx(1, abs=1e-2)
    assert result.fun == value(result.x)
    # A target's value is not reached by who is infeasible.
    result = solve(clopt.Objective.text(NOTHING), maxiter=9, target=1e9, device=device)
    assert not result.success and "constraints" in result.message


@solvers
def test_without_constraints_all_are_kept(device, solve):
    result = solve("sphere", maxiter=3, statistics=True, device=device)
    assert result.success and result.feasible is True and result.violation == 0.0
    assert "feasible" not in result.statistics


def test_it_is_what_the_program_prints(device, program, tmp_path):
    for name, text in (("nearest", NEAREST), ("nothing", NOTHING)):
        file = tmp_path / f"{name}.cl"
        file.write_text(text)
        result = clopt.differential_evolution(clopt.Objective.file(file), BOUNDS, maxiter=30, device=device)
        other = program(
            *("differential-evolution", "--objective", file, "--dimensions", 2, "--lower", 0, "--upper", 4),
            *("--generations", 30),
        )
        assert result.checksum == other["checksum"] and result.fun == other["values"][0]
        assert (result.feasible, result.violation) == (other["feasible"], other["violation"])
        result = clopt.genetic(clopt.Objective.file(file), 2, bounds=[(0, 4)], maxiter=30, device=device)
        other = program("genetic", "--objective", file, "--genes", 2, "--lower", 0, "--upper", 4, "--generations", 30)
        assert result.checksum == other["checksum"] and result.fun == other["best"]["fitness"]
        assert (result.feasible, result.violation) == (other["feasible"], other["violation"])


def test_of_several_problems(device):
    text = VALUE + "real violation(individual x) { return row(x, 0) - gene(x, 0) - gene(x, 1); }"
    result = clopt.differential_evolution(
        clopt.Objective.text(text), BOUNDS, data=[[2.0], [9.0], [3.0]], maxiter=200, statistics=True, device=device
    )
    assert result.feasible.tolist() == [True, False, True] and not result.success
    assert result.violation[[0, 2]].tolist() == [0, 0] and result.violation[1] == pytest.approx(1, abs=1e-2)
    assert "1 of 3 problems" in result.message
    assert not result.violation.flags.writeable and not result.feasible.flags.writeable
    column = result.statistics["feasible"]
    assert column[-1] == 2 and np.all(np.diff(column) >= 0)


def test_statistics_of_individuals(device):
    table = clopt.genetic(
        clopt.Objective.text(NEAREST), bounds=BOUNDS, maxiter=20, statistics=True, device=device
    ).statistics
    assert 0 < table["feasible"][0] <= 64 and np.all(table["feasible"] <= 64)


@solvers
def test_callbacks_before_anyone_keeps_them(device, solve):
    seen = []

    def callback(state):
        seen.append(state)
        return len(seen) == 4

    endless = {"maxiter": 2**31 - 1, "callback": callback, "device": device}
    result = solve(clopt.Objective.text(NOTHING), **endless)
    assert result.ending == "interrupted" and len(seen) == 4 and all(each.fun == np.inf for each in seen)
    seen.clear()
    text = clopt.Objective.text(NOTHING, direction="maximise")
    assert solve(text, **endless).ending == "interrupted"
    assert all(each.fun == -np.inf for each in seen)


@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, DOUBLES)
def c_value(n, x):
    return value(x[:n])


@ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int, DOUBLES)
def c_lack(n, x):
    return lack(x[:n])


@solvers
def test_functions_have_a_violation(device, solve):
    run = {"maxiter": 60, "precision": "double", "device": device}
    expected = solve(clopt.Objective.text(NEAREST), **run)
    for functions in (
        {"func": value, "violation": lack},
        {"func": value, "violation": lack, "vectorized": True},
        {"func": clopt.CFunction(c_value), "violation": clopt.CFunction(c_lack)},
    ):
        result = solve(**functions, **run)
        assert np.array_equal(result.x, expected.x) and result.fun == expected.fun and result.feasible
    nothing = solve(value, violation=lambda x: 9 - x[0] - x[1], **run)
    text = solve(clopt.Objective.text(NOTHING), **run)
    assert np.array_equal(nothing.x, text.x) and nothing.violation == text.violation and not nothing.success


def test_a_violation_gets_rows_and_arguments(device):
    def distance(x, row, scale):
        return scale * abs(x[0] - row[0])

    def below(x, row, scale):
        return row[1] - x[0]

    result = clopt.differential_evolution(
        distance, [(0, 9)], args=(2,), violation=below, data=[[3, 5], [6, 5]], maxiter=100, device=device
    )
    assert np.allclose(result.x[:, 0], [5, 6], atol=1e-3) and result.feasible.tolist() == [True, True]


@pytest.mark.parametrize("kind, count", [("bits", 20), ("integers", 7), ("permutation", 7)])
def test_a_violation_of_other_genes(device, kind, count):
    bounds = [(0, 9)] if kind == "integers" else None
    result = clopt.genetic(
        lambda x: x @ np.arange(1, count + 1), count, kind=kind, bounds=bounds, direction="maximise",
        violation=lambda x: abs(x[0] - 1) + x[-1], maxiter=60, device=device,
    )
    assert result.success and result.x[0] == 1 and result.x[-1] == 0


def test_what_a_violation_raises_is_raised(device):
    def fails(x):
        raise LookupError("mine")

    for solve in SOLVERS.values():
        with pytest.raises(LookupError, match="mine"):
            solve(value, violation=fails, device=device)


def test_violations_that_do_not_fit_are_refused(device):
    for func, violation, error in (
        ("sphere", lack, clopt.InvalidInput),
        (clopt.Objective.text(VALUE), lack, clopt.InvalidInput),
        (value, clopt.CFunction(c_lack), TypeError),
        (value, 3.0, TypeError),
        (clopt.CFunction(c_value), lack, TypeError),
        (clopt.CFunction(c_value), clopt.CFunction(c_lack, rows=True), clopt.InvalidInput),
    ):
        for solve in SOLVERS.values():
            with pytest.raises(error, match="violation"):
                solve(func, violation=violation, device=device)
    with pytest.raises(clopt.InvalidInput, match="violation"):
        clopt.genetic("trap5", 10, violation=lack, device=device)
    for selection in ("roulette", "roulette-walk", "sus"):
        with pytest.raises(clopt.InvalidInput, match="selection"):
            clopt.genetic(value, bounds=BOUNDS, violation=lack, selection=selection, device=device)
    with pytest.raises(clopt.InvalidInput, match="polish"):
        clopt.differential_evolution(value, BOUNDS, violation=lack, polish=True, device=device)
    with pytest.raises(clopt.InvalidInput):
        clopt.ecga(clopt.Objective.text(NEAREST.replace("real objective", "// clopt: bits\nreal objective", 1)), 2)


def test_start_vectors(device):
    seen = []

    def watched(x):
        seen.append(tuple(x))
        return float((x * x).sum())

    run = {"maxiter": 2, "device": device}
    clopt.differential_evolution(watched, 3 * [(-5, 5)], x0=[1, 2, 3], **run)
    assert seen[0] == (1, 2, 3)
    seen.clear()
    clopt.differential_evolution(watched, 3 * [(-5, 5)], x0=[[1, 2, 3], [0, 0, 0]], **run)
    assert seen[:2] == [(1, 2, 3), (0, 0, 0)]
    seen.clear()
    starts = np.arange(12.0).reshape(2, 2, 3) / 4
    result = clopt.differential_evolution(watched, 3 * [(-5, 5)], problems=2, x0=starts, **run)
    first = [seen.index(tuple(each)) for each in starts.reshape(4, 3)]
    assert first == [0, 1, result.population, result.population + 1]
    start = np.zeros(3)
    assert clopt.differential_evolution("sphere", 3 * [(-5, 5)], x0=start, maxiter=1, device=device).fun == 0
    for wrong in ([1, 2], np.zeros((0, 3)), np.zeros((2, 2, 2, 3)), [9, 9, 9], [np.nan, 0, 0], "abc"):
        with pytest.raises(clopt.InvalidInput):
            clopt.differential_evolution("sphere", 3 * [(-5, 5)], x0=wrong, device=device)
    for wrong in (np.zeros((1, 2, 3)), np.zeros((3, 2, 3))):  # of one problem, and of three
        with pytest.raises(clopt.InvalidInput):
            clopt.differential_evolution("sphere", 3 * [(-5, 5)], problems=2, x0=wrong, device=device)


def test_whole_numbers(device):
    seen = []

    def watched(x):
        seen.append(x)
        return (x[0] - 1.4) ** 2 + (x[1] - 1.4) ** 2 + (x[2] + 2.6) ** 2

    result = clopt.differential_evolution(
        watched, 3 * [(-5, 5)], integrality=[True, False, True], maxiter=100, device=device
    )
    assert all(x[0] == np.round(x[0]) and x[2] == np.round(x[2]) for x in seen)
    assert result.x[[0, 2]].tolist() == [1, -3] and result.x[1] == pytest.approx(1.4, abs=1e-4)
    none = clopt.differential_evolution("sphere", BOUNDS, maxiter=9, device=device)
    assert clopt.differential_evolution("sphere", BOUNDS, integrality=[False, False], maxiter=9, device=device).checksum == (
        none.checksum
    )
    for wrong, bounds in (([True], BOUNDS), ([[True, True]], BOUNDS), ([True, False], 2 * [(0.2, 0.8)])):
        with pytest.raises(clopt.InvalidInput):
            clopt.differential_evolution("sphere", bounds, integrality=wrong, device=device)
