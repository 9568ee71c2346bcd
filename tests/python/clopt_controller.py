"""A controller of clopt for FitBenchmarking (https://fitbenchmarking.com): copied into its folder `controllers`, it makes the
software "clopt" with the minimizer "lm"."""

import numpy as np
from fitbenchmarking.controllers.base_controller import Controller

import clopt


class CloptController(Controller):
    """Fits the residuals of a cost function of least squares by clopt.curve_fit."""

    algorithm_check = {
        **dict.fromkeys(Controller.algorithm_check, []),
        **dict.fromkeys(("all", "ls", "trust_region", "levenberg-marquardt"), ["lm"]),
    }
    jacobian_enabled_solvers = ["lm"]
    support_for_bounds = True

    def setup(self):
        bounds = (-np.inf, np.inf) if self.value_ranges is None else tuple(zip(*self.value_ranges))
        self.call = {"p0": np.clip(self.initial_params, *bounds), "bounds": bounds, "maxfev": 5000}
        if not self.cost_func.jacobian.use_default_jac:
            self.call["jac"] = lambda _, *at: -self.cost_func.jac_res(at)

    def fit(self):
        try:
            # The steps of differences follow the spread of the data, so that these are no zeros.
            self.found = clopt.curve_fit(
                lambda _, *at: self.data_y - self.cost_func.eval_r(at), None, self.data_y, full_output=True, **self.call
            )
        except RuntimeError as error:
            self.found = error

    def cleanup(self):
        if isinstance(self.found, RuntimeError):
            self.final_params = self.initial_params
            self.flag = 1 if "limit" in str(self.found) else 2
            return
        self.final_params, _, info, _, ier = self.found
        self.func_evals = info["nfev"]
        self.flag = 1 if ier == 5 else 0
