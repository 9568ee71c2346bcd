"""Pictures laid out in pixels, as the program lays out its own."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from clopt._arguments import Floats

__all__ = ["COLOURS", "Paper", "new_axes", "range_around"]

# Those of the program.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
_GRID = "#e6e6e6"
_POINTS = 0.72  # of a pixel, at 100 a inch


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot() draws by matplotlib, which is not there; pip install matplotlib", name="matplotlib") from None
    return pyplot


def new_axes() -> Any:
    """The Axes of a new figure, whose curves have the program's colours."""
    ax = _pyplot().subplots(layout="constrained")[1]
    ax.set_prop_cycle(color=COLOURS)
    return ax


def range_around(numbers: Any) -> tuple[float, float]:
    """The least and the greatest of finite numbers, and a twentieth around them; from 0 to 1 without any."""
    found = np.asarray(numbers, dtype=np.float64)
    found = found[np.isfinite(found)]
    if len(found) == 0:
        return 0.0, 1.0
    least, most = float(found.min()), float(found.max())
    margin = (most / 2 - least / 2) / 10 or (1.0 if least == 0 else abs(least) / 10)
    return least - margin, most + margin


class Paper:
    """A picture of several panels.

    Args:
        ax: the Axes that it fills; None: those of a new figure, of which they take all.
    """

    def __init__(self, ax: Optional[Any], width: float, height: float) -> None:
        if ax is None:
            ax = _pyplot().figure(figsize=(width / 100, height / 100)).add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        self.ax, self._width, self._height = ax, width, height

    def title(self, left: float, words: str) -> None:
        place = {"x": left / self._width, "y": 1 - 26 / self._height, "ha": "left", "va": "baseline"}
        self.ax.set_title(words, pad=0, fontsize=15 * _POINTS, **place)

    def text(self, left: float, baseline: float, words: str, size: float) -> None:
        place = (left / self._width, 1 - baseline / self._height)
        self.ax.text(*place, words, transform=self.ax.transAxes, fontsize=size * _POINTS)

    def panel(self, left: float, top: float, width: float, height: float, below: str, beside: str) -> Any:
        """Axes within it, with titles; without one below they have no numbers there."""
        whole_width, whole_height = self._width, self._height
        bounds = (left / whole_width, 1 - (top + height) / whole_height, width / whole_width, height / whole_height)
        panel = self.ax.inset_axes(bounds)
        panel.set_facecolor("none")
        panel.set_axisbelow(True)
        panel.grid(color=_GRID, linewidth=_POINTS)
        panel.spines[["top", "right"]].set_visible(False)
        panel.tick_params(length=0, labelsize=11 * _POINTS, labelbottom=bool(below))
        panel.set_xlabel(below, fontsize=12 * _POINTS)
        panel.set_ylabel(beside, fontsize=12 * _POINTS)
        panel.yaxis.set_label_coords(-62 / width, 0.5)
        return panel


def pixels(size: float) -> float:
    """What matplotlib calls a size in pixels."""
    return size * _POINTS


def finite(values: Floats) -> Floats:
    """The numbers among values."""
    return values[np.isfinite(values)]
