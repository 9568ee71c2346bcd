"""Several runs of a solver, and tables of results."""

import csv
import io
import sys
import types

import numpy as np
import pytest

import clopt

GENETIC = {"genes": 6, "maxiter": 15, "population": 20, "device": "openmp:0"}
SOLVERS = [
    lambda **more: clopt.genetic("rastrigin", **{**GENETIC, **more}),
    lambda **more: clopt.differential_evolution("rastrigin", dimensions=3, maxiter=15, device="openmp:0", **more),
    lambda **more: clopt.ecga("trap5", 15, population=120, device="openmp:0", **more),
]


@pytest.mark.parametrize("solve", SOLVERS)
def test_each_run_is_the_single_run_of_its_seed(solve):
    result = solve(runs=4, seed=5)
    assert [trial.seed for trial in result.trials] == [5, 6, 7, 8]
    singles = [solve(seed=seed) for seed in (5, 6, 7, 8)]
    assert [(t.fun, t.nit, t.nfev) for t in result.trials] == [(s.fun, s.nit, s.nfev) for s in singles]
    values = np.array([single.fun for single in singles])
    best = values.max() if solve is SOLVERS[2] else values.min()
    found = next(single for single in singles if single.fun == best)
    assert result.fun == best and result.checksum == found.checksum and (result.x == found.x).all()
    summary = result.summary
    assert (summary.runs, summary.best, summary.median) == (4, best, np.median(values))
    assert summary.quartiles == tuple(np.quantile(values, [0.25, 0.75]))
    assert {summary.best, summary.worst} == {values.min(), values.max()}


def test_a_run_that_misses_the_target_is_no_success():
    result = SOLVERS[1](runs=3, target=1e-12)
    assert not result.success and "3 of 3" in result.message or "target" in result.message
    assert result.summary.successes == 0 and result.summary.nfev is None
    easy = SOLVERS[1](runs=3, target=100.0)
    assert easy.success and easy.summary.successes == 3
    assert easy.summary.nfev == sum(trial.nfev for trial in easy.trials) / 3


@pytest.mark.parametrize("solve", SOLVERS)
def test_what_belongs_to_one_run_is_refused(solve, tmp_path):
    for more in ({"statistics": True}, {"checkpoint": tmp_path / "run"}):
        with pytest.raises(clopt.InvalidInput, match="belongs to one run"):
            solve(runs=2, **more)
    with pytest.raises(clopt.InvalidInput, match="runs"):
        solve(runs=0)


def rows_of(text):
    header, *rows = csv.reader(io.StringIO(text))
    return header, np.array(rows, dtype=float)


def test_tables_as_csv(tmp_path):
    header, rows = rows_of(SOLVERS[0](statistics=True).to_csv())
    assert header[:3] == ["nit", "nfev", "best"] and rows.shape[0] == 16
    several = clopt.differential_evolution("sphere", dimensions=2, problems=3, maxiter=5, device="openmp:0")
    header, rows = rows_of(several.to_csv())
    assert header == ["problem", "value", "generations", "x0", "x1"]
    assert (rows[:, 1] == several.fun).all() and (rows[:, 3:] == several.x).all()
    kept = clopt.genetic("onemax", keep_population=True, **{**GENETIC, "genes": 9})
    assert kept.to_csv(tmp_path / "population.csv", "population") is None
    header, rows = rows_of((tmp_path / "population.csv").read_text())
    assert rows.shape == (20, 10) and (rows[:, 1:] == kept.population).all()
    with pytest.raises(clopt.InvalidInput, match="no table"):
        SOLVERS[0]().to_csv()
    with pytest.raises(clopt.InvalidInput, match="'runs'"):
        SOLVERS[0](runs=2).to_csv(what="problems")


def test_tables_as_data_frames(monkeypatch):
    result = SOLVERS[0](runs=2, seed=3)
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=dict))
    frame = result.to_dataframe()
    assert list(frame) == ["seed", "success", "fun", "nit", "nfev"] and frame["seed"] == [3, 4]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        result.to_dataframe()


def test_all_models_of_ecga():
    result = clopt.ecga("trap5", 20, population=700, keep_models=True, device="openmp:0")
    assert result.model == [list(range(i, i + 5)) for i in range(0, 20, 5)]
    assert list(result.models) == list(range(1, result.nit + 1))
    assert result.models[result.model_generation] == result.model
    fewest = min(map(len, result.models.values()))
    assert result.model_generation == max(g for g, model in result.models.items() if len(model) == fewest)
    assert clopt.ecga("trap5", 20, population=700, device="openmp:0").models is None


def test_arguments_and_values_are_named():
    with pytest.raises(TypeError, match="args"):
        clopt.genetic(lambda x, a: 0.0, 2, args=np.ones(3), bounds=[(0, 1)], device="openmp:0")
    for value in (None, (1, 2), "x"):
        with pytest.raises(TypeError, match="must return a number"):
            clopt.genetic(lambda x: value, 2, bounds=[(0, 1)], device="openmp:0")
