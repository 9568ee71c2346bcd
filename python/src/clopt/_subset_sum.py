"""Exact subset-sum."""

from __future__ import annotations

import os
from dataclasses import dataclass
from decimal import Context, Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _run, _solver
from clopt._arguments import Path, text_of, whole
from clopt.errors import InvalidInput

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from clopt import _options

__all__ = ["SubsetSumResult", "read_amounts", "subset_sum", "subset_sum_instance"]


@dataclass(frozen=True, eq=False)
class SubsetSumResult(_run.RunResult):
    """An answer, added up again and checked."""

    value: Union[int, Decimal]
    """The sum of the chosen weights, at most the capacity or, with `at_least`, not below it; a decimal.Decimal where
    weights or capacity have decimals. 0 where it is not `possible`."""
    profit: Union[int, Decimal, None]
    """With `profits`: the sum of those of the chosen weights, of which value is the weight then; else None."""
    possible: bool
    """Whether any subset is as it is asked for."""
    reached: bool
    """Whether value is the capacity, or within the tolerance of it."""
    zeros: int
    """Weights that are zero, which change no sum and are never chosen."""
    indices: NDArray[np.uint64]
    """Of the chosen weights, from 0, ascending."""
    optimal: bool
    """Whether value, or profit, is proven to be the largest possible."""
    fewest: Optional[bool]
    """With `fewest`: whether no subset with that sum has fewer numbers; None: not known."""
    subsets: tuple[NDArray[np.uint64], ...]
    """With `all`: different subsets with that sum, each as `indices`."""
    more: Optional[bool]
    """Whether there are others than `subsets`; None: not known, or not asked for."""
    unique: Optional[bool]
    """Whether `indices` is the only subset with that sum, among those that are asked for; None: not known, or not asked
    for."""
    proof: str
    """ "none", "everything-fits", "capacity-reached", "divisor" or "exhaustive"."""
    candidates: tuple[tuple[str, float, float, bool], ...]
    """What method "auto" compared: (method, seconds predicted, bytes at most, whether they are available)."""
    capacities_swept: int
    """Capacities times items that the method worked through."""


MOST = 2**63 - 1
# Amounts have at most 37 digits. The caller's own context may round them.
EXACT = Context(prec=40)


def _exact(value: Any, name: str) -> Decimal:
    """A number without rounding."""
    try:
        if isinstance(value, (str, Decimal)) or (isinstance(value, int) and not isinstance(value, bool)):
            number = Decimal(value)
            if number.is_finite() and number.adjusted() < 19 and number.as_tuple().exponent >= -18:  # type: ignore[operator]
                return number
    except InvalidOperation:
        pass
    raise InvalidInput(
        f"{name} is {value!r}; give a whole number, or decimals as a text such as '12.50' or as a decimal.Decimal, of "
        "at most 2**63-1 without the point"
    )


def _amounts(
    weights: ArrayLike, capacity: Any, tolerance: Any, name: str = "weight"
) -> tuple[NDArray[np.int64], int, int, int]:
    """Weights, capacity and tolerance in units of 10**-decimals, and the decimals before the last."""
    if isinstance(weights, np.ma.MaskedArray) and np.ma.is_masked(weights):
        raise InvalidInput(f"{name}s are masked; give those that count alone")
    array = np.asarray(weights)
    if array.size == 0:
        raise InvalidInput(f"there are no {name}s; give at least one")
    if array.ndim != 1 or array.dtype.kind not in "iuUO":
        raise InvalidInput(
            f"{name}s are of {array.dtype} and the shape {array.shape}; give one axis of whole numbers, or of decimals as "
            "texts or as decimal.Decimal, which are exact"
        )
    if isinstance(capacity, np.integer):
        capacity = int(capacity)
    if isinstance(tolerance, np.integer):
        tolerance = int(tolerance)
    limit = _exact(capacity, "capacity")
    within = _exact(tolerance, "tolerance")
    if array.dtype.kind in "iu" and isinstance(capacity, int) and isinstance(tolerance, int):
        if -MOST <= int(array.min()) and int(array.max()) <= MOST and abs(capacity) <= MOST and abs(tolerance) <= MOST:
            return np.ascontiguousarray(array, dtype=np.int64), capacity, 0, tolerance
        raise InvalidInput(f"{name}s and capacity are whole numbers of at most 2**63-1; give smaller ones")
    numbers = [limit, within, *(_exact(each, f"{name} {i}") for i, each in enumerate(array.tolist()))]
    decimals = max(0, *(-int(each.as_tuple().exponent) for each in numbers))
    units = [int(each.scaleb(decimals, EXACT)) for each in numbers]
    if max(map(abs, units)) > MOST:
        raise InvalidInput(f"with {decimals} decimals a number passes 2**63-1; give fewer decimals")
    return np.array(units[2:], dtype=np.int64), units[0], decimals, units[1]


def _sum_of_first(weights: NDArray[np.uint64], capacity: int) -> int:
    """A sum that is possible: of the first weights, without those that are too heavy, as long as they fit. O(n)."""
    sums = np.cumsum(weights[weights <= capacity])
    # The first that is too large is below 2**64; later ones may have wrapped around.
    too_large = np.flatnonzero(sums > capacity)
    fitting = sums[: too_large[0]] if len(too_large) else sums
    return int(fitting[-1]) if len(fitting) else 0


@_solver.solver
def subset_sum(
    weights: ArrayLike,
    capacity: Union[int, str, Decimal],
    *,
    profits: Optional[ArrayLike] = None,
    tolerance: Union[int, str, Decimal, None] = None,
    certificate: Optional[Path] = None,
    **options: Unpack[_options.SubsetSumOptions],
) -> SubsetSumResult:
    """Finds the subset of weights with the largest sum that is at most a capacity, exactly.

    A run has one device: of several, the first that does not fail. A callback's `fun` is the largest sum so far; one that
    `time_limit` ended is not proven.

    Args:
        weights: shape (n,): numbers of either sign of at most 2**63-1, whole ones, or decimals as texts such as "12.50" or
            as decimal.Decimal. Of a float it is not known which decimal it stands for: it is refused.
        capacity: such a number.
        profits: of a 0-1 knapsack, shape (n,): what the weights bring, such numbers from 0 on. The subset with the most
            profit is found then, with `method` "auto" or "k1", and weights are from 0 on.
        tolerance: such a number, from 0 on: `exactly`, or the nearest sum that is at most this far from the capacity.
        certificate: a file for a proof of the answer, which tools/check-certificate verifies without clopt. Where there
            is none, a RuntimeWarning states why.

    Raises:
        InvalidInput: weights or capacity out of range, an instance that the method cannot hold, with the sizes.
        OutOfMemory, DeviceError: as of `differential_evolution`.
        Interrupted (a KeyboardInterrupt): Ctrl-C; its `result` has the best so far. Where that is an
            `IntermediateResult` (a sweep continues by itself), its `fun` is a sum that is possible, without the subset.

    Source: docs/subset-sum.md names the paper of each method.

    Example:
        >>> import clopt, numpy as np
        >>> weights = np.array([31, 41, 59, 26, 53, 58, 97, 93, 23, 84])
        >>> s = clopt.subset_sum(weights, 300)
        >>> int(weights[s.indices].sum()) == s.value == 300 and s.optimal
        True
        >>> clopt.subset_sum(["12.50", "-3.20", "8.99"], "10", exactly=True).value
        Decimal('9.30')
        >>> clopt.subset_sum([5, 4, 6, 3], 10, profits=[10, 40, 30, 50]).profit
        90
        >>> s = clopt.subset_sum(weights, 100, exactly=True, fewest=True, all=10)
        >>> [each.tolist() for each in s.subsets], s.more
        ([[1, 2]], False)
    """
    run, given = _solver.split(subset_sum, options)
    if tolerance is not None:
        given["exactly"] = True
    exactly = bool(given.get("exactly", False))
    array, limit, decimals, within = _amounts(weights, capacity, 0 if tolerance is None else tolerance)
    brings, profit_decimals = np.empty(0, np.int64), 0
    if profits is not None:
        brings, _, profit_decimals, _ = _amounts(profits, 0, 0, "profit")
    unit = 10.0 ** -(decimals if profits is None else profit_decimals)
    control = _run.make_control(run, usual_interval=0.1, unit=unit, certificate=certificate)
    fields = _core.subset_sum(array, limit, decimals, within, brings, profit_decimals, given, control)
    if fields.get("unfinished"):
        # The sweep continues by itself. Before it, or without a device, the library has reported no sum yet.
        if fields["best"] is None and profits is None and limit >= 0 and array.min() >= 0:
            fields["best"] = _sum_of_first(array.astype(np.uint64), limit)
        if fields["best"] is not None and unit != 1:
            fields["best"] *= unit

    def make(fields: dict[str, Any]) -> SubsetSumResult:
        is_reached = fields["reached"]
        missing = ""
        if not fields["possible"]:
            missing = fields["reason"]
        elif profits is not None and not fields["optimal"]:
            missing = "the profit is not proven to be the most: " + fields["reason"]
        elif exactly and not is_reached:
            missing = "no subset has just this sum" if fields["optimal"] else "whether a subset has just this sum is open"
        elif any(given.get(name) and fields[name] is None for name in ("fewest", "unique")) or (
            given.get("all") and fields["more"] is None
        ):
            missing = "what was asked for of subsets is not proven: " + fields["reason"]
        for name, asked in {"fewest": "fewest", "more": "all", "unique": "unique"}.items():
            if not given.get(asked):
                fields[name] = None
        if decimals:
            fields["value"] = Decimal(fields["value"]).scaleb(-decimals, EXACT)
        if profit_decimals:
            fields["profit"] = Decimal(fields["profit"]).scaleb(-profit_decimals, EXACT)
        return _run.result_of(SubsetSumResult, fields, missing, is_reached=exactly and is_reached)

    return _run.finish(fields, make)


def read_amounts(
    file: Path,
    *,
    column: str = "",
    label: str = "",
    decimal: str = "",
    thousands: str = "",
    separator: str = "",
) -> tuple[list[Decimal], list[str]]:
    """Reads amounts from a text or a table, as the program does, without rounding: for `subset_sum`.

    Args:
        file: numbers with white space, semicolons, or commas beside white space between them, or CSV with a heading.
        column: of a table: the name of the column that has the amounts.
        label: the name of a column whose texts are returned, too.
        decimal: what decimals follow: "," or "."; "": a point.
        thousands: what stands between groups of digits: ",", ".", " ", "'" or "_"; "": nothing.
        separator: what stands between numbers or columns: ",", ";", "|", ":", "/", " " or a tab; "": the usual.

    Returns:
        The amounts, and the labels, which are empty without `label`.

    Raises:
        InvalidInput: the file cannot be read, with the line and what to give.
    """
    texts = [text_of(each, name) for each, name in (
        (column, "column"), (label, "label"), (decimal, "decimal"), (thousands, "thousands"), (separator, "separator"))]
    numbers, decimals, labels = _core.read_amounts(os.fspath(file), *texts)
    return [Decimal(each).scaleb(-decimals, EXACT) for each in numbers.tolist()], labels


def subset_sum_instance(description: str, *, seed: int = 1) -> tuple[NDArray[np.uint64], int]:
    """Draws weights and a capacity: "half:N", "half-small:N", "p:N", "uniform:N", "avis:N", "todd:N", ...

    Raises:
        InvalidInput: the description means nothing; the message has those that are known.

    Args:
        description: the class and how many weights, ``subset-sum --instance`` of the program lists all.
        seed: an integer from 0 to 2**64-1.
    """
    weights, capacity = _core.subset_sum_instance(text_of(description, "description"), whole(seed, "seed", 0, 2**64 - 1))
    return weights, capacity
