"""Exact subset-sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _run
from clopt._arguments import text_of, whole
from clopt._devices import DeviceLike
from clopt.errors import InvalidInput

__all__ = ["SubsetSumResult", "subset_sum", "subset_sum_instance"]


@dataclass(frozen=True, eq=False)
class SubsetSumResult(_run.RunResult):
    """An answer, added up again and checked."""

    value: int
    """The sum of the chosen weights, at most the capacity."""
    indices: NDArray[np.uint64]
    """Of the chosen weights, from 0, ascending."""
    optimal: bool
    """Whether value is proven to be the largest possible."""
    proof: str
    """ "none", "everything-fits", "capacity-reached", "divisor" or "exhaustive"."""
    candidates: tuple[tuple[str, float, float, bool], ...]
    """What method "auto" compared: (method, seconds predicted, bytes at most, whether they are available)."""
    capacities_swept: int
    """Capacities times items that the method worked through."""


def _sum_of_first(weights: NDArray[np.uint64], capacity: int) -> int:
    """A sum that is possible: of the first weights, without those that are too heavy, as long as they fit. O(n)."""
    sums = np.cumsum(weights[weights <= capacity])
    # The first that is too large is below 2**64; what comes behind it may have wrapped around.
    too_large = np.flatnonzero(sums > capacity)
    fitting = sums[: too_large[0]] if len(too_large) else sums
    return int(fitting[-1]) if len(fitting) else 0


def subset_sum(
    weights: ArrayLike,
    capacity: int,
    *,
    method: str = "auto",
    reduce: bool = True,
    barrier: Optional[str] = None,
    recovery: Optional[str] = None,
    device: DeviceLike = None,
    time_limit: Optional[float] = None,
    callback: Optional[_run.Callback] = None,
    callback_interval: float = 0.1,
) -> SubsetSumResult:
    """Finds the subset of weights with the largest sum that is at most a capacity, exactly.

    Args:
        weights: shape (n,), integers from 1 to 2**63-1.
        capacity: an integer from 0 to 2**63-1.
        method: "auto", "bellman", "bbe", "balsub", "decomp", "yanasse-soma", "meet-in-the-middle", "k1", "k2",
            "k3-16", "k3-32" or "k3-64".
        reduce: False: no common divisor and no certificate, to time a method's whole work.
        barrier: of k2: "xiao-feng" or "cyclic".
        recovery: of k3: "auto", "table" or "checkpoints".
        device: an id, a name or a device of `clopt.open`; of several, the first that does not fail.
        time_limit: seconds after which the run ends with the best so far, which is not proven then.
        callback: ``callback(intermediate_result)``, whose `fun` is the largest sum so far; it ends the run by
            StopIteration, or by returning what is true.
        callback_interval: the least seconds between two calls of it.

    Raises:
        InvalidInput: weights or capacity out of range, an instance that the method cannot hold, with the sizes.
        OutOfMemory, DeviceError: as of `differential_evolution`.
        Interrupted (a KeyboardInterrupt): Ctrl-C; its `result` has the best so far. Where that is an
            `IntermediateResult` (a sweep goes on by itself), its `fun` is a sum that is possible, without the subset: the
            best that was reported, else that of the first weights that fit.

    Source: docs/subset-sum.md names the paper of each method.

    Example:
        >>> import clopt, numpy as np
        >>> weights = np.array([31, 41, 59, 26, 53, 58, 97, 93, 23, 84])
        >>> s = clopt.subset_sum(weights, 300)
        >>> int(weights[s.indices].sum()) == s.value == 300 and s.optimal
        True
    """
    if isinstance(weights, np.ma.MaskedArray) and np.ma.is_masked(weights):
        raise InvalidInput("weights are masked; give those that count alone")
    array = np.asarray(weights)
    if array.size == 0:
        raise InvalidInput("there are no weights; give at least one, a whole number from 1 to 2**63-1")
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidInput(f"weights are of {array.dtype} and the shape {array.shape}; give whole numbers of one axis")
    if array.dtype.kind == "i" and len(array) > 0 and array.min() < 1:
        raise InvalidInput(f"weight {int(array.argmin())} is {array.min()}; weights are 1 to 2**63-1")
    if isinstance(capacity, np.integer):
        capacity = int(capacity)
    if not isinstance(capacity, int) or not 0 <= capacity < 2**63:
        raise InvalidInput(f"capacity={capacity!r}: give a whole number from 0 to 2**63-1")
    if not isinstance(method, str):
        raise InvalidInput(f"method={method!r}: give the name of a method")
    if barrier is not None and method != "k2":
        raise InvalidInput(f"barrier belongs to the method k2, not to {method!r}; leave it out")
    if recovery is not None and method != "auto" and not method.startswith("k3-"):
        raise InvalidInput(f"recovery belongs to the methods k3, not to {method!r}; leave it out")
    options = _core.SubsetSumOptions()
    _run.set_options(options, method=method, reduce=reduce, barrier=barrier, recovery=recovery)
    control = _run.make_control(
        device=device,
        time_limit=time_limit,
        callback=callback,
        callback_interval=callback_interval,
    )
    whole = np.ascontiguousarray(array, dtype=np.uint64)
    fields = _core.subset_sum(whole, capacity, options, control)
    if fields.get("unfinished") and fields["best"] is None:
        fields["best"] = _sum_of_first(whole, capacity)

    def make(fields: dict[str, Any]) -> SubsetSumResult:
        return SubsetSumResult(
            **_run.common_fields(fields),
            value=fields["value"],
            indices=fields["indices"],
            optimal=fields["optimal"],
            proof=fields["proof"],
            candidates=tuple(fields["candidates"]),
            capacities_swept=fields["capacities_swept"],
        )

    result: SubsetSumResult = _run.finish(fields, make)
    return result


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
