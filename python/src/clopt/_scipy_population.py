"""The population of a run of `clopt.scipy`, as the library has it, and how it begins."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt._scipy_constraints import Constraints
from clopt.errors import InvalidInput

__all__ = ["Population", "first_vectors"]

Floats = NDArray[np.float64]


class Population:
    """Vectors and values of the run: the library replaces a vector by one that is better."""

    def __init__(self) -> None:
        self.vectors: Floats = np.empty((0, 0))
        self.values: Floats = np.empty(0)
        self.violations: Optional[Floats] = None
        self.keys: Floats = np.empty(0)
        self.generation = -1

    def take(self, vectors: Floats, values: Floats, violations: Optional[Floats]) -> Floats:
        """Takes a generation's trials. \\returns the numbers by which the library compares them."""
        keys = Constraints.keys(values, violations)
        if len(self.values) == 0:
            self.vectors, self.values, self.keys = vectors.copy(), values.copy(), keys.copy()
            self.violations = None if violations is None else violations.copy()
        else:
            better = keys < self.keys
            self.vectors[better], self.values[better], self.keys[better] = vectors[better], values[better], keys[better]
            if self.violations is not None and violations is not None:
                self.violations[better] = violations[better]
        self.generation += 1
        return keys

    def best_first(self) -> NDArray[np.intp]:
        """The order of the population with its best vector in the first place, whose own takes that of the best."""
        order = np.arange(len(self.keys))
        best = int(np.argmin(self.keys))
        order[0], order[best] = best, 0
        return order

    def convergence(self, tol: float) -> float:
        """As scipy's: 1 and more where the values differ little."""
        if not np.all(np.isfinite(self.values)):
            return 0.0
        spread = np.std(self.values) / (np.abs(np.mean(self.values)) + np.finfo(float).eps)
        return float(tol / (spread + np.finfo(float).eps))

    def has_converged(self, tol: float, atol: float) -> bool:
        if not np.all(np.isfinite(self.values)):
            return False
        return bool(np.std(self.values) <= atol + tol * np.abs(np.mean(self.values)))


def first_vectors(
    init: Any, size: int, lower: Floats, upper: Floats, x0: Optional[ArrayLike], integrality: NDArray[np.bool_], rng: Any
) -> tuple[Optional[Floats], int]:
    """The vectors that a run begins with, or none where the library draws all of them, and the population's size.

    \\param init "random", "latinhypercube", "sobol", "halton", or vectors of shape (S, parameters), S > 4. \\param x0 a
    vector that takes the first place. \\param rng of numpy.
    """
    vectors: Optional[Floats] = None
    if isinstance(init, str):
        if init == "sobol":
            size = 1 << (size - 1).bit_length()
        if init != "random":
            vectors = lower + _sampler(init, len(lower), rng).random(size) * (upper - lower)
    else:
        given = np.array(init, dtype=float)
        if given.ndim != 2 or given.shape[0] < 5 or given.shape[1] != len(lower):
            raise InvalidInput(f"init has the shape {given.shape}; give (S, {len(lower)}), S > 4, or a name")
        vectors, size = np.clip(given, lower, upper), len(given)
    if x0 is not None:
        start = np.array(x0, dtype=float).reshape(-1)
        if start.shape != lower.shape or not np.all((lower <= start) & (start <= upper)):
            raise InvalidInput("Some entries in x0 lay outside the specified bounds, or are too many or too few")
        if vectors is None:
            vectors = start[np.newaxis]
        else:
            vectors[0] = start
    if vectors is not None and np.any(integrality):
        whole = np.clip(np.round(vectors), np.ceil(lower), np.floor(upper))
        vectors = np.where(integrality, whole, vectors)
    return vectors, size


def _sampler(name: str, parameters: int, rng: Any) -> Any:
    from scipy.stats import qmc

    samplers = {"latinhypercube": qmc.LatinHypercube, "sobol": qmc.Sobol, "halton": qmc.Halton}
    if name not in samplers:
        raise InvalidInput(f"init={name!r}: give 'latinhypercube', 'sobol', 'halton', 'random' or vectors")
    return samplers[name](parameters, seed=rng)
