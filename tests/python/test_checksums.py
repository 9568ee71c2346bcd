"""What Python gets is what the program prints: checksum and solution, of every solver."""

from pathlib import Path

import numpy as np
import pytest

import clopt


def test_subset_sum(device, program):
    weights, capacity = clopt.subset_sum_instance("half:49", seed=7)
    result = clopt.subset_sum(weights, capacity, device=device)
    other = program("subset-sum", "--instance", "half:49", "--seed", 7)
    assert result.checksum == other["checksum"]
    assert result.indices.tolist() == other["indices"]
    assert weights[result.indices].sum() == result.value == other["value"]
    assert result.optimal and result.success and result.proof == other["proof"]


def test_genetic(device, program):
    result = clopt.genetic("rastrigin", 7, maxiter=30, elites=1, seed=3, device=device)
    other = program("genetic", "--objective", "rastrigin", "--genes", 7, "--generations", 30, "--elites", 1, "--seed", 3)
    assert result.checksum == other["checksum"]
    assert result.x.tolist() == other["best"]["genes"] and result.fun == other["best"]["fitness"]
    assert (result.nit, result.nfev) == (other["generations"], other["evaluations"])


def test_genetic_of_a_tour(device, program):
    file = Path(__file__).parents[1] / "genetic" / "data" / "eil76.tsp"
    result = clopt.genetic(f"tour:{file}", maxiter=9, restart=4, device=device)
    other = program("genetic", "--objective", f"tour:{file}", "--generations", 9, "--restart", 4)
    assert result.checksum == other["checksum"]
    assert result.x.tolist() == other["best"]["genes"]
    assert sorted(result.x) == list(range(76))
    assert result.restarts == other["restarts"]
    assert result.settings.items() <= other["settings"].items()
    trip = clopt.tour(file, maxiter=9, restart=4, device=device)
    assert trip.checksum == other["checksum"] and trip.length == other["length"]
    assert trip.route.tolist() == other["route"] and trip.legs.tolist() == other["legs"]


def test_genetic_of_bits(device, program):
    result = clopt.genetic("onemax", 49, maxiter=30, device=device)
    other = program("genetic", "--objective", "onemax", "--genes", 49, "--generations", 30)
    assert result.checksum == other["checksum"]
    assert result.x.dtype == np.int64 and result.x.sum() == result.fun == other["best"]["fitness"]


def test_differential_evolution(device, program):
    result = clopt.differential_evolution(
        "rastrigin", 7 * [(-5.12, 5.12)], problems=3, maxiter=49, recombination=0.1, seed=5, device=device
    )
    other = program(
        *("differential-evolution", "--objective", "rastrigin", "--dimensions", 7, "--problems", 3),
        *("--generations", 49, "--crossover", 0.1, "--seed", 5),
    )
    assert result.checksum == other["checksum"]
    assert result.fun.tolist() == other["values"] and result.x.shape == (3, 7)
    assert result.x[result.best].tolist() == other["best"]["parameters"]


def test_ecga(device, program):
    result = clopt.ecga("trap5", 20, population=700, maxiter=3, seed=2, device=device)
    other = program(
        *("ecga", "--objective", "trap5", "--length", 20, "--population", 700, "--generations", 3, "--seed", 2),
    )
    assert result.checksum == other["checksum"]
    assert result.model == other["model"] and result.x.tolist() == other["best"]["genes"]
    assert sorted(locus for group in result.model for locus in group) == list(range(20))


def test_exchange(device, program):
    result = clopt.exchange("mesh:3x3", device=device)
    other = program("exchange", "--topology", "mesh:3x3")
    assert result.checksum == other["checksum"]
    assert (result.steps, result.bound, result.conflicts) == (other["steps"], other["lower_bound"], other["conflicts"])
    assert len(result.transfers) == other["transfers"] and result.check() == ""


def test_fit_of_rows(device, program, tmp_path):
    generator = np.random.default_rng(1)
    times = np.arange(12) * 0.5
    curves = generator.uniform(1, 3, (49, 1)) * np.exp(-generator.uniform(0.5, 2, (49, 1)) * times)
    text = """real objective(individual x) {
      real sum = 0;
      for (uint j = 0; j < columns(x); ++j) {
        const real y = gene(x, 0u) * exp(-gene(x, 1u) * (j * 0.5)) + gene(x, 2u);
        sum += (y - row(x, j)) * (y - row(x, j));
      }
      return sum;
    }"""
    (tmp_path / "decay.cl").write_text(text)
    np.savetxt(tmp_path / "rows.csv", curves, delimiter=",", fmt="%.17g")
    bounds = [(0, 5), (0, 5), (-2, 2)]
    result = clopt.differential_evolution(
        clopt.Objective.file(tmp_path / "decay.cl"), bounds, data=curves, mutation=0.7, maxiter=40, device=device
    )
    assert result.x.shape == (49, 3) and result.fun.shape == (49,)
    other = program(
        *("differential-evolution", "--objective", tmp_path / "decay.cl", "--dimensions", 3, "--lower", "0,0,-2"),
        *("--upper", "5,5,2", "--data", tmp_path / "rows.csv", "--weight", 0.7, "--generations", 40),
    )
    assert result.checksum == other["checksum"]


LINE = """
real residual(individual x, uint j) { return gene(x, 0) + gene(x, 1) * abscissa(x, j) - row(x, j); }
"""


def test_fits(device, program, tmp_path):
    data = np.array([[1, 2, np.nan, 4.5], [0, 0, 1, 1]])
    places = np.array([0, 1, 2, 3.5])
    sigma = np.array([[1, 2, 1, 2], [1, 1, 1, 1]])
    result = clopt.differential_evolution(
        clopt.Objective.text(LINE), 2 * [(-10, 10)], data=data, abscissa=places, sigma=sigma, device=device
    )
    text = tmp_path / "line.cl"
    text.write_text(LINE)
    for name, numbers in (("data", data), ("places", places[None]), ("sigma", sigma)):
        np.savetxt(tmp_path / f"{name}.csv", numbers, delimiter=",")
    other = program(
        *("differential-evolution", "--objective", text, "--dimensions", 2, "--lower", -10, "--upper", 10),
        *("--data", tmp_path / "data.csv", "--abscissa", tmp_path / "places.csv", "--sigma", tmp_path / "sigma.csv"),
    )
    assert result.checksum == other["checksum"]
    assert result.chi_squared.tolist() == result.fun.tolist() == other["values"]
    assert result.polish == "levenberg-marquardt" and result.converged.tolist() == [1, 1]
    assert result.polished == other["polish"]["improved"] and other["polish"]["evaluations"] < result.nfev
    assert result.errors.shape == (2, 2)
    # The second row as numpy solves it.
    slopes = np.stack([np.ones(4), places], 1)
    covariance = np.linalg.inv(slopes.T @ slopes)
    assert np.allclose(result.errors[1], np.sqrt(np.diag(covariance)), rtol=1e-3)
    assert np.allclose(result.x[1], covariance @ slopes.T @ data[1], atol=1e-3)


def test_what_belongs_to_fits(device):
    with pytest.raises(clopt.InvalidInput, match="abscissa"):
        clopt.differential_evolution("sphere", [(0, 1)], abscissa=[1, 2], device=device)
    with pytest.raises(clopt.InvalidInput, match=r"\(3,\)"):
        clopt.differential_evolution(clopt.Objective.text(LINE), [(0, 1)], data=[[1, 2]], sigma=[1, 2, 3], device=device)
    polished = clopt.differential_evolution("rosenbrock", 2 * [(-2, 2)], maxiter=10, polish=True, device=device)
    assert polished.polish == "nelder-mead" and polished.fun < 1e-6 and polished.errors.size == 0
