"""Fits of one model to each row of an array."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _run, _solver
from clopt._arguments import Floats, Reals, reals, whole, without_frames
from clopt._devices import ids_of
from clopt._model_values import Model, device_of_result, values_of
from clopt.errors import InvalidInput

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from clopt import _options

__all__ = ["ConfidenceInterval", "FitResult", "ModelSummary", "fit", "fit_models"]

STATUS_NAMES = tuple(_core.fit_status_names())
CONVERGED = STATUS_NAMES.index("singular")  # the last of those that have


@dataclass(frozen=True)
class ModelSummary:
    """A model of the library."""

    name: str
    formula: str
    parameters: tuple[str, ...]
    """Their names; empty: any number of them."""


def fit_models() -> list[ModelSummary]:
    """The models of the library that `fit` and `curve_fit` know by name."""
    return [ModelSummary(name, formula, tuple(parameters)) for name, formula, parameters in _core.fit_models()]


class ConfidenceInterval(NamedTuple):
    """The ends of intervals that have the true parameters with some probability."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FitResult(_run.RunResult):
    """What was found. Arrays have a first axis over the rows only where `data` has two axes."""

    x: NDArray[np.float64]
    """The parameters, shape (parameters,), or (rows, parameters). NaN where a row has no data or no finite number."""
    errors: NDArray[np.float64]
    """Their standard errors, of x's shape, as scipy.optimize.curve_fit has them: with `sigma` absolute, without scaled by the
    residuals. 0 of what is fixed, infinity where the data do not determine a parameter. Empty with errors=False."""
    covariance: NDArray[np.float64]
    """Shape (parameters, parameters), or (rows, parameters, parameters); empty without covariance=True."""
    chi_squared: Any
    """The sum of squared residuals, in units of `sigma`: a float, or an array of shape (rows,)."""
    degrees_of_freedom: Any
    """Data less free parameters, of chi_squared's shape."""
    converged: Any
    """Whether a row has converged, of chi_squared's shape."""
    statuses: NDArray[np.uint8]
    """How each row ended, shape (rows,), by the places of `status_names`."""
    nit: Any
    """Evaluations of model and slopes, of chi_squared's shape."""
    names: tuple[str, ...]
    """Of the parameters."""
    precision: str
    """The one used: "float" or "double"."""
    solved: int
    """Rows that have converged."""
    model: str
    """Its name."""
    data: Reals
    """As given: arrays of floats and doubles are not copied."""
    abscissa: Optional[Reals]
    """The same."""
    sigma: Optional[Reals]
    """The same."""
    _recipe: Model
    _devices: tuple[str, ...]

    @without_frames
    def predict(self, abscissa: Optional[ArrayLike] = None) -> Floats:
        """The model's values in doubles, of data's shape; NaN where a row has no answer.

        Args:
            abscissa: other places, shape (points,), or (rows, points); of a picture None alone. None: those of the data.

        Raises:
            InvalidInput: the model is a text of residuals alone, or the shape does not fit.
        """
        if abscissa is not None and np.ndim(abscissa) == 0:
            raise InvalidInput(f"abscissa={abscissa!r}: give places, of shape (points,), or (rows, points)")
        if abscissa is None:
            abscissa = self.data.shape[-1] if self.abscissa is None else self.abscissa
        return values_of(self._recipe, self.x, abscissa, "double", device_of_result(self._devices, "double"))

    @property
    def status_names(self) -> tuple[str, ...]:
        """What `statuses` mean: "value", "step" and "slope" (converged), "bound" and "singular" (too), "no data",
        "not finite", "limit"; the first one does not occur."""
        return STATUS_NAMES

    @property
    def reduced_chi_squared(self) -> Any:
        """chi_squared over the degrees of freedom; NaN where there are none."""
        degrees = np.asarray(self.degrees_of_freedom, dtype=np.float64)
        reduced = np.asarray(self.chi_squared) / np.where(degrees > 0, degrees, np.nan)
        return reduced if reduced.ndim else float(reduced)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """The intervals of all parameters, arrays of x's shape, by their errors and Student's t distribution with each row's
        degrees of freedom. Both ends of what is fixed are its value; without degrees of freedom they are infinite.

        Raises:
            InvalidInput: the level does not lie between 0 and 1, or the result has no errors.
        """
        if self.errors.size != self.x.size:
            raise InvalidInput("the result has no errors, of which confidence intervals are made; fit with errors=True")
        degrees, rows = np.unique(self.degrees_of_freedom, return_inverse=True)
        reaches = np.array([_core.fit_confidence_reach(confidence_level, int(each)) for each in degrees])
        with np.errstate(invalid="ignore"):
            half = (reaches[rows].reshape(-1, 1) * self.errors).reshape(self.x.shape)
        half = np.where(self.errors == 0, 0.0, half)
        return ConfidenceInterval(self.x - half, self.x + half)

    def to_pandas(self, confidence_level: Optional[float] = None) -> Any:
        """A pandas.DataFrame with a row a fit: status, the parameters, their errors, the ends of their confidence intervals
        where there is a level, chi_squared, degrees_of_freedom and iterations."""
        import pandas

        x = np.atleast_2d(self.x)
        columns: dict[str, Any] = {"status": np.array(STATUS_NAMES)[self.statuses]}
        columns |= {name: x[:, k] for k, name in enumerate(self.names)}
        if self.errors.size:
            columns |= {f"error_{name}": np.atleast_2d(self.errors)[:, k] for k, name in enumerate(self.names)}
        if confidence_level is not None:
            low, high = self.confidence_interval(confidence_level)
            for end, values in (("lower", low), ("upper", high)):
                columns |= {f"{end}_{name}": np.atleast_2d(values)[:, k] for k, name in enumerate(self.names)}
        columns["chi_squared"] = np.atleast_1d(self.chi_squared)
        columns["degrees_of_freedom"] = np.atleast_1d(self.degrees_of_freedom)
        columns["iterations"] = np.atleast_1d(self.nit)
        return pandas.DataFrame(columns)


def rows_of(data: ArrayLike, name: str = "data") -> tuple[Reals, bool]:
    """Rows of data, and whether there was a single one. What is masked is missing."""
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(np.ma.asarray(data, dtype=np.float64), np.nan)
    rows = reals(data, name)
    if rows.ndim not in (1, 2) or rows.size == 0:
        raise InvalidInput(f"{name} has the shape {rows.shape}; give a row of numbers, or a row for each fit")
    return np.atleast_2d(rows), rows.ndim == 1


def of_parameters(values: ArrayLike, name: str, count: int, rows: int) -> Reals:
    """A number for each parameter, or a row of them for each row of data."""
    found = reals(values, name)
    if np.ndim(values) == 0:
        found = np.full(count, found.item())
    if found.shape not in ((count,), (rows, count)):
        raise InvalidInput(f"{name} has the shape {found.shape}; give ({count},), or ({rows}, {count}) for each row")
    return found


def limits_of(bounds: Any, count: int, rows: int) -> tuple[Optional[Reals], Optional[Reals]]:
    """The least and the greatest values; None where nothing is bounded."""
    if bounds is None:
        return None, None
    sides: tuple[Any, ...]
    if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
        sides = (bounds.lb, bounds.ub)
    else:
        try:
            sides = tuple(bounds)
        except TypeError:
            sides = ()
    if len(sides) != 2:
        raise InvalidInput("bounds: give a pair, the least and the greatest values of the parameters, as scipy's curve_fit")
    lower, upper = (of_parameters(side, "bounds", count, rows) for side in sides)
    if np.isnan(lower).any() or np.isnan(upper).any():
        raise InvalidInput("bounds: NaN is no bound; give -inf and inf where there is none")
    return (None if np.all(lower == -np.inf) else lower), (None if np.all(upper == np.inf) else upper)


def _number_of_parameters(problem: _core.FitProblem, bounds: Any) -> int:
    """Those that the model names, or else the bounds have."""
    if problem.model_names:
        return len(problem.model_names)
    sides = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") and hasattr(bounds, "ub") else bounds
    found = max((np.size(side) for side in sides), default=0) if isinstance(sides, (tuple, list)) else 0
    if not found:
        raise InvalidInput("there is no guess; give one, or bounds with a number for each parameter, to search for it within")
    return found


def _fixed_places(problem: _core.FitProblem, fixed: Any, count: int) -> dict[int, Optional[float]]:
    """The places of fixed parameters, with the values where they are to stay, as far as these are given."""
    names = problem.model_names or [f"x{k}" for k in range(count)]
    given = fixed if isinstance(fixed, Mapping) else dict.fromkeys([fixed] if isinstance(fixed, str) else fixed)
    places = {}
    for each, value in given.items():
        if isinstance(each, str) and each not in names:
            raise InvalidInput(f"fixed: there is no parameter {each!r}; there are {', '.join(names)}")
        places[names.index(each) if isinstance(each, str) else whole(each, "fixed", 0, len(names) - 1)] = value
    return places


def set_side(problem: _core.FitProblem, name: str, values: Optional[ArrayLike], rows: Reals) -> Optional[Reals]:
    """Gives a problem places or standard deviations, of each row or of all."""
    if values is None:
        return None
    side = reals(values, name)
    if side.shape not in (rows.shape, rows.shape[1:]):
        raise InvalidInput(f"{name} has the shape {side.shape}; give {rows.shape}, or {rows.shape[1:]} for all rows")
    getattr(problem, f"set_{name}")(side.reshape(-1))
    return side


@_solver.solver
def fit(
    model: Union[str, "os.PathLike[str]"],
    data: ArrayLike,
    guess: Optional[ArrayLike] = None,
    *,
    abscissa: Optional[ArrayLike] = None,
    sigma: Optional[ArrayLike] = None,
    bounds: Any = None,
    fixed: Union[Iterable[Union[str, int]], Mapping[Union[str, int], float]] = (),
    width: Optional[int] = None,
    constants: Optional[Mapping[str, float]] = None,
    tables: Optional[Mapping[str, ArrayLike]] = None,
    seed: int = 1,
    checkpoint: Optional[Union[str, "os.PathLike[str]"]] = None,
    resume: Optional[Union[str, "os.PathLike[str]"]] = None,
    **options: Unpack[_options.FitOptions],
) -> FitResult:
    """Fits a model to each row of data from a guess, by Levenberg and Marquardt's method. A bad row spoils no other.

    The same row has the same bits on every device. Time: O(rows * iterations * columns * parameters * (parameters + the
    model's work)). A callback gets no `fun`. `curve_fit` has scipy's arguments and takes functions of Python.

    Args:
        model: a name of `clopt.fit_models()`, a file that ends in ".cl", or a text in OpenCL C that defines ``real
            model(individual x, real t)``, with a third argument ``real u`` for a picture, or ``real residual(individual x,
            uint j)``; docs/fit.md describes these. A text is compiled and run as code: take only texts that you trust.
        data: shape (columns,), or (rows, columns): a row a fit. What is NaN or masked is missing. Arrays of float32 or
            float64 are not copied, and must stay as they are until the call returns.
        guess: the parameters to begin with, shape (parameters,), or (rows, parameters). None: differential evolution searches
            within `bounds` for them, which are finite then, a number for each parameter.
        abscissa: the place of each datum, of the shape of `data`, or (columns,) for all rows; None: 0, 1, 2, ...
        sigma: the standard deviation of each datum, of these shapes; None: 1, and errors are scaled by the residuals.
        bounds: a pair of the least and the greatest values, each a number for all parameters, or of the shape of `guess`; or
            a scipy.optimize.Bounds.
        fixed: parameters that stay at the guess, by name or number; a mapping has the values where they stay, which it must have
            where there is no guess.
        width: of a model of pictures, data in a row of the picture.
        constants: numbers that a text uses by their names.
        tables: arrays that a text reads by ``NAME(x, i)``.
        seed: of the search where there is no guess, an integer from 0 to 2**64-1.
        checkpoint: a file to which the rows that are done are written twice a second, and at the end.
        resume: a checkpoint to continue from; all but limits and devices must be as it was.

    Raises: as `differential_evolution`.

    Source: D. W. Marquardt, SIAM Journal 11 (1963); J. J. More, Lecture Notes in Mathematics 630 (1978).

    Example:
        >>> import clopt
        >>> r = clopt.fit("line", [[1, 3, 5, 7], [2, 1, 0, -1]], [0, 0])
        >>> r.x.round(3).tolist(), r.names
        ([[1.0, 2.0], [2.0, -1.0]], ('a', 'b'))
    """
    run, given = _solver.split(fit, options)
    run |= {"checkpoint": checkpoint, "resume": resume}
    if isinstance(given.get("loss"), str):
        given["loss"] = given["loss"].replace("_", "-")  # as scipy has it
    recipe = Model.of(model, width, constants, tables)
    problem = recipe.problem()
    rows, is_single = rows_of(data)
    problem.set_data(rows.reshape(-1), rows.shape[1])
    if guess is None:
        count = _number_of_parameters(problem, bounds)
        begin: Reals = np.empty((0, count))
    else:
        begin = reals(guess, "guess")
        if begin.ndim not in (1, 2) or begin.size == 0 or (begin.ndim == 2 and len(begin) != len(rows)):
            raise InvalidInput(f"guess has the shape {begin.shape}; give (parameters,), or ({len(rows)}, parameters)")
        count = begin.shape[-1]
    lower, upper = limits_of(bounds, count, len(rows))
    places = _fixed_places(problem, fixed, count)
    if places:
        begin = np.array(begin, dtype=np.float64)
    for place, value in places.items():
        if guess is not None:
            begin[..., place] = begin[..., place] if value is None else value
        elif value is None or lower is None or upper is None:
            raise InvalidInput("fixed: parameters stay at the guess, and there is none; give a mapping with their values")
        else:
            lower, upper = np.array(lower, dtype=np.float64), np.array(upper, dtype=np.float64)
            lower[..., place] = upper[..., place] = value
    if guess is not None:
        problem.fixed = list(places)
    problem.set_guess(begin.reshape(-1), count)
    sides = {name: set_side(problem, name, side, rows) for name, side in (("abscissa", abscissa), ("sigma", sigma))}
    if lower is not None:
        problem.set_lower(lower.reshape(-1))
    if upper is not None:
        problem.set_upper(upper.reshape(-1))
    more = {"data": rows[0] if is_single else rows, **sides, "_recipe": recipe, "_devices": ids_of(run["device"])}
    return solve(problem, given, _run.make_control(run), is_single, more, whole(seed, "seed", 0, 2**64 - 1))


def solve(
    problem: _core.FitProblem,
    given: dict[str, Any],
    control: _core.Control,
    is_single: bool,
    more: dict[str, Any],
    seed: int = 1,
) -> FitResult:
    """Runs the library, and makes the result of a single row or of many.

    Args:
        more: members of the result that the library does not give.
    """
    fields = _core.fit(problem, given, seed, control)

    def make(fields: dict[str, Any]) -> FitResult:
        statuses = fields["statuses"]
        wrong = len(statuses) - fields["solved"]
        missing = "" if not wrong else f"{wrong} of {len(statuses)} rows have not converged"
        fields["nit"] = fields.pop("iterations")
        fields["converged"] = _run.read_only(statuses <= CONVERGED)
        if is_single:
            missing = missing and f"the row has not converged: {STATUS_NAMES[statuses[0]]}"
            for name in ("x", "errors", "covariance"):
                fields[name] = fields[name][0] if len(fields[name]) else fields[name].reshape(-1)
            for name in ("chi_squared", "degrees_of_freedom", "converged", "nit"):
                fields[name] = fields[name][0].item()
        return _run.result_of(FitResult, fields, missing, names=tuple(fields["names"]), **more)

    return _run.finish(fields, make)
