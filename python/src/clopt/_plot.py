"""Pictures of results by matplotlib, which is imported when the first one is drawn."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from clopt._fit_plot import draw_fits, draw_searched_fits
from clopt._paper import COLOURS, new_axes, pixels
from clopt.errors import InvalidInput

__all__ = ["draw"]

# A table that is longer has no name at each row.
_NAMED_ROWS = 48
# More slots of a schedule have no networks of their own.
_MOST_STEPS = 36
_BLUE, _ORANGE = COLOURS[:2]
# The curves of the generations, and how the program draws them.
_CURVES = {"best_so_far": "best so far", "best": "best", "mean": "mean", "worst": "worst"}
_DASHES: list[Any] = ["-", (0, (7 / 1.5, 5 / 1.5)), (0, (2 / 1.5, 4 / 1.5)), (0, (9 / 1.5, 3 / 1.5, 2 / 1.5, 3 / 1.5))]


def _set_scale(ax: Any, *values: Any) -> bool:
    """A logarithmic axis where values span three powers of ten or more, as in the program. Gives whether it is one."""
    numbers = np.concatenate([np.ravel(each) for each in values])
    numbers = numbers[np.isfinite(numbers)]
    positive = numbers[numbers > 0]
    is_wide = len(positive) > 0 and numbers.min() >= 0 and numbers.max() >= 1000 * positive.min()
    if is_wide:
        ax.set_yscale("log")
    return bool(is_wide)


def _count_on(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))


def _last_part(name: str) -> str:
    """Of a file the last part of its path."""
    return os.path.basename(name.rstrip("/")) or name


def _title_of_run(result: Any) -> str:
    """The title of the program's picture of a run; empty where it has none."""
    kind = type(result).__name__
    if kind == "DifferentialEvolutionResult":
        return f"differential-evolution on {_last_part(result.objective)}"
    if kind in ("GeneticResult", "TourResult"):
        individuals = f"{result.settings['population']} individuals"
        return f"{_last_part(result.objective)}, {len(result.x)} genes, {individuals}, seed {result.seed}"
    if kind == "EcgaResult":
        individuals = f"{'at least ' if result._grows else ''}{result.trials[0].population} individuals"
        return f"{_last_part(result.objective)}, {len(result.x)} loci, {individuals}, seed {result.seed}"
    return ""


def _statistics(result: Any, ax: Any) -> None:
    table: Mapping[str, Any] = result.statistics
    islands = np.unique(table["island"]) if "island" in table else np.array([0])
    if len(islands) > 1:
        for island in islands:
            rows = table["island"] == island
            ax.plot(table["nit"][rows], table["best"][rows], label=f"island {int(island)}")
        is_logarithmic = _set_scale(ax, table["best"])
    else:
        names = [name for name in _CURVES if name in table]
        if all(np.array_equal(table[name], table["best"]) for name in names):
            names = ["best"]
        for k, name in enumerate(names):
            # The next colour of the Axes, which may have curves of other results.
            ax.plot(table["nit"], table[name], label=_CURVES[name], linestyle=_DASHES[k], linewidth=pixels(1.5 if k else 3))
        is_logarithmic = _set_scale(ax, *(table[name] for name in names))
    if len(islands) <= 10:
        ax.legend()
    _count_on(ax.xaxis)
    ax.set_xlabel("generation")
    value = "fitness" if type(result).__name__ == "EcgaResult" else "value"
    ax.set_ylabel(value + (", logarithmic" if is_logarithmic else ""))


def _prefix(result: Any) -> str:
    """What the result is of, before the rest of a title."""
    name = getattr(result, "objective", None) or (result.model if type(result).__name__ == "FitResult" else "")
    return f"{_last_part(name)}: " if name else ""


def _values(result: Any, ax: Any) -> None:
    values = np.sort(result.fun)
    ax.plot(np.arange(1, len(values) + 1), values, ".-" if len(values) <= _NAMED_ROWS else "-")
    _set_scale(ax, values)
    _count_on(ax.xaxis)
    ax.set_xlabel("problems, the best first")
    ax.set_ylabel("value")


def _parameters(result: Any, ax: Any) -> None:
    x = np.atleast_2d(result.x)
    places = np.arange(x.shape[1])
    names = getattr(result, "names", None)
    if len(x) == 1:
        errors = np.atleast_2d(result.errors)[0] if result.errors.size > 0 else None
        if errors is not None and not np.all(np.isfinite(errors)):
            errors = None
        ax.errorbar(places, x[0], yerr=errors, fmt="o", capsize=3)
    else:
        x = x[np.isfinite(x).all(axis=1)]
        ax.boxplot(x, positions=places, showfliers=False, manage_ticks=False)
        ax.set_title(f"{_prefix(result)}parameters of {len(x)} problems: median, quartiles, range", fontsize="medium")
    if names:  # of units of their own
        _set_scale(ax, x)
    if len(places) <= _NAMED_ROWS:
        ax.set_xticks(places, names)
    ax.set_xlabel("parameter")
    ax.set_ylabel("value")


def _chi_squared(result: Any, ax: Any) -> None:
    values = np.asarray(result.reduced_chi_squared)
    values = values[np.isfinite(values)]
    # The few rows that fit badly stand in the last bar.
    most = np.percentile(values, 99.5) if len(values) > 0 else 1.0
    ax.hist(np.minimum(values, most), color=_BLUE, bins=min(100, 5 + len(values) // 10))
    ax.set_xlabel("chi squared over the degrees of freedom")
    ax.set_ylabel("rows")


def _genes(result: Any, ax: Any) -> None:
    x = np.asarray(result.x)
    if x.dtype.kind != "f" and np.array_equal(np.sort(x), np.arange(len(x))) and len(x) > 2:
        ax.plot(np.arange(len(x)), x, ".")
        ax.set_xlabel("place in the order")
        ax.set_ylabel("item")
    elif x.dtype.kind != "f" and set(np.unique(x)) <= {0, 1}:
        # Rows of as many bits as a square has.
        columns = int(np.ceil(np.sqrt(len(x))))
        cells = np.full(columns * -(-len(x) // columns), np.nan)
        cells[: len(x)] = x
        ax.imshow(cells.reshape(-1, columns), cmap="Greys", vmin=-0.15, vmax=1)
        ax.set_xlabel(f"bit, {columns} a row")
        ax.set_ylabel("row")
    else:
        ax.plot(np.arange(len(x)), x, "o" if len(x) <= _NAMED_ROWS else ".")
        ax.axhline(0, color="0.8", zorder=0)
        ax.set_xlabel("gene")
        ax.set_ylabel("value")


def _map(result: Any, ax: Any) -> None:
    places = np.asarray(result.places)
    if result.geographical:
        places = places[:, ::-1]
        middle = (places[:, 1].min() + places[:, 1].max()) / 2
        ax.set_aspect(1 / np.cos(np.radians(min(abs(middle), 80.0))))
    else:
        ax.set_aspect("equal")
    order = result.route if result.open else np.append(result.route, result.route[0])
    ax.plot(*places[order].T, "-", color=_BLUE, linewidth=1)
    ax.plot(*places.T, "o" if len(places) <= _NAMED_ROWS else ".", color="black", markersize=3)
    ax.plot(*places[order[:1]].T, "o", color=_ORANGE)
    if result.names and len(places) <= _NAMED_ROWS:
        for name, place in zip(result.names, places):
            ax.annotate(name, place, fontsize="small")
    ax.set_xlabel("longitude" if result.geographical else "x")
    ax.set_ylabel("latitude" if result.geographical else "y")
    ax.set_title(f"a trip of {result.length:.15g}, {len(places)} cities")


def _model(result: Any, ax: Any) -> None:
    length = len(result.x)
    cells = np.zeros((length, length))
    for group in result.model:
        cells[np.ix_(group, group)] = len(group)
    image = ax.imshow(np.ma.masked_equal(cells, 0), cmap="viridis_r", vmin=1, vmax=max(2, cells.max()))
    bar = ax.figure.colorbar(image, ax=ax, label="loci of the group")
    bar.set_ticks(np.arange(1, int(max(2, cells.max())) + 1))
    ax.set_xlabel("locus")
    ax.set_ylabel("locus")


def _methods(result: Any, ax: Any) -> None:
    names = [name for name, _, _, _ in result.candidates]
    seconds = np.array([each for _, each, _, _ in result.candidates])
    colours = [
        _ORANGE if name == result.method else _BLUE if available else "0.8" for name, _, _, available in result.candidates
    ]
    ax.barh(np.arange(len(names)), seconds, color=colours)
    ax.set_yticks(np.arange(len(names)), names)
    ax.invert_yaxis()
    ax.set_xscale("log")
    ax.set_xlabel("seconds predicted (orange: used, grey: cannot be used)")


def _items(result: Any, ax: Any) -> None:
    ax.step(np.append(0, result.indices), np.arange(len(result.indices) + 1), where="post")
    _count_on(ax.xaxis)
    _count_on(ax.yaxis)
    ax.set_xlabel("item")
    ax.set_ylabel("items chosen up to it")


def _weights(result: Any, ax: Any, weights: Any) -> None:
    order = np.argsort(weights, kind="stable")[::-1]
    is_chosen = np.isin(order, result.indices)
    places = np.arange(len(order))
    for chosen, name, colour in ((True, "chosen", _BLUE), (False, "left", "0.8")):
        rows = is_chosen == chosen
        if len(order) <= 4 * _NAMED_ROWS:
            ax.bar(places[rows], weights[order][rows], color=colour, width=0.9, label=name)
        else:
            ax.plot(places[rows], weights[order][rows], "|", color=colour, label=name)
    ax.legend()
    _count_on(ax.xaxis)
    ax.set_xlabel("item, the heaviest first")
    ax.set_ylabel("weight")


def _cells(result: Any) -> dict[tuple[int, int], tuple[int, int]]:
    """What channels carry: (sender, messages) by channel and slot. Messages over a link take its parallel channels by
    turns, as in the program's picture."""
    rows: dict[tuple[int, int], list[int]] = {}
    for row, link in enumerate(result.links.tolist()):
        rows.setdefault(tuple(link), []).append(row)
    taken: Counter[Any] = Counter()
    cells: dict[tuple[int, int], tuple[int, int]] = {}
    for k, slot in enumerate(result.slots.tolist()):
        path = result.path(k).tolist()
        for link in zip(path, path[1:]):
            row = rows[link][taken[link, slot] % len(rows[link])]
            taken[link, slot] += 1
            cells[row, slot] = (int(result.transfers[k][0]), cells.get((row, slot), (0, 0))[1] + 1)
    return cells


def _colour_of(sender: int) -> Any:
    """Neighbouring senders get colours far apart: the golden angle."""
    from colorsys import hls_to_rgb

    return hls_to_rgb(sender * 137.508 % 360 / 360, 0.55, 0.65)


def _title_of_schedule(result: Any, cells: Mapping[Any, tuple[int, int]], more: str = "") -> str:
    clashes = sum(uses > 1 for _, uses in cells.values())
    conflicts = f", with {clashes} conflicts" if clashes > 1 else ", with a conflict" if clashes == 1 else ""
    return f"{os.path.basename(result.topology)}, {result.pattern} in {result.steps} slots{more}{conflicts}"


def _links(result: Any, ax: Any) -> None:
    from matplotlib.patches import Patch

    cells = _cells(result)
    image = np.ones((len(result.links), max(1, result.steps), 3))
    for (row, slot), (sender, uses) in cells.items():
        image[row, slot] = (0, 0, 0) if uses > 1 else _colour_of(sender)
    ax.imshow(image, aspect="auto", interpolation="nearest")
    names = result.labels if result.labels is not None else range(result.nodes)
    if len(result.links) <= _NAMED_ROWS:
        labels = [f"{names[int(a)]} → {names[int(b)]}" for a, b in result.links]
        ax.set_yticks(range(len(labels)), labels, fontsize=min(8.0, 260 / len(labels)))
    if result.steps <= _NAMED_ROWS:
        ax.set_xticks(range(result.steps))
    ax.set_xlabel("slot")
    ax.set_ylabel("channel, coloured by sender")
    senders = sorted({sender for sender, uses in cells.values() if uses == 1})
    legend = [Patch(color="black", label="conflict")] if any(uses > 1 for _, uses in cells.values()) else []
    if len(senders) <= _NAMED_ROWS:
        legend += [Patch(color=_colour_of(sender), label=f"from {names[sender]}") for sender in senders]
    if legend:
        ax.legend(
            handles=legend, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=6, frameon=False, fontsize="small"
        )
    ax.set_title(_title_of_schedule(result, cells), fontsize="medium")


def _places_of(result: Any) -> Any:
    """Where nodes are drawn: those of a mesh or torus of two dimensions as a grid, others on a circle."""
    nodes = np.arange(result.nodes)
    kind, _, sides = result.topology.partition(":")
    rows, _, columns = sides.partition("x")
    if kind in ("mesh", "torus") and rows.isdigit() and columns.isdigit() and int(rows) * int(columns) == result.nodes:
        return np.stack([nodes % int(columns), -(nodes // int(columns))], axis=1).astype(float)
    turn = np.pi / 2 - 2 * np.pi * nodes / result.nodes
    return np.stack([np.cos(turn), np.sin(turn)], axis=1)


def _steps(result: Any, ax: Any) -> None:
    places = _places_of(result)
    shown = min(result.steps, _MOST_STEPS)
    columns = max(1, int(np.ceil(np.sqrt(shown))))
    rows = -(-shown // columns)
    reach = np.abs(places - places.mean(axis=0)).max() + 0.4
    ax.set_axis_off()
    for slot in range(shown):
        row, column = divmod(slot, columns)
        panel = ax.inset_axes((column / columns, 1 - (row + 1) / rows, 0.96 / columns, 0.88 / rows))
        for link in np.unique(result.links, axis=0):
            panel.plot(*places[link].T, color="0.9", linewidth=0.8, zorder=1)
        for k in np.flatnonzero(result.slots == slot):
            path = places[result.path(int(k))]
            colour = _colour_of(int(result.transfers[k][0]))
            for begin, end in zip(path, path[1:]):
                arrow = {"arrowstyle": "->", "color": colour, "shrinkA": 2, "shrinkB": 2, "connectionstyle": "arc3,rad=0.12"}
                panel.annotate("", end, begin, arrowprops=arrow, zorder=2)
        panel.plot(*places.T, "o", color="0.3", markersize=3, zorder=3)
        panel.set_title(f"slot {slot}", fontsize="small", pad=2)
        panel.set_aspect("equal")
        panel.set_xlim(places[:, 0].mean() - reach, places[:, 0].mean() + reach)
        panel.set_ylim(places[:, 1].mean() - reach, places[:, 1].mean() + reach)
        panel.set_axis_off()
    more = f", of which the first {shown} are shown" if shown < result.steps else ""
    ax.set_title(_title_of_schedule(result, _cells(result), more), fontsize="medium")


Drawing = Callable[..., Any]

# The pictures of each solver's result, and the attribute without which there is none; the first that can be drawn is
# the usual one.
_PICTURES: dict[str, dict[str, tuple[Drawing, Optional[str]]]] = {
    "DifferentialEvolutionResult": {
        "fit": (draw_searched_fits, "_fit"),
        "statistics": (_statistics, "statistics"),
        "values": (_values, "fun"),
        "parameters": (_parameters, None),
    },
    "FitResult": {"fit": (draw_fits, None), "chi_squared": (_chi_squared, "chi_squared"), "parameters": (_parameters, None)},
    "GeneticResult": {"statistics": (_statistics, "statistics"), "genes": (_genes, None)},
    "TourResult": {
        "map": (_map, "places"),
        "statistics": (_statistics, "statistics"),
        "genes": (_genes, None),
    },
    "EcgaResult": {"model": (_model, None), "statistics": (_statistics, "statistics")},
    "SubsetSumResult": {"methods": (_methods, "candidates"), "items": (_items, None)},
    "ExchangeResult": {"links": (_links, None), "steps": (_steps, None), "statistics": (_statistics, "statistics")},
}


def _can_draw(result: Any, needs: Optional[str]) -> bool:
    if needs is None:
        return True
    has = getattr(result, needs)
    if needs in ("places", "_fit"):
        return has is not None
    return np.ndim(has) != 0 if needs in ("fun", "chi_squared") else bool(has)


def _weights_of(result: Any, weights: ArrayLike) -> Any:
    array = np.asarray(weights)
    if "SubsetSumResult" != type(result).__name__:
        raise InvalidInput("weights belong to results of subset_sum; leave them out")
    if array.ndim != 1 or (len(result.indices) > 0 and int(result.indices[-1]) >= len(array)):
        raise InvalidInput(f"weights have the shape {array.shape}; give those of the instance, one axis of numbers")
    return array


def draw(result: Any, what: Optional[str], ax: Any, weights: Optional[ArrayLike], rows: Optional[Sequence[int]]) -> Any:
    """Draws a picture of a result; `clopt.RunResult.plot` lists them."""
    pictures = _PICTURES[type(result).__name__]
    drawn = _weights_of(result, weights) if weights is not None else None
    if what is None:
        what = "weights" if drawn is not None else next(n for n, (_, needs) in pictures.items() if _can_draw(result, needs))
    if what != "weights" and what not in pictures:
        raise InvalidInput(f"what={what!r}: this result has the pictures {', '.join(pictures)}")
    if what == "weights" and drawn is None:
        raise InvalidInput("what='weights': give the weights of the instance too")
    if what == "statistics" and result.statistics is None:
        raise InvalidInput("what='statistics': solve with statistics=True")
    if what != "weights" and not _can_draw(result, pictures[what][1]):
        raise InvalidInput(f"what={what!r}: this result has nothing for it")
    if what == "fit":
        return pictures[what][0](result, ax, rows)
    if rows is not None:
        raise InvalidInput(f"rows belong to the picture 'fit', and this one is {what!r}; leave them out")
    if ax is None:
        ax = new_axes()
    if what == "weights":
        _weights(result, ax, drawn)
    else:
        pictures[what][0](result, ax)
    if not ax.get_title():
        value = getattr(result, "fun", "")
        summary = f"best value {value:g}; " if isinstance(value, float) else ""
        if getattr(result, "value", None) is not None:
            summary = f"sum {result.value}; "
        usual = _title_of_run(result) if what == "statistics" else ""
        ax.set_title(usual or _prefix(result) + summary + result.message, fontsize="medium")
    return ax
