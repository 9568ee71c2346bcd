"""The value of a list that is closest to a wanted one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from clopt import _core, _run, _solver

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from clopt import _options


@dataclass(frozen=True, eq=False)
class ClosestValueResult(_run.RunResult):
    index: int
    """Of the first value with the least distance, from 0."""
    distance: int
    """Its distance from the wanted one."""


@_solver.solver
def closest_value(values: ArrayLike, **options: Unpack[_options.ClosestValueOptions]) -> ClosestValueResult:
    """Finds the value of a list that is closest to a wanted one.

    Args:
        values: shape (n,): whole numbers from 0 on.

    Raises:
        InvalidInput: there is no value.
    """
    run, given = _solver.split(closest_value, options)
    fields = _core.closest_value(np.asarray(values, dtype=np.uint64), given, _run.make_control(run))
    return _run.finish(fields, lambda members: _run.result_of(ClosestValueResult, members))
