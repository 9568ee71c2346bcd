"""Pictures of fits: data, curve and residuals of some rows, as the program draws them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from clopt import _core
from clopt._arguments import Floats, whole
from clopt._model_values import device_of_result
from clopt._paper import COLOURS, Paper, finite, pixels, range_around
from clopt.errors import InvalidInput

__all__ = ["Curve", "draw_cells", "draw_fits", "draw_searched_fits", "set_row"]

_BLUE, _ORANGE, _LIGHT_BLUE = COLOURS[0], COLOURS[1], COLOURS[5]
_LEFT = 84
_TITLE = 40
_ROW = 360
_MOST_PARAMETERS = 14
_MOST_BARS = 40


class Curve:
    """A row's curve: as `_core.FitCurve`, of a function of Python."""

    def __init__(self, abscissa: Floats, residuals: Floats, places: Floats, curve: Floats) -> None:
        self.abscissa, self.residuals, self.places, self.curve = abscissa, residuals, places, curve


def _value_with_error(value: float, error: float) -> str:
    """As many digits as the error has two of."""
    if math.isnan(error):
        return f"{value:.6g}"
    if error == 0:
        return f"{value:.6g} (fixed)"
    if not math.isfinite(error) or value == 0:
        return f"{value:.6g} ± {error:.2g}"
    digits = math.floor(math.log10(abs(value))) - math.floor(math.log10(error)) + 2
    return f"{value:.{min(max(digits, 2), 10)}g} ± {error:.2g}"


def _draw_row(paper: Paper, left: float, top: float, width: float, title: str, data: Floats, fit: Any) -> None:
    """Draws a row's panels."""
    is_there = np.isfinite(data) & np.isfinite(fit.abscissa)
    places, heights = fit.abscissa[is_there], data[is_there]
    off = fit.residuals[is_there]
    has_curve = len(fit.curve) > 0
    is_known = np.isfinite(off)
    has_none = "; no datum makes its residual 0" if not has_curve and is_known.any() else ""
    paper.text(left, top + 14, title + has_none, 13)
    curve = np.where(np.isfinite(fit.curve), fit.curve, np.nan)
    # A curve that has a pole does not flatten the data.
    least, most = range_around(heights)
    near = np.clip(curve, least - (most - least), most + (most - least))
    across = range_around(np.concatenate([places, fit.places[np.isfinite(curve)]]))
    above = paper.panel(left, top + 24, width, 190, "", "data and curve" if has_curve else "data")
    above.plot(fit.places, curve, color=_ORANGE, linewidth=pixels(2), zorder=2)
    above.plot(places, heights, "o", color=_BLUE, markersize=pixels(6), markeredgewidth=0, zorder=3)
    above.set_xlim(across)
    above.set_ylim(range_around(np.concatenate([heights, finite(near)])))
    below = paper.panel(left, top + 226, width, 70, "abscissa", "residuals")
    below.axhline(0, color="#888888", linewidth=pixels(1))
    below.vlines(places[is_known], 0, off[is_known], color=_BLUE, linewidth=pixels(1))
    below.plot(places[is_known], off[is_known], "o", color=_BLUE, markersize=pixels(5), markeredgewidth=0)
    below.set_xlim(across)
    below.set_ylim(range_around(np.append(finite(off), 0)))


def _rows_of(given: Optional[Sequence[int]], usual: Sequence[int], count: int, most: int) -> list[int]:
    if given is None:
        return list(usual)
    rows = [whole(row, "rows", 0, count - 1) for row in np.atleast_1d(np.asarray(given)).tolist()]
    if not 0 < len(rows) <= most:
        raise InvalidInput(f"rows: there are {len(rows)} of them; give 1 to {most}")
    return rows


def _of_row(side: Optional[ArrayLike], row: int) -> Optional[Floats]:
    """A row's places or standard deviations, of those of all rows or of each."""
    if side is None or np.ndim(side) == 1:
        return side  # type: ignore[return-value]
    return np.ascontiguousarray(np.asarray(side)[row])


def set_row(problem: Any, data: Floats, abscissa: Any, sigma: Any, row: int) -> None:
    """Gives a problem a single row."""
    problem.set_data(np.ascontiguousarray(data[row]), data.shape[1])
    for name, side in (("abscissa", abscissa), ("sigma", sigma)):
        if side is not None:
            getattr(problem, f"set_{name}")(_of_row(side, row))


def draw_cells(
    ax: Any,
    name: str,
    names: Sequence[str],
    x: Floats,
    errors: Optional[Floats],
    chi_squared_of: Callable[[int, Floats], float],
    degrees: Floats,
    statuses: Sequence[str],
    data: Floats,
    curve_of: Callable[[int], Any],
    rows: Optional[Sequence[int]],
) -> Any:
    """Draws rows, two side by side, with their parameters.

    Args:
        chi_squared_of: a row, by its number and its residuals; NaN where it has no answer.
        statuses: how rows ended, as far as that is known.
        curve_of: the curve of a row.
    """
    shown = _rows_of(rows, range(min(len(data), 6)), len(data), 12)
    columns, lines = min(len(shown), 2), -(-len(shown) // 2)
    paper = Paper(ax, 620 * columns, _TITLE + _ROW * lines)
    paper.title(_LEFT, f"fits of {name}, {len(shown)} of {len(data)} rows")
    for i, row in enumerate(shown):
        left, top = 620 * (i % 2) + _LEFT, _TITLE + _ROW * (i // 2)
        status = f": {statuses[row]}" if statuses else ""
        curve = curve_of(row)
        _draw_row(paper, left, top, 346, f"row {row + 1}{status}", data[row], curve)
        chi_squared = chi_squared_of(row, curve.residuals)
        if not math.isfinite(chi_squared):
            continue
        words = [
            f"{each} = {_value_with_error(x[row, k], math.nan if errors is None else errors[row, k])}" for k, each in enumerate(names)
        ]
        if len(words) > _MOST_PARAMETERS:
            words[_MOST_PARAMETERS - 1 :] = [f"and {len(words) + 1 - _MOST_PARAMETERS} more"]
        words += [f"χ² = {chi_squared:.5g}", f"{int(degrees[row])} degrees of freedom"]
        for k, line in enumerate(words):
            paper.text(left + 360, top + 40 + 17 * k, line, 12)
    return paper.ax


def draw_fits(result: Any, ax: Any, rows: Optional[Sequence[int]]) -> Any:
    """Draws rows of a FitResult."""
    data, x = np.atleast_2d(result.data), np.atleast_2d(result.x)
    device = device_of_result(result._devices, result.precision)

    def curve_of(row: int) -> Any:
        problem = result._recipe.problem()
        set_row(problem, data, result.abscissa, result.sigma, row)
        problem.set_guess(np.empty(0), x.shape[1])
        return _core.fit_curve(problem, np.ascontiguousarray(x[row]), result.precision, device)

    return draw_cells(
        ax,
        result.model,
        result.names,
        x,
        np.atleast_2d(result.errors) if result.errors.size else None,
        lambda row, _: float(np.atleast_1d(result.chi_squared)[row]),
        np.atleast_1d(result.degrees_of_freedom),
        [result.status_names[each] for each in result.statuses],
        data,
        curve_of,
        rows,
    )


def _usual_rows(values: Floats) -> list[tuple[int, str]]:
    """The best, the median and the worst row, each once."""
    order = np.argsort(values, kind="stable")
    rows = [(int(order[0]), "best")]
    rows += [(int(order[len(order) // 2]), "median")] if len(order) > 2 else []
    return rows + ([(int(order[-1]), "worst")] if len(order) > 1 else [])


def _draw_bars(paper: Paper, top: float, values: Floats) -> None:
    values = finite(values)
    paper.text(_LEFT, top + 14, f"sums of squared residuals of {len(values)} row{'' if len(values) == 1 else 's'}", 13)
    if len(values) == 0:
        return
    is_logarithmic = values.min() > 0 and values.max() / values.min() >= 100
    below = "log10 of the sum of squared residuals" if is_logarithmic else "sum of squared residuals"
    panel = paper.panel(_LEFT, top + 24, 736, 180, below, "rows")
    shown = np.log10(values) if is_logarithmic else values
    across = range_around(shown)
    panel.hist(shown, bins=min(_MOST_BARS, 4 + len(shown) // 4), range=across, color=_LIGHT_BLUE, rwidth=0.95)
    panel.set_xlim(across)


def draw_searched_fits(result: Any, ax: Any, rows: Optional[Sequence[int]]) -> Any:
    """Draws rows of a fit by differential evolution, and how the values of all are spread."""
    fit, values = result._fit, np.atleast_1d(result.fun)
    given = None if rows is None else [(row, "") for row in _rows_of(rows, (), len(values), 8)]
    shown = [each for each in given or _usual_rows(values) if math.isfinite(values[each[0]])]
    paper = Paper(ax, 860, _TITLE + _ROW * len(shown) + 270)
    paper.title(_LEFT, f"fits of {result.objective}")
    x, device = np.atleast_2d(result.x), device_of_result(fit.devices, fit.precision)
    for i, (row, rank) in enumerate(shown):
        problem = _core.DifferentialEvolutionProblem(fit.objective._handle, x.shape[1])
        problem.set_bounds(np.zeros(x.shape[1]), np.ones(x.shape[1]))
        set_row(problem, fit.data, fit.abscissa, fit.sigma, row)
        curve = _core.differential_evolution_curve(problem, np.ascontiguousarray(x[row]), fit.precision, device)
        title = f"row {row + 1}{f' ({rank})' if rank else ''}: sum of squares {values[row]:.5g}, parameters "
        title += " ".join(f"{each:.4g}" for each in x[row])
        _draw_row(paper, _LEFT, _TITLE + _ROW * i, 736, title, fit.data[row], curve)
    _draw_bars(paper, _TITLE + _ROW * len(shown), values)
    return paper.ax
