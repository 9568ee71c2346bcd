"""Pictures of what `curve_fit` has found."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from clopt import _core
from clopt._arguments import Floats, numbers, without_frames
from clopt._curve_fit import Data
from clopt._devices import DeviceLike
from clopt._fit_plot import Curve, draw_cells, set_row
from clopt._model_values import Model, device_of, model_values
from clopt.errors import InvalidInput

__all__ = ["plot_fits"]

_PIECES = 8  # of the curve from one datum to the next


def _curve_of_function(function: Callable[..., Any], parameters: Floats, xdata: Any, data: Floats) -> Curve:
    """The curve between the data too, where these have a place each."""
    values = model_values(function, parameters, xdata)
    if values.size != 1 and values.shape != data.shape:
        raise InvalidInput(f"the function returned the shape {values.shape}; it must return {data.shape}, a value for each datum")
    values = np.broadcast_to(values, data.shape)
    has_places = isinstance(xdata, np.ndarray) and xdata.shape == data.shape
    abscissa = xdata if has_places else np.arange(len(data), dtype=np.float64)
    order = np.argsort(abscissa, kind="stable")
    places, curve = abscissa[order], values[order]
    if has_places and len(data) > 1:
        steps = np.arange(_PIECES) / _PIECES
        places = np.append((places[:-1, None] + np.diff(places)[:, None] * steps).ravel(), places[-1])
        curve = np.broadcast_to(model_values(function, parameters, places), places.shape)
    return Curve(abscissa, data - values, places, curve)


def _names_of(function: Callable[..., Any], count: int) -> list[str]:
    own = list(inspect.signature(function).parameters.values())[1:]
    is_variable = any(each.kind is each.VAR_POSITIONAL for each in own)
    return [f"x{k}" for k in range(count)] if is_variable else [each.name for each in own[:count]]


@without_frames
def plot_fits(
    f: Union[str, os.PathLike[str], Callable[..., Any]],
    xdata: Any,
    ydata: ArrayLike,
    popt: ArrayLike,
    pcov: Optional[ArrayLike] = None,
    sigma: Optional[ArrayLike] = None,
    *,
    width: Optional[int] = None,
    rows: Optional[Sequence[int]] = None,
    ax: Any = None,
    device: DeviceLike = None,
) -> Any:
    """Draws data, curve, residuals and parameters of what `curve_fit` has found, by matplotlib.

    Args:
        f: as `curve_fit` got it, as are the arguments up to `sigma`.
        xdata: the places of the data.
        ydata: shape (points,), or (rows, points).
        popt: the parameters that it returned.
        pcov: their covariance, for standard errors; None: without them.
        sigma: for chi squared; None: 1.
        width: of a model of pictures, data in a row of the picture.
        rows: those to draw, from 0, at most 12; None: the first 6.
        ax: the Axes to draw in; None: those of a new figure of pyplot.
        device: the one that evaluates a model that is not a function; None: the processor.

    Returns:
        The Axes; ``.child_axes`` are those of the panels.

    Raises:
        ImportError: matplotlib is not installed.
        InvalidInput: what does not fit together.

    Example:
        >>> import clopt
        >>> x, y = [0, 1, 2, 3], [[1, 3, 5, 7], [2, 1, 0, -1]]
        >>> popt, pcov = clopt.curve_fit("line", x, y, p0=[0, 0])
        >>> ax = clopt.plot_fits("line", x, y, popt, pcov)
        >>> ax.figure.savefig("fits.svg")  # doctest: +SKIP
        >>> len(ax.child_axes)
        4
    """
    given = Data(xdata, ydata, sigma, False, None)
    y, x = given.y, np.atleast_2d(numbers(popt, "popt"))
    if len(x) != len(y):
        raise InvalidInput(f"popt has {len(x)} rows, and ydata {len(y)}; give parameters for each")
    count, points = x.shape[1], y.shape[1]
    errors = None
    if pcov is not None:
        covariance = numbers(pcov, "pcov")
        if covariance.size != len(x) * count**2:
            raise InvalidInput(f"pcov has the shape {covariance.shape}, and popt {x.shape}; give what curve_fit returned")
        errors = np.sqrt(np.diagonal(covariance.reshape(-1, count, count), axis1=1, axis2=2))
    deviations, root = given.weights(points)
    if callable(f):
        name, names = getattr(f, "__name__", type(f).__name__), _names_of(f, count)
        own_places = isinstance(given.xdata, np.ndarray) and given.xdata.shape == y.shape and not given.is_single

        def curve_of(row: int) -> Any:
            return _curve_of_function(f, x[row], given.xdata[row] if own_places else given.xdata, y[row])
    else:
        model, used = Model.of(f, width), device_of(device)
        name, names = model.name, model.problem().model_names or [f"x{k}" for k in range(count)]

        def curve_of(row: int) -> Any:
            problem = model.problem()
            set_row(problem, y, given.xdata, deviations, row)
            problem.set_guess(np.empty(0), count)
            return _core.fit_curve(problem, np.ascontiguousarray(x[row]), "double", used)

    def chi_squared_of(row: int, residuals: Floats) -> float:
        if root is not None:
            is_there = ~np.isnan(residuals)
            found, part = residuals[is_there], root[is_there]
            return float(found @ np.linalg.solve(part @ part.T, found))
        if deviations is not None:
            residuals = residuals / (deviations if deviations.ndim == 1 else deviations[row])
        return float(np.nansum(residuals**2))

    degrees = np.maximum((~np.isnan(y)).sum(1) - count, 0)
    return draw_cells(ax, name, names, x, errors, chi_squared_of, degrees, (), y, curve_of, rows)
