"""What a result tells of itself, success, message and seed; and what functions and callbacks may return."""

import numpy as np
import pytest

import clopt

BOUNDS = 3 * [(-5.0, 5.0)]
ENDLESS = {"maxiter": 2**31 - 1}

SOLVERS = {
    "differential_evolution": lambda func="sphere", **run: clopt.differential_evolution(func, BOUNDS, **run),
    "genetic": lambda func="sphere", **run: clopt.genetic(func, bounds=BOUNDS, **run),
}
solvers = pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS.keys())


@solvers
@pytest.mark.parametrize("worst", [np.nan, np.inf])
def test_a_function_that_is_never_a_number_has_no_answer(device, solve, worst):
    result = solve(lambda x: worst, maxiter=5, device=device)
    assert not result.success and result.fun == np.inf and "not a finite number" in result.message
    result = solve(lambda x: -worst, direction="maximise", maxiter=5, device=device)
    assert not result.success and result.fun == -np.inf
    # Where there is one somewhere, that is the answer.
    result = solve(lambda x: x.sum() if x[0] > 0 else worst, maxiter=50, device=device)
    assert result.success and np.isfinite(result.fun) and result.x[0] > 0


def test_one_of_several_problems_has_no_answer(device):
    result = clopt.differential_evolution(
        lambda x, row: np.nan if row[0] == 9 else row[0], [(0, 1)], data=[[1], [9], [2]], maxiter=5, device=device
    )
    assert not result.success and "1 of 3 problems" in result.message and result.fun[[0, 2]].tolist() == [1, 2]


@solvers
def test_limits_are_a_success_and_missed_targets_are_none(device, solve):
    result = solve(maxiter=3, device=device)
    assert result.success and result.ending == "generations" and result.message == "the limit of generations was reached"
    assert solve(maxfev=500, device=device).success
    result = solve(maxiter=3, target=-1, device=device)
    assert not result.success and result.message.startswith("the target was not reached; ")
    result = solve(target=1.0, device=device)
    assert result.success and result.message == "the target was reached"
    assert not solve(time_limit=0.01, device=device, **ENDLESS).success


def test_targets_of_ecga(device):
    assert clopt.ecga("onemax", 20, population=100, target=20, device=device).success
    missed = clopt.ecga("onemax", 20, population=100, target=21, device=device)
    assert not missed.success and missed.message.startswith("the target was not reached; ")


def test_a_schedule_with_conflicts_is_none(device):
    result = clopt.exchange("torus:5x5", steps="bound", optimizer="umda", maxiter=2, device=device)
    assert result.conflicts > 0 and not result.success and f"{result.conflicts} conflicts" in result.message
    assert clopt.exchange("ring:5", device=device).success


@solvers
@pytest.mark.parametrize("answer, ends", [
    (True, True), (np.True_, True), (1, True), (False, False), (np.False_, False), (None, False), (0.0, False),
])
def test_a_callback_ends_the_run_by_what_is_true(device, solve, answer, ends):
    calls = []

    def callback(state):
        calls.append(state)
        return answer

    result = solve(callback=callback, maxiter=2**31 - 1 if ends else 20, device=device)
    assert (result.ending == "interrupted") == ends and (len(calls) == 1 or not ends)


@solvers
def test_a_seed_is_drawn_and_reported(device, solve):
    first, second = (solve(seed=None, maxiter=9, device=device) for _ in range(2))
    assert first.seed != second.seed and first.checksum != second.checksum
    assert solve(seed=first.seed, maxiter=9, device=device).checksum == first.checksum
    given = solve(seed=np.uint64(2**64 - 1), maxiter=9, device=device)
    assert given.seed == 2**64 - 1 and type(given.seed) is int
    assert solve(maxiter=9, device=device).seed == 1
    for wrong in (-1, 2**64, 1.5, "1", [1]):
        with pytest.raises(clopt.InvalidInput, match="seed"):
            solve(seed=wrong, device=device)
    with pytest.raises(clopt.InvalidInput, match="seed"):
        solve(seed=None, resume="run.ck", device=device)


def test_seeds_of_the_others(device):
    model = clopt.ecga("nk4", 20, population=100, maxiter=2, seed=None, device=device)
    assert clopt.ecga("nk4", 20, population=100, maxiter=2, seed=model.seed, device=device).checksum == model.checksum
    schedule = clopt.exchange("mesh:3x3", seed=None, device=device)
    assert clopt.exchange("mesh:3x3", seed=schedule.seed, device=device).checksum == schedule.checksum
    assert schedule.seed != 1


def test_values_that_are_arrays_of_one(device):
    plain = clopt.differential_evolution(lambda x: float(x @ x), BOUNDS, maxiter=9, device=device)
    for shaped in (lambda x: np.array([x @ x]), lambda x: np.array(x @ x), lambda x: np.array([[x @ x]]), lambda x: x @ x):
        assert clopt.differential_evolution(shaped, BOUNDS, maxiter=9, device=device).fun == plain.fun
    for wrong in (lambda x: x, lambda x: np.zeros(0)):
        with pytest.raises(clopt.InvalidInput, match="shape"):
            clopt.differential_evolution(wrong, BOUNDS, device=device)
    for wrong in (lambda x: "a", lambda x: 1j):
        with pytest.raises((TypeError, ValueError)):
            clopt.differential_evolution(wrong, BOUNDS, device=device)


@pytest.mark.parametrize("weights", [[], np.array([]), np.zeros((0, 2), dtype=int)])
def test_no_weights(device, weights):
    with pytest.raises(clopt.InvalidInput, match="no weights"):
        clopt.subset_sum(weights, 3, device=device)


BITS = "real objective_term(individual x, uint i) { return gene(x, i) > 0 ? 1 : 0; }"


def test_a_kind_that_is_given_holds(device):
    assert clopt.ecga(clopt.Objective.text(BITS, direction="maximise"), 20, population=100, device=device).fun == 20
    assert clopt.ecga(clopt.Objective.text("// clopt: maximise\n" + BITS), 20, population=100, device=device).fun == 20
    for of_reals in (
        clopt.Objective.text(BITS, kind="reals"),
        clopt.Objective.text("// clopt: reals\n" + BITS),
        clopt.Objective.text("// clopt: maximise, reals\n" + BITS),
        "rastrigin",
        clopt.Objective.named("rastrigin"),
    ):
        with pytest.raises(clopt.InvalidInput):
            clopt.ecga(of_reals, 20, population=100, device=device)
    bits = clopt.Objective.text(BITS, kind="bits")
    assert clopt.genetic(bits, 20, maxiter=3, device=device).x.dtype == np.int64
    with pytest.raises(clopt.InvalidInput, match="kind"):
        clopt.genetic(bits, 20, kind="reals", device=device)
    with pytest.raises(clopt.InvalidInput, match="kind"):
        clopt.genetic("trap5", 20, kind="reals", device=device)
