"""scipy's call of fits, for one row of data or for many."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Callable
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _fit, _run
from clopt._arguments import Floats, numbers, without_frames
from clopt._devices import DeviceLike, ids_of
from clopt._fit_functions import Curves, Fitted, Problem, fit_rows
from clopt._model_values import Model
from clopt.errors import InvalidInput

__all__ = ["curve_fit"]

_MESSAGES = {
    "value": (1, "Neither the last step nor the next one lowers the sum of squares."),
    "bound": (1, "A bound keeps the sum of squares from falling."),
    "singular": (1, "The data do not determine all parameters."),
    "step": (2, "The last step changed no parameter that counts."),
    "slope": (4, "The residuals are orthogonal to all slopes."),
    "limit": (5, "The limit of evaluations was reached."),
    "no data": (0, "There are no data."),
    "not finite": (0, "A datum, or the curve at the guess, is no finite number."),
}
_LOSSES = ("linear", "soft-l1", "huber", "cauchy", "poisson")
_METHODS = (None, "lm", "trf", "dogbox")


def _warn_of_covariance() -> None:
    try:
        from scipy.optimize import OptimizeWarning as kind
    except ImportError:
        kind = RuntimeWarning
    warnings.warn("Covariance of the parameters could not be estimated", category=kind, stacklevel=3)


def _parameters_of(function: Callable[..., Any]) -> int:
    """How many parameters a function has behind its first argument."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    own = [each for each in inspect.signature(function).parameters.values() if each.kind in kinds]
    if len(own) < 2:
        raise InvalidInput("Unable to determine number of fit parameters.")
    return len(own) - 1


def _usual_guess(lower: Floats, upper: Floats) -> Floats:
    """Ones, or what lies within the bounds, as scipy chooses it."""
    guess = np.ones_like(lower)
    has_lower, has_upper = np.isfinite(lower), np.isfinite(upper)
    both = has_lower & has_upper
    guess[both] = (lower[both] + upper[both]) / 2
    guess[has_lower & ~has_upper] = lower[has_lower & ~has_upper] + 1
    guess[has_upper & ~has_lower] = upper[has_upper & ~has_lower] - 1
    return guess


def _contains_nan(values: Any) -> bool:
    try:
        return bool(np.isnan(np.asarray(values, dtype=np.float64)).any())
    except (TypeError, ValueError):
        return False


class Data:
    """The data of a call, in rows: what scipy's nan_policy leaves of a single one."""

    def __init__(
        self, xdata: Any, ydata: ArrayLike, sigma: Optional[ArrayLike], check_finite: Optional[bool], nan_policy: Optional[str]
    ) -> None:
        if isinstance(ydata, np.ma.MaskedArray):
            ydata = np.ma.filled(np.ma.asarray(ydata, dtype=np.float64), np.nan)
        y = numbers(ydata, "ydata")
        if y.size == 0:
            raise InvalidInput("`ydata` must not be empty!")
        if y.ndim > 2:
            raise InvalidInput(f"ydata has the shape {y.shape}; give (points,), or (rows, points)")
        self.is_single = y.ndim < 2
        checks = nan_policy is None and self.is_single if check_finite is None else check_finite
        if isinstance(xdata, (list, tuple, np.ndarray)):
            xdata = np.asarray(xdata, dtype=np.float64)
        if checks and not (np.isfinite(y).all() and (not isinstance(xdata, np.ndarray) or np.isfinite(xdata).all())):
            raise InvalidInput("array must not contain infs or NaNs")
        if nan_policy == "propagate":
            raise InvalidInput("`nan_policy='propagate'` is not supported by this function.")
        if nan_policy not in (None, "raise", "omit"):
            raise InvalidInput("nan_policy must be one of {None, 'raise', 'omit'}")
        if nan_policy == "raise" and (_contains_nan(y) or _contains_nan(xdata)):
            raise InvalidInput("The input contains nan values")
        self.sigma = None if sigma is None else numbers(sigma, "sigma")
        if nan_policy == "omit" and self.is_single and isinstance(xdata, np.ndarray):
            xdata, y = self._omit(xdata, y)
        self.y, self.xdata = np.atleast_2d(y), xdata

    def _omit(self, xdata: Floats, y: Floats) -> tuple[Floats, Floats]:
        is_nan = np.isnan(xdata).any(axis=tuple(range(xdata.ndim - 1))) | np.isnan(y)
        if self.sigma is not None and self.sigma.size > 1:
            self.sigma = self.sigma[~is_nan]
            if self.sigma.ndim == 2:
                self.sigma = np.ascontiguousarray(self.sigma[:, ~is_nan])
        return xdata[..., ~is_nan], y[~is_nan]

    def weights(self, points: int) -> tuple[Optional[Floats], Optional[Floats]]:
        """The standard deviations, of shape (points,) or (rows, points), or the root of a covariance matrix."""
        sigma = self.sigma
        if sigma is None:
            return None, None
        if sigma.size == 1:
            return np.full(points, float(sigma.reshape(-1)[0])), None
        if sigma.shape == (points,) or (not self.is_single and sigma.shape == (len(self.y), points)):
            return sigma, None
        if self.is_single and sigma.shape == (points, points):
            try:
                return None, numbers(np.linalg.cholesky(sigma), "sigma")
            except np.linalg.LinAlgError:
                raise InvalidInput("`sigma` must be positive definite.") from None
        raise InvalidInput(f"`sigma` has incorrect shape. It is {sigma.shape}, and ydata's is {self.y.shape}.")


def _slopes_of(
    jac: Callable[..., Any], xdata: Any, own_places: bool, shape: tuple[int, int]
) -> Callable[[Floats, NDArray[np.intp]], Floats]:
    def slopes(parameters: Floats, rows: NDArray[np.intp]) -> Floats:
        found = np.empty((len(rows), *shape))
        for k, row in enumerate(rows):
            found[k] = jac(xdata[row] if own_places else xdata, *parameters[k])
        return found

    return slopes


def _fit_function(
    f: Callable[..., Any], data: Data, guess: Floats, lower: Floats, upper: Floats, jac: Any, kwargs: dict[str, Any]
) -> Fitted:
    points, count = data.y.shape[1], guess.shape[1]
    x = data.xdata
    own_places = not data.is_single and isinstance(x, np.ndarray) and x.shape == data.y.shape
    curves = Curves(f, x, points, own_places)
    if points == 1:  # scipy takes a number for zeros of any length
        values = curves(guess[:1], np.arange(1))
        points = values.shape[1]
        data.y = np.broadcast_to(data.y, (len(data.y), points)).copy()
        curves = Curves(f, x, points, own_places)
    sigma, root = data.weights(points)

    def weigh(residuals: Floats, rows: NDArray[np.intp]) -> Floats:
        if root is not None:
            flat = residuals.reshape(len(rows), points, -1)
            solved = numbers(np.linalg.solve(np.broadcast_to(root, (len(rows), points, points)), flat), "sigma")
            return solved.reshape(residuals.shape)
        if sigma is None:
            return residuals
        unit = sigma if sigma.ndim == 1 else sigma[rows]
        with np.errstate(all="ignore"):
            return residuals / (unit if residuals.ndim == 2 else unit[..., np.newaxis])

    gains = {ours: kwargs.pop(theirs) for theirs, ours in _GAINS.items() if theirs in kwargs}
    most = _limit_of(kwargs, 200 * (count + 1))
    loss, f_scale = kwargs.pop("loss"), kwargs.pop("f_scale")
    if kwargs:
        raise TypeError(f"curve_fit() got an unexpected keyword argument {next(iter(kwargs))!r}")
    slopes = _slopes_of(jac, x, own_places, (points, count)) if callable(jac) else None
    problem = Problem(curves, slopes, data.y, weigh, lower, upper, loss, f_scale, **gains)
    return fit_rows(problem, guess, most)


_GAINS = {"ftol": "value_gain", "xtol": "step_gain", "gtol": "slope_gain"}


def _limit_of(kwargs: dict[str, Any], usual: int) -> int:
    for name in ("maxfev", "max_nfev"):
        given = kwargs.pop(name, None)
        if given:
            return int(given)
    return usual


def _native(
    model: Model,
    data: Data,
    problem: _core.FitProblem,
    guess: Floats,
    lower: Floats,
    upper: Floats,
    absolute_sigma: bool,
    run: dict[str, Any],
    options: dict[str, Any],
) -> _fit.FitResult:
    rows, points = data.y.shape
    problem.set_data(data.y.reshape(-1), points)
    problem.set_guess(np.ascontiguousarray(guess).reshape(-1), guess.shape[1])
    if data.xdata is not None and model.width:
        raise InvalidInput("xdata: a picture has its places by `width`; give None")
    abscissa = _fit.set_side(problem, "abscissa", data.xdata, data.y)
    sigma, root = data.weights(points)
    if root is not None:
        raise InvalidInput("sigma: a matrix is for functions of Python; give a standard deviation for each datum")
    if sigma is None and absolute_sigma and options["loss"] != "poisson":
        sigma = np.ones(points)
    if sigma is not None:
        problem.set_sigma(np.ascontiguousarray(sigma).reshape(-1))
    for name, side in (("lower", lower), ("upper", upper)):
        if np.isfinite(side).any():
            getattr(problem, f"set_{name}")(np.ascontiguousarray(side).reshape(-1))
    more = {"data": data.y, "abscissa": abscissa, "sigma": sigma, "_recipe": model, "_devices": ids_of(run["device"])}
    return _fit.solve(problem, options, _run.make_control(run), False, more)


@without_frames
def curve_fit(
    f: Any,
    xdata: Any,
    ydata: ArrayLike,
    p0: Optional[ArrayLike] = None,
    sigma: Optional[ArrayLike] = None,
    absolute_sigma: bool = False,
    check_finite: Optional[bool] = None,
    bounds: Any = (-np.inf, np.inf),
    method: Optional[str] = None,
    jac: Any = None,
    *,
    full_output: bool = False,
    nan_policy: Optional[str] = None,
    loss: str = "linear",
    f_scale: float = 1.0,
    width: Optional[int] = None,
    precision: Optional[str] = None,
    device: DeviceLike = None,
    time_limit: Optional[float] = None,
    **kwargs: Any,
) -> Any:
    """Fits a curve to one row of data, or to each of many, by scipy.optimize.curve_fit's arguments and shapes.

    With ydata of shape (rows, points) all rows are fitted at once: a row that is bad spoils no other, NaN is missing, and
    where a row has not converged its covariance is infinite, or NaN without data.

    Args:
        f: the curve: a name of `clopt.fit_models()`, a text or a file in OpenCL C as `fit` takes them, which run on any device;
            or ``f(xdata, a, b, ...)`` in numpy. A function is called with columns of shape (rows, 1), once for all rows; where
            that gives other values than a row alone does, row by row.
        xdata: the places, shape (points,), or (rows, points) with as many rows as ydata; of a function anything. None: 0,
            1, 2, ...
        ydata: shape (points,), or (rows, points).
        p0: the guess, shape (k,), or (rows, k). None: ones, or the middle of the bounds.
        sigma: a number, or shape (points,) or (rows, points); of a function and a single row also a covariance matrix.
        absolute_sigma: whether the covariance is that of sigma as it is; else it is scaled by the residuals.
        check_finite: whether NaN and infinity are refused; None: of a single row without `nan_policy`.
        bounds: (least, greatest), each a number, (k,) or (rows, k); or a scipy.optimize.Bounds.
        method: None, "lm", "trf" or "dogbox", as programs for scipy give it: the method is Levenberg and Marquardt's with any
            of them, and, as in scipy, "lm" goes with no bounds.
        jac: of a function: ``jac(xdata, a, b, ...)`` of shape (points, k), called row by row; or one of scipy's names, which
            mean central differences.
        full_output: whether the result has ``infodict, mesg, ier`` too; with many rows these are arrays.
        nan_policy: "raise", "omit" or None, as in scipy.
        loss: "linear" (squares), "soft_l1", "huber" or "cauchy" as scipy's least_squares has them, or "poisson" for counts,
            whose covariance is not scaled.
        f_scale: of these three: residuals above it, in units of sigma, count as large.
        width: of a model of pictures, data in a row of the picture.
        precision: of a model that is not a function: "double", "float" or "auto"; None: double.
        device: as `fit`.
        time_limit: as `fit`.
        kwargs: `maxfev` or `max_nfev`, the most evaluations of a row; of a function also `ftol`, `xtol` and `gtol`.

    Returns:
        popt of shape (k,), or (rows, k), and pcov of shape (k, k), or (rows, k, k).

    Raises:
        InvalidInput (a ValueError): arguments without meaning.
        RuntimeError: a single row has not converged.

    Example:
        >>> import clopt
        >>> popt, pcov = clopt.curve_fit("line", [0, 1, 2, 3], [[1, 3, 5, 7], [2, 1, 0, -1]], p0=[0, 0])
        >>> popt.round(3).tolist(), pcov.shape
        ([[1.0, 2.0], [2.0, -1.0]], (2, 2, 2))
    """
    loss = loss.replace("_", "-")
    if loss not in _LOSSES:
        raise InvalidInput(f"there is no `loss` {loss!r}; choose one of {', '.join(_LOSSES)}")
    if not f_scale > 0:
        raise InvalidInput(f"f_scale={f_scale!r}: give a number above 0")
    if loss == "poisson" and sigma is not None:
        raise InvalidInput("loss poisson is of counts, and there is a sigma; leave it out")
    absolute_sigma = absolute_sigma or loss == "poisson"
    if method not in _METHODS:
        raise InvalidInput(f"`method` must be one of {', '.join(map(repr, _METHODS))}")
    if "args" in kwargs:
        raise InvalidInput("'args' is not a supported keyword argument.")
    is_function = callable(f)
    model = None if is_function else Model.of(f, width)
    problem = None if model is None else model.problem()
    if p0 is not None:
        begin = np.array(np.atleast_1d(numbers(p0, "p0")))
        count = begin.shape[-1]
    else:
        count = _parameters_of(f) if problem is None else len(problem.model_names)
        if count == 0:
            raise InvalidInput("p0: the model does not say how many parameters it has; give a guess")
    data = Data(xdata, ydata, sigma, check_finite, nan_policy)
    rows = len(data.y)
    sides = [np.full(count, least) if side is None else side for side, least in zip(_fit.limits_of(bounds, count, rows), (-np.inf, np.inf))]
    lower, upper = (np.broadcast_to(side, (rows, count)) for side in sides)
    if (lower >= upper).any():
        raise InvalidInput("Each lower bound must be strictly less than each upper bound.")
    is_bounded = bool(np.isfinite(lower).any() or np.isfinite(upper).any())
    if method == "lm" and is_bounded:
        raise InvalidInput("Method 'lm' only works for unconstrained problems. Use 'trf' or 'dogbox' instead.")
    if p0 is None:
        begin = _usual_guess(lower, upper)
    if begin.shape not in ((count,), (rows, count)):
        raise InvalidInput(f"p0 has the shape {begin.shape}; give ({count},), or ({rows}, {count}) for each row")
    begin = np.array(np.broadcast_to(begin, (rows, count)))
    if ((begin < lower) | (begin > upper)).any():
        raise InvalidInput("Initial guess is outside of provided bounds")
    points = data.y.shape[1]
    if method in (None, "lm") and not is_bounded and data.is_single and points != 1 and count > points:
        raise TypeError(f"The number of func parameters={count} must not exceed the number of data points={points}")

    if model is None or problem is None:
        for name, value in (("width", width), ("precision", precision), ("device", device), ("time_limit", time_limit)):
            if value is not None:
                raise InvalidInput(f"{name} belongs to models that are not functions of Python; leave it out")
        fitted = _fit_function(f, data, begin, lower, upper, jac, {**kwargs, "loss": loss, "f_scale": float(f_scale)})
        covariance = fitted.covariance
        if not absolute_sigma:
            covariance = _scaled(covariance, fitted.chi_squared, (~np.isnan(data.y)).sum(1) - count)
        popt, statuses, chi_squared, evaluations = fitted.x, fitted.statuses, fitted.chi_squared, fitted.iterations
    else:
        if jac is not None:
            raise InvalidInput("jac belongs to functions of Python; a text defines `real derivative(individual x, uint j, uint k)`")
        options: dict[str, Any] = {"covariance": True, "precision": precision or "double", "loss": loss}
        if loss not in ("linear", "poisson"):
            options["f_scale"] = float(f_scale)
        limit = _limit_of(kwargs, 0)
        if limit:
            options["maxiter"] = limit
        if kwargs:
            raise TypeError(f"curve_fit() got an unexpected keyword argument {next(iter(kwargs))!r}")
        run = {"device": device, "time_limit": time_limit}
        found = _native(model, data, problem, begin, lower, upper, absolute_sigma, run, options)
        popt, covariance, statuses, chi_squared, evaluations = found.x, found.covariance, found.statuses, found.chi_squared, found.nit
        if data.sigma is not None and not absolute_sigma:
            covariance = _scaled(covariance, chi_squared, found.degrees_of_freedom)
    return _results(popt, covariance, statuses, data, full_output, chi_squared, evaluations, fitted if problem is None else None)


def _scaled(covariance: Floats, chi_squared: Floats, degrees: NDArray[Any]) -> Floats:
    """The covariance where the residuals say how large the standard deviations are: infinite without degrees of freedom."""
    unit = np.where(degrees > 0, chi_squared / np.maximum(degrees, 1), np.where(np.isnan(chi_squared), np.nan, np.inf))
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(unit)[:, None, None], np.inf, covariance * unit[:, None, None])


def _results(
    popt: Floats,
    covariance: Floats,
    statuses: NDArray[np.uint8],
    data: Data,
    full_output: bool,
    chi_squared: Floats,
    evaluations: NDArray[np.uint64],
    fitted: Optional[Fitted],
) -> Any:
    """What scipy returns, of a single row or of many."""
    names = [_fit.STATUS_NAMES[each] for each in statuses]
    if not data.is_single:
        if not full_output:
            return popt, covariance
        of_rows = {"nfev": evaluations, "chi_squared": chi_squared, "status": np.array(names)}
        messages = np.array([_MESSAGES[name][1] for name in names])
        return popt, covariance, of_rows, messages, np.array([_MESSAGES[name][0] for name in names])
    ier, mesg = _MESSAGES[names[0]]
    if ier in (0, 5):
        raise RuntimeError("Optimal parameters not found: " + mesg)
    pcov = np.array(covariance[0])
    if np.isinf(pcov).any():
        pcov.fill(np.inf)
        _warn_of_covariance()
    if not full_output:
        return popt[0], pcov
    info: dict[str, Any] = {"nfev": int(evaluations[0]) if fitted is None else fitted.evaluations, "chi_squared": float(chi_squared[0])}
    if fitted is not None:
        info |= _minpack_output(fitted)
    return popt[0], pcov, info, mesg, ier


def _minpack_output(fitted: Fitted) -> dict[str, Any]:
    """The residuals, and the triangular factor of their slopes as MINPACK has it, transposed."""
    orthogonal, triangle = np.linalg.qr(fitted.slopes[0])
    residuals = fitted.residuals[0]
    return {
        "fvec": residuals, "fjac": triangle.T, "ipvt": np.arange(1, triangle.shape[1] + 1, dtype=np.int32),
        "qtf": orthogonal.T @ residuals,
    }
