"""scipy's call: the results of scipy's own tests, by clopt."""

import numpy as np
import pytest
import scipy.optimize

import clopt
from clopt.scipy import differential_evolution

BOUNDS = [(0, 2), (0, 2)]
rosen = scipy.optimize.rosen


def test_rosenbrock():
    result = differential_evolution(rosen, BOUNDS, rng=1)
    assert isinstance(result, scipy.optimize.OptimizeResult) and result.success
    assert np.allclose(result.x, [1, 1], atol=1e-5) and result.fun == rosen(result.x)
    assert result.population.shape == (30, 2) and result.population_energies.min() == result.fun


def test_it_stops_where_scipy_would():
    result = differential_evolution(rosen, BOUNDS, rng=1, polish=False, tol=0.05, init="random")
    energies = result.population_energies
    assert np.std(energies) <= 0.05 * abs(np.mean(energies)) and result.nit < 1000
    assert result.nfev == 30 * (result.nit + 1)
    # The population that was followed is the library's.
    same = clopt.differential_evolution(
        lambda x: float(rosen(x)), BOUNDS, strategy="best1bin", mutation=0.75, recombination=0.7, precision="double",
        population=30, seed=1, maxiter=result.nit, outside="resample", device="openmp:0",
    )
    assert same.fun == result.fun and np.array_equal(same.x, result.x) and same.nfev == result.nfev
    loose = differential_evolution(rosen, BOUNDS, rng=1, polish=False, tol=0, atol=1.0)
    assert np.std(loose.population_energies) <= 1.0 and loose.nit < result.nit


def test_limit_of_generations():
    result = differential_evolution(rosen, BOUNDS, rng=1, maxiter=3, polish=False, tol=1e-12)
    assert result.nit == 3 and not result.success and result.nfev == 4 * 30
    assert result.message == "Maximum number of iterations has been exceeded."


def test_callbacks():
    seen = []

    def callback(intermediate_result):
        seen.append(intermediate_result.fun)
        if len(seen) == 4:
            raise StopIteration

    result = differential_evolution(rosen, BOUNDS, rng=1, callback=callback, tol=1e-12)
    # What a callback ends is polished.
    assert result.nit == 4 and len(seen) == 4 and seen[-1] > result.fun == pytest.approx(0, abs=1e-9)
    plain = differential_evolution(rosen, BOUNDS, rng=1, callback=lambda x, convergence: len(seen) > 0, tol=1e-12, polish=False)
    assert plain.nit == 1
    assert result.message == "callback function requested stop early" and not result.success
    calls = []
    result = differential_evolution(
        rosen, BOUNDS, rng=1, callback=lambda x, convergence: calls.append((x, convergence)) or True
    )
    assert len(calls) == 1 and calls[0][0].shape == (2,)


def test_arguments():
    result = differential_evolution(lambda x, a, b: ((x - a) ** 2).sum() + b, BOUNDS, args=(1, 5), rng=1)
    assert np.allclose(result.x, 1, atol=1e-4) and result.fun == pytest.approx(5)
    bounds = scipy.optimize.Bounds([0, 0], [2, 2])
    vectorised = differential_evolution(rosen, bounds, vectorized=True, updating="deferred", rng=1, polish=False)
    plain = differential_evolution(rosen, BOUNDS, rng=1, polish=False)
    assert np.array_equal(vectorised.x, plain.x)
    mapped = differential_evolution(rosen, BOUNDS, rng=1, polish=False, updating="deferred", workers=lambda f, xs: list(map(f, xs)))
    assert np.array_equal(mapped.x, plain.x)


@pytest.mark.parametrize("argument, named", [
    ({"mutation": (0.5, 1)}, "mutation"), ({"updating": "immediate"}, "immediate"), ({"updating": "a"}, "updating"),
    ({"strategy": "randtobest1bin"}, "randtobest1bin"), ({"strategy": lambda c, p, rng: p[0]}, "strategy"),
    ({"workers": 0}, "workers"), ({"workers": 1.5}, "workers"), ({"init": "a"}, "init"), ({"init": np.zeros((4, 2))}, "init"),
    ({"init": np.zeros((5, 3))}, "init"), ({"x0": [1]}, "x0"), ({"x0": [1, 3]}, "x0"), ({"integrality": [True]  * 3}, "integrality"),
    ({"constraints": {"type": "ineq"}}, "dict"), ({"recombination": 2}, "recombination"), ({"rng": "a"}, "rng"),
    ({"mutation": 3}, "mutation"),
])
def test_what_is_not_supported_is_refused(argument, named):
    with pytest.raises(ValueError, match=named):
        differential_evolution(rosen, BOUNDS, **argument)


def test_whole_numbers_have_to_exist():
    with pytest.raises(ValueError, match="whole number"):
        differential_evolution(rosen, [(0, 2), (0.2, 0.8)], integrality=True)


def test_whole_numbers():
    def value(x):
        assert x[0] == np.round(x[0]) and 1 <= x[0] <= 3
        return (x[0] - 2.2) ** 2 + (x[1] - 0.3) ** 2

    for init in ("random", "halton"):
        result = differential_evolution(value, [(0.5, 3.7), (0, 1)], integrality=[True, False], init=init, rng=1)
        assert result.x[0] == 2 and result.x[1] == pytest.approx(0.3, abs=1e-5)
    assert differential_evolution(value, [(0.5, 3.7), (0, 4)], integrality=True, rng=1).x.tolist() == [2, 0]


def first_generation(**options):
    """The vectors that a run begins with."""
    seen = []
    differential_evolution(lambda x: seen.append(x) or (x * x).sum(), BOUNDS, maxiter=0, polish=False, rng=3, **options)
    return np.array(seen)


def test_beginnings():
    for init, size in (("random", 30), ("latinhypercube", 30), ("halton", 30), ("sobol", 32)):
        vectors = first_generation(init=init)
        assert vectors.shape == (size, 2) and vectors.min() >= 0 and vectors.max() <= 2
        begun = first_generation(init=init, x0=[0.25, 1.5])
        assert begun[0].tolist() == [0.25, 1.5] and len(begun) == size
        if init != "random":
            assert np.array_equal(begun[1:], vectors[1:])
    # Each of thirty intervals of a parameter has one vector.
    assert all(sorted(column) == list(range(30)) for column in np.floor(first_generation().T * 15).astype(int).tolist())
    given = np.linspace(-1, 2, 14).reshape(7, 2)
    assert np.array_equal(first_generation(init=given), np.clip(given, 0, 2))


def test_constraints():
    line = scipy.optimize.LinearConstraint([[1, 1]], -np.inf, 1.5)
    circle = scipy.optimize.NonlinearConstraint(lambda x: x[0] ** 2 + x[1] ** 2, 0.5, np.inf)
    evaluated = []

    def value(x):
        evaluated.append(x.copy())
        return rosen(x)

    plain = differential_evolution(value, BOUNDS, constraints=(line, circle), rng=1, polish=False, tol=1e-6)
    assert plain.success and plain.maxcv == 0 and len(plain.constr) == 2 and plain.nfev == len(evaluated)
    # The function is asked only where the constraints hold.
    assert all(x.sum() <= 1.5 and (x**2).sum() >= 0.5 for x in evaluated)
    assert plain.x.sum() == pytest.approx(1.5, abs=1e-3)
    reference = scipy.optimize.minimize(rosen, [0.8, 0.6], bounds=BOUNDS, constraints=[line, circle], method="trust-constr")
    assert plain.fun == pytest.approx(reference.fun, rel=1e-3)
    vectorised = differential_evolution(
        lambda x: rosen(x), BOUNDS, constraints=(line, circle), rng=1, polish=False, tol=1e-6, vectorized=True,
        updating="deferred",
    )
    assert np.array_equal(vectorised.x, plain.x) and vectorised.nit == plain.nit
    polished = differential_evolution(rosen, BOUNDS, constraints=(line, circle), rng=1)
    assert polished.maxcv == 0 and polished.fun == pytest.approx(reference.fun, rel=1e-4)


def test_constraints_that_nothing_keeps():
    nothing = scipy.optimize.NonlinearConstraint(lambda x: x[0] + x[1], -np.inf, -1)
    result = differential_evolution(rosen, BOUNDS, constraints=nothing, rng=1, polish=False, maxiter=60)
    assert not result.success and "MAXCV = 1" in result.message
    # The least infeasible vector is found: a sum of 0.
    assert result.maxcv == pytest.approx(1, abs=1e-6) and result.fun == np.inf and result.nfev == 0


def test_values_that_are_none():
    def value(x):
        return np.nan if x[0] < 0.5 else np.inf if x[0] < 1 else x[1]

    result = differential_evolution(value, BOUNDS, rng=1, polish=False, maxiter=50)
    assert result.x[0] >= 1 and result.fun == result.x[1] == result.population_energies.min()


def test_the_population_is_the_librarys_where_values_are_alike():
    def value(x):
        return float(np.floor(4 * x[0]))

    result = differential_evolution(value, BOUNDS, rng=1, polish=False, maxiter=9, tol=0, init="random")
    same = clopt.differential_evolution(
        value, BOUNDS, strategy="best1bin", mutation=0.75, recombination=0.7, precision="double", population=30, seed=1,
        maxiter=9, outside="resample", device="openmp:0",
    )
    assert np.array_equal(result.x, same.x)


@pytest.mark.long
def test_processes_evaluate():
    pooled = differential_evolution(rosen, BOUNDS, rng=1, polish=False, workers=2, updating="deferred")
    assert np.array_equal(pooled.x, differential_evolution(rosen, BOUNDS, rng=1, polish=False).x)


def test_a_function_polishes():
    calls = []

    def polish(func, x, bounds, constraints):
        calls.append((func(x), x, bounds, constraints))
        return scipy.optimize.minimize(func, x, bounds=bounds, method="Nelder-Mead")

    result = differential_evolution(rosen, BOUNDS, rng=1, maxiter=5, polish=polish)
    plain = differential_evolution(rosen, BOUNDS, rng=1, maxiter=5, polish=False)
    [(value, x, bounds, constraints)] = calls
    assert value == plain.fun and np.array_equal(x, plain.x) and bounds.ub.tolist() == [2, 2] and constraints == ()
    assert result.fun < plain.fun and result.nfev > plain.nfev
    assert np.array_equal(result.population[0], result.x) and result.population_energies[0] == result.fun


def test_interrupt_while_polishing():
    def polish(func, x, bounds, constraints):
        raise KeyboardInterrupt

    with pytest.raises(clopt.Interrupted) as raised:
        differential_evolution(rosen, BOUNDS, rng=1, maxiter=5, polish=polish)
    best = differential_evolution(rosen, BOUNDS, rng=1, maxiter=5, polish=False)
    assert raised.value.result.fun == best.fun and not raised.value.result.success


def test_a_function_may_write_to_what_it_is_given():
    def value(x):
        x -= 1
        return (x * x).sum()

    assert np.allclose(differential_evolution(value, BOUNDS, rng=1).x, 1, atol=1e-4)


def test_equal_bounds_and_nones():
    result = differential_evolution(lambda x: x[0] ** 2, [(2, 2), (3, 3)], args=None, maxiter=None)
    assert result.x.tolist() == [2, 3]


def test_what_the_function_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        differential_evolution(lambda x: 1 / 0, BOUNDS)
    with pytest.warns(UserWarning, match="deferred"), pytest.raises(RuntimeError, match="vectorized"):
        differential_evolution(lambda x: 1.0, BOUNDS, vectorized=True)
