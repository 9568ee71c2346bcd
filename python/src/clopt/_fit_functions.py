"""Fits of functions of Python: Levenberg and Marquardt's method on arrays of numpy, for all rows at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from clopt._arguments import Floats, numbers
from clopt.errors import InvalidInput

__all__ = ["Curves", "Fitted", "fit_rows"]

VALUE, STEP, SLOPE, BOUND, SINGULAR, NO_DATA, NOT_FINITE, LIMIT = range(1, 9)
_NUMBERS = 1 << 22  # of slopes, at a time
_EPSILON = float(np.finfo(np.float64).eps)


class Curves:
    """A function of Python, ``f(xdata, a, b, ...)``, for many rows of parameters.

    It is called with columns of shape (rows, 1), once for all rows. Where what it returns does not have the rows' shape, or
    is another curve than that of a row alone, it is called row by row.
    """

    def __init__(self, function: Callable[..., Any], xdata: Any, points: int, own_places: bool) -> None:
        self._function, self._xdata, self._points, self._own_places = function, xdata, points, own_places
        self._takes_rows: Optional[bool] = None

    def __call__(self, parameters: Floats, rows: NDArray[np.intp]) -> Floats:
        """Values of shape (rows, points)."""
        if len(rows) == 1:
            return self._of_row(parameters[0], int(rows[0]))[np.newaxis]
        if self._takes_rows is None:
            self._takes_rows = self._agrees(parameters, rows)
        if self._takes_rows:
            return self._of_rows(parameters, rows)
        return np.array([self._of_row(each, int(row)) for each, row in zip(parameters, rows)])

    def _of_row(self, parameters: Floats, row: int) -> Floats:
        xdata = self._xdata[row] if self._own_places else self._xdata
        values = np.atleast_1d(np.asarray(self._function(xdata, *parameters), dtype=np.float64))
        if self._points != 1 and values.shape != (self._points,):
            try:
                return np.broadcast_to(values, (self._points,))
            except ValueError:
                raise InvalidInput(
                    f"the function returned the shape {values.shape}; it must return ({self._points},), a value for each datum"
                ) from None
        return values

    def _of_rows(self, parameters: Floats, rows: NDArray[np.intp]) -> Floats:
        xdata = self._xdata[rows] if self._own_places else self._xdata
        values = numbers(self._function(xdata, *parameters.T[:, :, np.newaxis]), "what the function returned")
        return np.broadcast_to(values, (len(rows), self._points))

    def _agrees(self, parameters: Floats, rows: NDArray[np.intp]) -> bool:
        try:
            together = self._of_rows(parameters, rows)
        except Exception:  # whatever the function makes of columns
            return False
        alone = [self._of_row(parameters[k], int(rows[k])) for k in (0, -1)]
        return all(np.allclose(together[k], alone[k], rtol=1e-9, equal_nan=True) for k in (0, -1))


@dataclass
class Fitted:
    """What was found of each row."""

    x: Floats
    covariance: Floats
    """Of residuals with variance 1; infinite where the data do not determine all parameters."""
    residuals: Floats
    chi_squared: Floats
    statuses: NDArray[np.uint8]
    iterations: NDArray[np.uint64]
    evaluations: int
    slopes: Floats
    """Of the residuals at x."""


@dataclass
class Problem:
    """Rows of data for one function."""

    curves: Callable[[Floats, NDArray[np.intp]], Floats]
    slopes: Optional[Callable[[Floats, NDArray[np.intp]], Floats]]
    """Of the curves, shape (rows, points, parameters); None: differences are taken."""
    data: Floats
    """NaN where there is none."""
    weigh: Callable[[Floats, NDArray[np.intp]], Floats]
    """Residuals, shape (rows, points) or (rows, points, parameters), in units of their standard deviations."""
    lower: Floats
    upper: Floats
    loss: str = "linear"
    f_scale: float = 1.0
    value_gain: float = 1e-14
    step_gain: float = 1e-14
    slope_gain: float = 1e-15


class _Rows:
    """Rows under way."""

    def __init__(self, problem: Problem, rows: NDArray[np.intp], guess: Floats) -> None:
        self.problem, self.rows = problem, rows
        data = problem.data[rows]
        self.is_datum = ~np.isnan(data)
        self.data = np.where(self.is_datum, data, 0.0)
        self.lower, self.upper = problem.lower[rows], problem.upper[rows]
        self.x = np.clip(guess, self.lower, self.upper)
        self.evaluations = 0
        known = self.is_datum & np.isfinite(self.data)
        mean = np.where(known, self.data, 0).sum(1) / np.maximum(1, known.sum(1))
        spread = np.sqrt((np.where(known, np.where(known, self.data, 0) - mean[:, None], 0) ** 2).sum(1))
        self.spread = spread
        self.reach = np.full(self.x.shape, np.inf)

    def residuals(self, x: Floats, these: NDArray[np.intp]) -> Floats:
        with np.errstate(all="ignore"):
            values = self.problem.curves(x, self.rows[these])
        self.evaluations += 1
        raw = np.where(self.is_datum[these], values - self.data[these], 0.0)
        return self.problem.weigh(raw, self.rows[these])

    def slopes(self, x: Floats, these: NDArray[np.intp]) -> Floats:
        if self.problem.slopes is not None:
            raw = self.problem.slopes(x, self.rows[these])
            return self.problem.weigh(np.where(self.is_datum[these][:, :, None], raw, 0.0), self.rows[these])
        found = self._differences(x, these)
        # A parameter's change that changes all data by their spread; steps are a small part of it.
        with np.errstate(all="ignore"):
            norms = np.sqrt((self._raw(found, these) ** 2).sum(1))
            reach = np.where(norms > 0, self.spread[these][:, None] / norms, np.inf)
        is_new = ~np.isfinite(self.reach[these]).all(1) | (reach < self.reach[these] / 64).any(1)
        self.reach[these] = reach
        again = np.flatnonzero(is_new)
        if len(again) > 0:
            found[again] = self._differences(x[again], these[again])
        return found

    @staticmethod
    def _raw(found: Floats, these: NDArray[np.intp]) -> Floats:
        return np.where(np.isfinite(found), found, 0.0)

    def _differences(self, x: Floats, these: NDArray[np.intp]) -> Floats:
        count = x.shape[1]
        size = np.where(x != 0, np.abs(x), 1.0)
        reach = self.reach[these]
        # Where nothing is known of the scale, a place may be far from 0, and a wide step beyond all that is there.
        steps = np.where(np.isinf(reach), size * _EPSILON**0.5, np.minimum(size, reach) * _EPSILON ** (1 / 3))
        found = np.empty((len(these), self.data.shape[1], count))
        for k in range(count):
            above, below = x.copy(), x.copy()
            above[:, k] = np.minimum(x[:, k] + steps[:, k], self.upper[these, k])
            below[:, k] = np.maximum(x[:, k] - steps[:, k], self.lower[these, k])
            width = above[:, k] - below[:, k]
            change = self.residuals(above, these) - self.residuals(below, these)
            found[:, :, k] = change / np.where(width > 0, width, 1.0)[:, None]
        return found


def _weigh(loss: str, limit: float, residuals: Floats, data: Floats) -> tuple[Floats, Floats, Floats]:
    """What data add to a loss, and factors of residuals and slopes (Triggs and others 2000), as scipy's least_squares."""
    with np.errstate(all="ignore"):
        if loss == "poisson":
            model = residuals + data
            of_counts = 2 * data * (residuals / data - np.log1p(residuals / data))
            root = 1 / np.sqrt(model)
            return np.where(data == 0, 2 * model, of_counts), root, root
        z = (residuals / limit) ** 2
        if loss == "soft-l1":
            root = np.sqrt(1 + z)
            value, first, second = 2 * z / (root + 1), 1 / root, -z / ((1 + z) * root)
        elif loss == "huber":
            far = 1 / np.sqrt(np.maximum(z, 1.0))
            value, first, second = np.where(z <= 1, z, 2 * np.sqrt(z) - 1), far, np.where(z <= 1, 0.0, -far)
        else:
            value, first, second = np.log1p(z), 1 / (1 + z), -2 * z / (1 + z) ** 2
        slope = np.sqrt(np.maximum(first + second, _EPSILON))
        return value * limit**2, first / slope, slope


def _held(rows: _Rows, x: Floats, gradient: Floats, these: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Parameters that a bound keeps from falling further."""
    lower, upper = rows.lower[these], rows.upper[these]
    return ((x <= lower) & (gradient > 0)) | ((x >= upper) & (gradient < 0)) | (lower >= upper)


def _steps(
    slopes: Floats, residuals: Floats, radius: Floats, scale: Floats, held: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """The steps within a radius that promise most, their dampings, and their lengths (Hebden 1973; More 1978)."""
    scaled = np.where(held[:, None, :], 0.0, slopes / scale[:, None, :])
    left, sizes, right = np.linalg.svd(scaled, full_matrices=False)
    along = np.einsum("rjk,rj->rk", left, residuals)
    squares = np.where(sizes > _EPSILON * sizes[:, :1], sizes**2, np.inf)
    damping = np.zeros(len(slopes))
    for _ in range(20):
        parts = np.where(np.isinf(squares), 0.0, sizes * along / (squares + damping[:, None]))
        length = np.sqrt((parts**2).sum(1))
        is_long = length > 1.1 * radius
        if not is_long.any():
            break
        with np.errstate(all="ignore"):
            more = (length / radius - 1) * length**2 / (parts**2 / (squares + damping[:, None])).sum(1)
        damping = np.where(is_long, damping + more, damping)
    found: Floats = -np.einsum("rki,rk->ri", right, parts) / scale
    return np.where(held, 0.0, found), damping, length


def _covariance(slopes: Floats, fixed: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_]]:
    """The inverses of J^T J, and which rows have none."""
    scale = np.sqrt((slopes**2).sum(1))
    scale = np.where(scale > 0, scale, 1.0)
    scaled = np.where(fixed[:, None, :], 0.0, slopes / scale[:, None, :])
    _, sizes, right = np.linalg.svd(scaled, full_matrices=False)
    free = (~fixed).sum(1)
    least = _EPSILON * max(slopes.shape[1:]) * sizes[:, :1]
    is_singular = (sizes > least).sum(1) < free
    with np.errstate(all="ignore"):
        weights = np.where(sizes > least, 1 / sizes**2, 0.0)
    found = np.einsum("rki,rk,rkj->rij", right, weights, right) / (scale[:, :, None] * scale[:, None, :])
    found[is_singular] = np.inf
    either = fixed[:, :, None] | fixed[:, None, :]
    return np.where(either, 0.0, found), is_singular


class _Run:
    """The rounds of some rows: where each is, and how it continues (Marquardt 1963; More 1978)."""

    def __init__(self, problem: Problem, rows: NDArray[np.intp], guess: Floats, most: int) -> None:
        self.problem, self.most = problem, most
        self.work = _Rows(problem, rows, guess)
        self.x = self.work.x
        self.everything = np.arange(len(rows))
        self.value, self.residuals, factor = self._measure(self.x, self.everything)
        # Of data that are all the same, as where the function is one of residuals: those at the guess say what the scale is.
        at_guess = np.where(np.isfinite(self.value) & (self.value > 0), self.value, 1.0)
        self.work.spread = np.where(self.work.spread > 0, self.work.spread, np.sqrt(at_guess))
        self.statuses = np.zeros(len(rows), dtype=np.uint8)
        self.statuses[~np.isfinite(self.value) | ~np.isfinite(self.x).all(1)] = NOT_FINITE
        self.statuses[~self.work.is_datum.any(1)] = NO_DATA
        self.slopes = np.zeros((*self.residuals.shape, guess.shape[1]))
        self.radius = np.full(len(rows), np.nan)
        self.scale = np.zeros(guess.shape)
        self.iterations = np.ones(len(rows), dtype=np.uint64)
        running = self.running()
        if len(running) > 0:
            self.slopes[running] = self.work.slopes(self.x[running], running) * factor[running, :, None]
            self.statuses[running[~np.isfinite(self.slopes[running]).all((1, 2))]] = NOT_FINITE

    def _measure(self, x: Floats, these: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        """The sums, residuals that have them as squares, nearly, and factors of the slopes."""
        raw = self.work.residuals(x, these)
        with np.errstate(all="ignore"):
            if self.problem.loss == "linear":
                return (raw**2).sum(1), raw, np.ones_like(raw)
            terms, factors, slopes = _weigh(self.problem.loss, self.problem.f_scale, raw, self.work.data[these])
            is_datum = self.work.is_datum[these]
            return np.where(is_datum, terms, 0.0).sum(1), np.where(is_datum, raw * factors, 0.0), np.where(is_datum, slopes, 0.0)

    def running(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.statuses == 0)

    def round(self) -> None:
        """Tries a step of each row that runs."""
        running = self.running()
        slopes, at, residuals = self.slopes[running], self.x[running], self.residuals[running]
        norms = np.sqrt((slopes**2).sum(1))
        self.scale[running] = np.maximum(norms, self.scale[running])
        units = np.where(self.scale[running] > 0, self.scale[running], 1.0)
        # A tenth of the guess.
        size = np.where(at != 0, np.abs(at), 1.0)
        first = 0.1 * np.sqrt(((units * size) ** 2).sum(1))
        self.radius[running] = np.where(np.isnan(self.radius[running]), first, self.radius[running])
        gradient = np.einsum("rjk,rj->rk", slopes, residuals)
        held = _held(self.work, at, gradient, running)
        is_level = self._is_level(gradient, norms, held, running)
        self.statuses[running[is_level]] = SLOPE
        trial, damping, length = self._trial(slopes, units, held, running)
        steps = trial - at
        ahead = np.einsum("rjk,rk->rj", slopes, steps)
        promise = -(2 * np.einsum("rk,rk->r", gradient, steps) + (ahead**2).sum(1))
        moves = np.flatnonzero(~is_level)
        if len(moves) > 0:
            along = np.einsum("rk,rk->r", gradient, steps)
            fall, falls = self._try(running[moves], trial[moves], promise[moves])
            self._trust(running[moves], fall, falls, promise[moves], along[moves], damping[moves], length[moves])
            self._end_short_steps(running[moves], units[moves] * steps[moves], units[moves] * at[moves])

    def _is_level(
        self, gradient: Floats, norms: Floats, held: NDArray[np.bool_], running: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Whether the residuals are orthogonal to all slopes."""
        value = self.value[running]
        with np.errstate(all="ignore"):
            cosines = np.abs(gradient) / (norms * np.sqrt(value)[:, None])
        is_flat = np.where(held | (norms == 0), True, cosines <= self.problem.slope_gain).all(1)
        found: NDArray[np.bool_] = is_flat | (value == 0)
        return found

    def _trial(
        self, slopes: Floats, units: Floats, held: NDArray[np.bool_], running: NDArray[np.intp]
    ) -> tuple[Floats, Floats, Floats]:
        """Where a step goes, its damping and its length. What it would push over the bound that it is at stays there, and the others are asked again."""
        lower, upper, at = self.work.lower[running], self.work.upper[running], self.x[running]
        for _ in range(slopes.shape[2]):
            steps, damping, length = _steps(slopes, self.residuals[running], self.radius[running], units, held)
            leaves = ((at <= lower) & (steps < 0)) | ((at >= upper) & (steps > 0))
            if not leaves.any():
                break
            held |= leaves
            steps[leaves] = 0.0
        return np.clip(at + steps, lower, upper), damping, length

    def _try(
        self, tried: NDArray[np.intp], trial: Floats, promise: Floats
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Goes to the trials that are lower. Gives by how much each is, and which were taken."""
        after, found, factor = self._measure(trial, tried)
        fall = self.value[tried] - after
        least = self.problem.value_gain * self.value[tried]
        # What the rounding of residuals changes of the value.
        sizes = np.where(np.isfinite(self.work.data[tried]), self.work.data[tried], 0.0)
        noise = 8 * _EPSILON * np.sqrt(self.value[tried] * (self.problem.weigh(sizes, self.work.rows[tried]) ** 2).sum(1))
        falls = np.isfinite(after) & (fall > 0)
        if falls.any():
            slopes = self.work.slopes(trial[falls], tried[falls]) * factor[falls, :, None]
            # A trial beside which the curve has no slopes is none.
            has_slopes = np.isfinite(slopes).all((1, 2))
            falls[falls] = has_slopes
            taken = tried[falls]
            self.x[taken], self.residuals[taken], self.value[taken] = trial[falls], found[falls], after[falls]
            self.slopes[taken] = slopes[has_slopes]
        self.iterations[tried] += 1
        self.statuses[tried[(self.iterations[tried] >= self.most)]] = LIMIT
        self.statuses[tried[(np.abs(fall) <= least + noise) & (np.abs(promise) <= least)]] = VALUE
        return fall, falls

    def _trust(
        self,
        tried: NDArray[np.intp],
        fall: Floats,
        falls: NDArray[np.bool_],
        promise: Floats,
        along: Floats,
        damping: Floats,
        length: Floats,
    ) -> None:
        """How far the squares' model is trusted next (More 1978, MINPACK's lmder)."""
        with np.errstate(all="ignore"):
            ratio = np.where(falls, fall / promise, -1.0)
            guessed = 0.5 * along / (along + 0.5 * fall)
        part = np.where(falls, 0.5, np.where((guessed >= 0.1) & (guessed <= 0.5), guessed, 0.1))
        before = self.radius[tried]
        before = np.where(self.iterations[tried] == 2, np.minimum(before, length), before)
        is_good = (ratio >= 0.75) | ((damping == 0) & (ratio > 0.25))
        grown = np.where(is_good, 2 * length, before)
        self.radius[tried] = np.where(ratio > 0.25, grown, part * np.minimum(before, 10 * length))

    def _end_short_steps(self, tried: NDArray[np.intp], steps: Floats, at: Floats) -> None:
        is_short = (steps**2).sum(1) <= self.problem.step_gain**2 * (at**2).sum(1)
        runs = (self.statuses[tried] == 0) | (self.statuses[tried] == LIMIT)
        self.statuses[tried[is_short & runs]] = STEP

    def result(self) -> Fitted:
        slopes = np.where(np.isfinite(self.slopes), self.slopes, 0.0)
        covariance, is_singular = _covariance(slopes, self.work.lower >= self.work.upper)
        converged = (self.statuses >= VALUE) & (self.statuses <= SLOPE)
        gradient = np.einsum("rjk,rj->rk", slopes, np.where(converged[:, None], self.residuals, 0.0))
        is_free = self.work.lower < self.work.upper
        at_bound = (_held(self.work, self.x, gradient, self.everything) & is_free).any(1)
        self.statuses[converged & at_bound] = BOUND
        self.statuses[converged & is_singular] = SINGULAR
        has_none = (self.statuses == NO_DATA) | (self.statuses == NOT_FINITE)
        self.x[has_none], self.value[has_none], covariance[has_none] = np.nan, np.nan, np.nan
        return Fitted(
            self.x, covariance, self.residuals, self.value, self.statuses, self.iterations, self.work.evaluations, slopes
        )


def _fit_part(problem: Problem, rows: NDArray[np.intp], guess: Floats, most: int) -> Fitted:
    run = _Run(problem, rows, guess, most)
    while len(run.running()) > 0:
        run.round()
    return run.result()


def fit_rows(problem: Problem, guess: Floats, most: int) -> Fitted:
    """Fits all rows, as many at a time as memory is meant for."""
    rows, points = problem.data.shape
    part = max(1, _NUMBERS // (points * (guess.shape[1] + 3)))
    parts = [
        _fit_part(problem, np.arange(first, min(first + part, rows)), np.array(guess[first : first + part]), most)
        for first in range(0, rows, part)
    ]

    def joined(name: str) -> Any:
        return np.concatenate([getattr(each, name) for each in parts])

    names = ("x", "covariance", "residuals", "chi_squared", "statuses", "iterations")
    evaluations = sum(each.evaluations for each in parts)
    return Fitted(**{name: joined(name) for name in names}, evaluations=evaluations, slopes=parts[-1].slopes)
