"""Tours: the shortest round trip through cities, or the shortest path."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _genetic, _run, _solver
from clopt._arguments import Path, numbers, path_of, whole
from clopt.errors import InvalidInput

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from clopt import _options

__all__ = ["TourResult", "tour"]


@dataclass(frozen=True, eq=False)
class TourResult(_genetic.GeneticResult):
    """The shortest trip that was found. `fun` is its length; `x` and `population` are individuals of the search."""

    route: NDArray[np.int64]
    """The cities from 0 on, in order, shape (cities,)."""
    legs: NDArray[np.float64]
    """The length from each city to the next; of a round trip also from the last to the first."""
    length: float
    """Their sum."""
    open: bool
    """Whether the trip does not return to where it began."""
    names: tuple[str, ...]
    """Of the cities; empty where there are none."""
    places: Optional[NDArray[np.float64]]
    """Of the cities, shape (cities, 2); None where there is only a matrix."""
    geographical: bool
    """Whether places are latitudes and longitudes, in degrees."""

    def _tables(self, first: int = 0) -> dict[str, Mapping[str, Any]]:
        order = self.route if self.open else np.append(self.route, self.route[0])
        route: dict[str, Any] = {"position": np.arange(len(order)) + first, "city": order + first}
        if self.names:
            route["name"] = [self.names[city] for city in order]
        if self.places is not None:
            columns = ("latitude", "longitude") if self.geographical else ("x", "y")
            route.update(zip(columns, self.places[order].T))
        legs = np.append(0.0, self.legs)
        decimals = int(self.settings["decimals"])
        return {"route": {**route, "leg": legs, "sum": np.round(np.cumsum(legs), decimals)}, **super()._tables()}

    def _file_tables(self) -> dict[str, Mapping[str, Any]]:
        # As the program writes it, whose rows and cities are counted from 1.
        return self._tables(1)


def _city(value: Any, name: str, count: Optional[int]) -> Union[int, str, None]:
    """A city's name, or its number from 0 on; None where it may be any."""
    if value is None or isinstance(value, str):
        return value or None
    advice = "a city's name, or its number from 0 on"
    if isinstance(value, (bool, np.bool_)):
        raise InvalidInput(f"{name}={value!r}: give {advice}")
    return whole(value, name, 0, (count or 4000000) - 1, advice)


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidInput(f"{name}={value!r}: give True or False")
    return bool(value)


def _cities_of(cities: Any, geographical: bool) -> tuple[Any, Optional[int], bool]:
    """Cities as the library takes them, how many there are, and whether they are a matrix."""
    if isinstance(cities, (str, os.PathLike)):
        if geographical:
            raise InvalidInput("geographical belongs to an array of places, and the file says what its are; leave it out")
        return path_of(cities, "cities"), None, False
    array = numbers(cities, "cities")
    if array.ndim != 2 or array.shape[1] not in (2, array.shape[0]):
        raise InvalidInput(f"cities have the shape {array.shape}; give (n, 2), places, or (n, n), lengths")
    is_matrix = array.shape[1] != 2
    if is_matrix and geographical:
        raise InvalidInput("geographical belongs to places, and cities are a matrix; leave it out")
    return array.reshape(-1), len(array), is_matrix


@functools.partial(_solver.solver, table_of="genetic")
def tour(
    cities: Union[ArrayLike, Path],
    *,
    start: Union[int, str, None] = None,
    end: Union[int, str, None] = None,
    open: bool = False,
    decimals: int = 0,
    geographical: bool = False,
    names: Optional[Sequence[str]] = None,
    initial: Optional[ArrayLike] = None,
    runs: int = 1,
    **options: Unpack[_options.GeneticOptions],
) -> TourResult:
    """Searches for the shortest trip through cities, by `genetic` with local search.

    Lengths are whole numbers of units, of 1 or, with `decimals`, of 10**-decimals: one seed gives the same trip on every
    device. A warning says where rounding may change the answer. Time and memory: as `genetic`, and
    O(cities**2); O(cities log cities) of round trips through more than 1500 places.

    Args:
        cities: places, shape (n, 2), between which lengths are Euclidean; a matrix of lengths, shape (n, n), from the row's
            city to the column's, which may be asymmetric; or a file: CSV or TSPLIB, see docs/genetic.md. 3 to 20000 cities;
            of round trips through places 4000000.
        start: where the trip begins: a city's number from 0 on, or its name; None: with city 0, of an open trip anywhere.
        end: where an open trip ends; None: anywhere.
        open: the trip does not return to where it began.
        decimals: digits behind the point to which lengths are rounded, 0 to 6. Lengths come to at most 2**24 units, and
            those of n cities to 2**31.
        geographical: places are latitudes and longitudes in degrees, and lengths km along great circles.
        names: of the cities, one each; None: those of the file.
        initial: trips to begin with, shape (individuals, n); what is missing is drawn.
        runs: with seeds one after the other; the result is that of the best one, `trials` and `summary` are of all.

    Raises: as `genetic`.

    Sources: J. Bentley, ORSA Journal on Computing 4 (1992), for the local search; docs/designs/genetic.md describes
    how open trips become round trips.
    """
    run, given = _solver.split(tour, options)
    runs = whole(runs, "runs", 1, 10**6)
    _run.refuse_with_runs(runs, run)
    data, count, is_matrix = _cities_of(cities, _flag(geographical, "geographical"))
    if names is not None and (isinstance(names, str) or not isinstance(names, (Sequence, np.ndarray))):
        raise InvalidInput(f"names={names!r}: give a list of texts, one for each city")
    labels = [str(each) for each in names] if names is not None else []
    if labels and count is not None and len(labels) != count:
        raise InvalidInput(f"there are {len(labels)} names and {count} cities; give one for each")
    decimals = whole(decimals, "decimals", 0, 6)
    start, end = _city(start, "start", count), _city(end, "end", count)
    trip = {"open": _flag(open, "open"), "decimals": decimals}
    if end is not None and not open:
        raise InvalidInput(f"end={end!r}, and a round trip ends where it begins; give `open`, or leave `end` out")
    if end is not None and end == start:
        raise InvalidInput(f"start and end are both {end!r}; give two cities, or a round trip without `open` and `end`")
    made = _core.Tour(data, is_matrix, geographical, labels, start, end, trip)
    if made.warning:
        warnings.warn(made.warning, stacklevel=3)
    scale = 10**decimals
    if given.get("target") is not None:
        if isinstance(given["target"], str) or np.ndim(given["target"]) != 0:
            raise InvalidInput(f"target={given['target']!r}: give a number")
        given["target"] = float(np.floor(given["target"] * scale + 1e-6))

    def more(genes: NDArray[Any]) -> dict[str, Any]:
        route, legs, length = made.route(np.asarray(genes, dtype=np.float64))
        return {
            "route": route,
            "legs": legs,
            "length": length,
            "open": trip["open"],
            "names": tuple(made.names),
            "places": made.places,
            "geographical": made.geographical,
        }

    result = _genetic._evolve(
        TourResult,
        made.problem,
        given,
        run,
        _core.Control(),
        initial=None if initial is None else _individuals(made, initial),
        runs=runs,
        device=run["device"],
        unit=1 / scale,
        more=more,
    )
    object.__setattr__(result, "settings", {**result.settings, "start": start, "end": end, **trip})
    return result


def _individuals(made: _core.Tour, initial: ArrayLike) -> NDArray[np.float64]:
    """The individuals of trips."""
    trips = numbers(initial, "initial")
    if trips.ndim != 2 or trips.shape[1] != made.cities:
        raise InvalidInput(f"initial has the shape {trips.shape}; give (individuals, {made.cities})")
    if not np.array_equal(np.sort(trips, axis=1), np.broadcast_to(np.arange(made.cities), trips.shape)):
        raise InvalidInput("initial has a row that is not a trip through all cities; give each city once")
    return np.array([made.genes(each) for each in trips.astype(np.int64)])
