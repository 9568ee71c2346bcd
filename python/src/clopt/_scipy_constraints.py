"""Constraints as scipy.optimize has them, for `clopt.scipy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from clopt.errors import InvalidInput

__all__ = ["Constraints", "FEASIBLE_AT_MOST"]

Floats = NDArray[np.float64]

FEASIBLE_AT_MOST = 1e140
"""Values of feasible vectors are cut off here, where there are constraints: above it infeasible ones are ordered."""
_VIOLATED_AT_LEAST = 1e150


def _function_of(constraint: Any) -> Callable[[Floats], Any]:
    if isinstance(constraint, scipy.optimize.NonlinearConstraint):
        nonlinear: Callable[[Floats], Any] = constraint.fun
        return nonlinear
    if isinstance(constraint, scipy.optimize.LinearConstraint):
        # A matrix, which may be sparse, or of numpy's class of matrices.
        matrix = constraint.A if hasattr(constraint.A, "tocsr") else np.atleast_2d(np.asarray(constraint.A))
        return lambda x: matrix @ x
    if isinstance(constraint, scipy.optimize.Bounds):
        return lambda x: x
    raise InvalidInput(
        f"constraints: {type(constraint).__name__} is of an unknown type; give a NonlinearConstraint, a LinearConstraint "
        "or Bounds of scipy.optimize"
    )


class Constraints:
    """By how much vectors break constraints. Feasible vectors are better than others, of infeasible ones those whose
    violations have the lesser sum (Deb 2000)."""

    def __init__(self, given: Any, vectorized: bool) -> None:
        if given is None:
            given = ()
        listed = list(given) if isinstance(given, (list, tuple)) else [given]
        self.given = tuple(listed)
        self._parts = [(_function_of(each), np.asarray(each.lb, float), np.asarray(each.ub, float)) for each in listed]
        self._vectorized = vectorized

    def __bool__(self) -> bool:
        return len(self._parts) > 0

    def of_each(self, x: Floats) -> list[Floats]:
        """The violations of one vector, an array for each constraint."""
        found = []
        for function, lower, upper in self._parts:
            values = np.atleast_1d(np.squeeze(np.asarray(function(x), dtype=float)))
            if values.ndim != 1:
                raise RuntimeError(_wrong_shape(values.shape))
            found.append(_excess(values, lower, upper))
        return found

    def of(self, x: Floats) -> Floats:
        """The violations of vectors x of shape (S, parameters), shape (S, all components)."""
        if not self._vectorized:
            return np.array([np.concatenate(self.of_each(each)) for each in x])
        columns: list[Floats] = []
        for function, lower, upper in self._parts:
            values = np.asarray(function(x.T), dtype=float)
            if values.ndim not in (1, 2) or values.shape[-1] != len(x):
                raise RuntimeError(_wrong_shape(values.shape))
            columns.append(_excess(np.atleast_2d(values).T, lower, upper))
        return np.concatenate(columns, axis=1)

    @staticmethod
    def keys(values: Floats, violations: Optional[Floats]) -> Floats:
        """Numbers in the order in which vectors are to be preferred, the least first."""
        keys = np.where(np.isnan(values), np.inf, values)
        if violations is None:
            return keys
        sums = violations.sum(axis=1)
        keys = np.minimum(keys, FEASIBLE_AT_MOST)
        return np.where(sums > 0, np.maximum(_VIOLATED_AT_LEAST, np.minimum(sums, 1e100) * 1e200), keys)


def _wrong_shape(shape: tuple[int, ...]) -> str:
    return (
        f"An array returned from a Constraint has the shape {shape}; a constraint of a vector returns (M,), with "
        "vectorized=True one of S vectors, of shape (parameters, S), returns (M, S)"
    )


def _excess(values: Floats, lower: Floats, upper: Floats) -> Floats:
    for limits in (lower, upper):
        if np.ndim(limits) > 0 and np.shape(limits) not in ((1,), values.shape[-1:]):
            raise RuntimeError(
                f"A Constraint has limits of the shape {np.shape(limits)} and returned {values.shape[-1]} components; give "
                "one limit, or one for each"
            )
    result: Floats = np.maximum(lower - values, 0) + np.maximum(values - upper, 0)
    # NaN keeps no limit.
    return np.where(np.isnan(result), np.inf, result)
