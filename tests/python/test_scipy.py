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
    result = differential_evolution(rosen, BOUNDS, rng=1, polish=False, tol=0.05)
    energies = result.population_energies
    assert np.std(energies) <= 0.05 * abs(np.mean(energies)) and result.nit < 1000
    assert result.nfev == 30 * (result.nit + 1)
    # The population that was followed is the library's.
    same = clopt.differential_evolution(
        lambda x: float(rosen(x)), BOUNDS, strategy="best1bin", mutation=0.75, recombination=0.7, precision="double",
        population=30, seed=1, maxiter=result.nit, device="openmp:0",
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
    assert result.nit == 4 and len(seen) == 4 and seen[-1] == result.fun
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
    vectorised = differential_evolution(rosen, bounds, vectorized=True, rng=1, polish=False)
    plain = differential_evolution(rosen, BOUNDS, rng=1, polish=False)
    assert np.array_equal(vectorised.x, plain.x)
    mapped = differential_evolution(rosen, BOUNDS, rng=1, polish=False, workers=lambda f, xs: [f(x) for x in xs])
    assert np.array_equal(mapped.x, plain.x)


@pytest.mark.parametrize("argument", [
    {"mutation": (0.5, 1)}, {"init": "sobol"}, {"init": np.zeros((5, 2))}, {"updating": "immediate"}, {"workers": -1},
    {"constraints": scipy.optimize.NonlinearConstraint(sum, 0, 1)}, {"x0": [1, 1]}, {"integrality": [True, False]},
    {"strategy": "abc"}, {"recombination": 2}, {"rng": "a"}, {"mutation": 3},
])
def test_what_is_not_supported_is_refused(argument):
    with pytest.raises(ValueError):
        differential_evolution(rosen, BOUNDS, **argument)


def test_what_the_function_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        differential_evolution(lambda x: 1 / 0, BOUNDS)
    with pytest.raises(RuntimeError, match="vectorized"):
        differential_evolution(lambda x: 1.0, BOUNDS, vectorized=True)
