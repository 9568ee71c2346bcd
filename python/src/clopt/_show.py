"""How results and devices are shown: as text, and as a table in a notebook."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

__all__ = ["DeviceList", "as_html", "as_text"]

# The members of each solver's result that are its answer; what all results have follows them.
_ANSWERS: dict[str, tuple[str, ...]] = {
    "DifferentialEvolutionResult": ("objective", "x", "fun", "converged", "nit", "nfev"),
    "EcgaResult": ("objective", "x", "fun", "model", "population", "nfev"),
    "ExchangeResult": ("topology", "pattern", "steps", "bound", "conflicts", "nfev"),
    "FitResult": ("model", "x", "errors", "reduced_chi_squared", "converged", "precision"),
    "GeneticResult": ("objective", "x", "fun", "nit", "nfev"),
    "TourResult": ("route", "length", "open", "nit", "nfev"),
    "SubsetSumResult": ("profit", "value", "indices", "optimal", "fewest", "subsets", "unique"),
}
# Longer texts, and arrays of more numbers, are shown in part.
_MOST_CHARACTERS = 80
_MOST_NUMBERS = 8


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 4] + " ..."


def _of_array(array: np.ndarray[Any, Any]) -> str:
    if array.size == 0:
        return "none"
    if array.ndim == 1 and array.dtype == bool:
        return f"{np.count_nonzero(array)} of {len(array)}"
    values = np.array2string(array, precision=6, threshold=_MOST_NUMBERS, edgeitems=2, max_line_width=10**6)
    if array.ndim == 1 and array.size <= _MOST_NUMBERS:
        return values
    return f"{_cut(values) if array.ndim == 1 else array.dtype}, shape {array.shape}"


def _of_list(values: Sequence[Any]) -> str:
    # Only what is shown is written: a model may have a million loci.
    first = [value.tolist() if isinstance(value, np.ndarray) else value for value in values[:_MOST_NUMBERS]]
    text = ", ".join(map(str, first))
    if len(values) > len(first) or len(text) > _MOST_CHARACTERS:
        return f"{len(values)}: {_cut(text + ', ...')}"
    return f"{len(values)}: {text}"


def _value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return _of_array(value)
    if isinstance(value, (tuple, list)):
        return _of_list(value)
    return _cut(str(value))


def _is_shown(value: Any) -> bool:
    return value is not None and not (isinstance(value, (tuple, np.ndarray)) and len(value) == 0)


def _rows(result: Any) -> Iterator[tuple[str, str]]:
    yield "success", f"{result.success}: {result.message}"
    for name in _ANSWERS[type(result).__name__]:
        value = getattr(result, name)
        if name == "converged" and np.ndim(value) == 1:
            value = np.asarray(value, dtype=bool)
        if name == "indices" or _is_shown(value):
            yield name, _value(value)
    if (trials := getattr(result, "trials", ())) and len(trials) > 1:
        yield "runs", f"{result.summary.runs}, {result.summary.successes} with success; median {result.summary.median}"
    yield "method", _cut(result.method)
    yield "seconds", f"{result.seconds.total:.3g}, of which {result.seconds.compute:.3g} computing"
    if hasattr(result, "seed"):
        yield "seed", str(result.seed)


def as_text(result: Any) -> str:
    """A result in at most a dozen lines: what is long is shown in part."""
    rows = list(_rows(result))
    width = max(len(name) for name, _ in rows)
    return "\n".join([type(result).__name__, *(f"{name:>{width + 2}}: {value}" for name, value in rows)])


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f'<{tag} style="text-align:left">{html.escape(each)}</{tag}>' for each in cells) + "</tr>"

    return "<table>" + "".join([line(heading, "th"), *(line(row, "td") for row in rows)]) + "</table>"


def as_html(result: Any) -> str:
    """The same as a table of HTML."""
    return _table((type(result).__name__, ""), list(_rows(result)))


class DeviceList(list[Any]):
    """A list of `DeviceInfo` that is shown as a table."""

    _HEADING = ("id", "name", "kind", "compute units", "memory", "doubles")

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                each.id,
                each.name,
                each.kind,
                str(each.compute_units),
                f"{each.global_memory_bytes / 2**30:.1f} GiB",
                "yes" if each.has_double else "no",
            )
            for each in self
        ]

    def __repr__(self) -> str:
        rows = [self._HEADING, *self._rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(len(self._HEADING))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        return _table(self._HEADING, self._rows())
