"""The controller for FitBenchmarking, by the package where it is there, and else by what its documentation says of a controller's
base class and cost function."""

import importlib
import pathlib
import re
import sys
import types

import numpy as np
import pytest

T = np.linspace(0, 4, 33)


class Controller:
    """What FitBenchmarking 1.5 documents of its base class."""

    algorithm_check = {name: [] for name in ("all", "ls", "deriv_free", "trust_region", "levenberg-marquardt", "MCMC")}
    jacobian_enabled_solvers = []
    support_for_bounds = False

    def __init__(self, cost_func):
        self.cost_func, self.problem = cost_func, cost_func.problem
        self.data_x, self.data_y, self.data_e = self.problem.data_x, self.problem.data_y, self.problem.data_e
        self.value_ranges = self.problem.value_ranges
        self.minimizer = self.parameter_set = self.final_params = self.flag = self.func_evals = None

    def prepare(self):
        self.initial_params = list(self.problem.starting_values[self.parameter_set].values())
        self.setup()


class Decay:
    """A cost function of weighted residuals, and its problem."""

    def __init__(self, value_ranges=None, has_jacobian=False):
        self.data_x, self.data_e = T, np.full(len(T), 0.05)
        self.data_y = 3 * np.exp(-1.2 * T) + 0.05 * np.cos(50 * T)
        self.value_ranges, self.problem, self.timer = value_ranges, self, None
        self.starting_values, self.param_names = [{"a": 1.0, "b": 0.5}], ["a", "b"]
        self.jacobian = types.SimpleNamespace(use_default_jac=not has_jacobian)

    def eval_r(self, params):
        return (self.data_y - params[0] * np.exp(-params[1] * self.data_x)) / self.data_e

    def jac_res(self, params):
        e = np.exp(-params[1] * self.data_x)
        return -np.stack([e, -params[0] * self.data_x * e], axis=1) / self.data_e[:, None]


def controller_of(monkeypatch):
    """The class, and whether its base is FitBenchmarking's own."""
    try:
        importlib.import_module("fitbenchmarking.controllers.base_controller")
        is_own = True
    except ImportError:
        base = types.ModuleType("fitbenchmarking.controllers.base_controller")
        base.Controller = Controller
        for name in ("fitbenchmarking", "fitbenchmarking.controllers"):
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        monkeypatch.setitem(sys.modules, base.__name__, base)
        is_own = False
    monkeypatch.syspath_prepend(pathlib.Path(__file__).parent)
    monkeypatch.delitem(sys.modules, "clopt_controller", raising=False)
    return importlib.import_module("clopt_controller").CloptController, is_own


@pytest.mark.parametrize("has_jacobian", [False, True])
def test_a_problem_is_fitted(monkeypatch, has_jacobian):
    optimize = pytest.importorskip("scipy.optimize")
    made, _ = controller_of(monkeypatch)
    for ranges in (None, [(0, 2), (0, 9)]):
        cost = Decay(ranges, has_jacobian)
        controller = made(cost)
        controller.minimizer, controller.parameter_set = "lm", 0
        controller.prepare()
        controller.fit()
        controller.cleanup()
        least = np.sum(optimize.least_squares(cost.eval_r, [1, 0.5], bounds=([0, 0], [2, 9]) if ranges else (-np.inf, np.inf)).fun ** 2)
        assert controller.flag == 0 and controller.func_evals > 3
        assert np.sum(cost.eval_r(controller.final_params) ** 2) == pytest.approx(least, rel=1e-9)
    assert "lm" in made.algorithm_check["ls"] and made.algorithm_check["MCMC"] == [] and made.support_for_bounds


def test_a_fit_that_fails_has_a_flag(monkeypatch):
    made, _ = controller_of(monkeypatch)
    cost = Decay()
    cost.starting_values = [{"a": np.inf, "b": 1.0}]
    controller = made(cost)
    controller.minimizer, controller.parameter_set = "lm", 0
    controller.prepare()
    controller.fit()
    controller.cleanup()
    assert controller.flag == 2 and len(controller.final_params) == 2


def test_problems_of_nist_in_fitbenchmarking(monkeypatch):
    made, is_own = controller_of(monkeypatch)
    if not is_own:
        pytest.skip("fitbenchmarking is not there")
    from fitbenchmarking.cost_func.nlls_cost_func import NLLSCostFunc
    from fitbenchmarking.jacobian.default_jacobian import Default
    from fitbenchmarking.parsing.parser_factory import parse_problem_file
    from fitbenchmarking.utils.options import Options

    folder = pathlib.Path(importlib.import_module("fitbenchmarking").__file__).parent / "benchmark_problems" / "NIST"
    missed, tried = [], 0
    for file in sorted(folder.glob("*_difficulty/*.dat")):
        certified = float(re.search(r"Residual Sum of Squares:?\s*(\S+)", file.read_text(encoding="latin-1"))[1])
        for problem in np.atleast_1d(parse_problem_file(str(file), Options())):
            problem.correct_data()
            cost = NLLSCostFunc(problem)
            cost.jacobian = Default(problem)
            for start in range(len(problem.starting_values)):
                controller = made(cost)
                controller.minimizer, controller.parameter_set = "lm", start
                controller.prepare()
                controller.fit()
                controller.cleanup()
                tried += 1
                found = cost.eval_cost(controller.final_params)
                if controller.flag != 0 or found > certified * (1 + 1e-5) + 1e-20:
                    missed.append((file.stem, start, controller.flag, found, certified))
    assert tried == 50 and not missed, (tried, missed)
