"""scipy's calls, done by clopt.

`differential_evolution` takes the arguments of scipy.optimize.differential_evolution and returns scipy's
OptimizeResult. What clopt does in another way has another default here, and is refused where it is asked for:

==============  ============================  ==================================================================
argument        scipy's default               here
==============  ============================  ==================================================================
mutation        (0.5, 1): drawn each time     0.75; a range is refused
strategy        "best1bin"                    the same; "randtobest1bin", "randtobest1exp" and functions are refused
updating        "immediate"                   "deferred": whole generations; "immediate" is refused
==============  ============================  ==================================================================

A trial takes its parent's place where it is better, not where it is as good. Of two vectors that break constraints the
one with the lesser sum of violations is better (Deb 2000); scipy wants that no violation is greater. A whole number of
`integrality` is rounded up or down at random when a vector is made; scipy rounds when it evaluates one. The random
numbers are clopt's own, so that one seed does not give scipy's vectors.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Optional, Union

import numpy as np
import scipy.optimize
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _run
from clopt._arguments import whole
from clopt._devices import DeviceLike
from clopt._scipy_constraints import Constraints
from clopt._scipy_population import Population, first_vectors
from clopt._workers import Call, pool_of
from clopt.errors import Interrupted, InvalidInput

__all__ = ["differential_evolution"]

Floats = NDArray[np.float64]

_MESSAGES = {
    "": "in progress",
    "spread": "Optimization terminated successfully.",
    "callback": "callback function requested stop early",
    "generations": "Maximum number of iterations has been exceeded.",
}


def differential_evolution(
    func: Callable[..., Any],
    bounds: Any,
    args: Optional[Sequence[Any]] = (),
    strategy: str = "best1bin",
    maxiter: Optional[int] = 1000,
    popsize: int = 15,
    tol: float = 0.01,
    mutation: float = 0.75,
    recombination: float = 0.7,
    rng: Any = None,
    callback: Optional[Callable[..., Any]] = None,
    disp: bool = False,
    polish: Union[bool, Callable[..., Any]] = True,
    init: Any = "latinhypercube",
    atol: float = 0,
    updating: Optional[str] = None,
    workers: Union[int, Callable[..., Any]] = 1,
    constraints: Any = (),
    x0: Optional[ArrayLike] = None,
    *,
    integrality: Optional[ArrayLike] = None,
    vectorized: bool = False,
    seed: Any = None,
    device: DeviceLike = "openmp:0",
) -> Any:
    """Minimises a function of Python as scipy.optimize.differential_evolution does.

    Arguments, callback and result are scipy's; this module's text lists what is refused. The computation is in double
    precision. `device` is clopt's: one in the host's memory.

    Raises:
        InvalidInput (a ValueError): what is refused or has no meaning.
        RuntimeError: func or a constraint returned values of a wrong shape.
        Interrupted (a KeyboardInterrupt): Ctrl-C, also while polishing; its `result` is the OptimizeResult of the best
            so far.

    Example:
        >>> from clopt.scipy import differential_evolution
        >>> import scipy.optimize
        >>> r = differential_evolution(scipy.optimize.rosen, 2 * [(0, 2)], rng=1)
        >>> bool(abs(r.x - 1).max() < 1e-4), r.success
        (True, True)
    """
    if not callable(func):
        raise TypeError("func must be a function of Python; clopt.differential_evolution takes texts")
    if np.ndim(mutation) != 0:
        raise InvalidInput("mutation: clopt does not draw it from a range; give one number")
    if callback is not None and not callable(callback):
        raise TypeError(f"callback: {callback!r} cannot be called")
    if rng is not None and seed is not None:
        raise TypeError("rng and seed are one argument; give one of them")
    if callable(strategy):
        raise InvalidInput("strategy: clopt does not take a function; give the name of a strategy")
    vectorized = _way_of_evaluating(vectorized, updating, workers)
    limits, dimensions = _run.bounds_of(bounds, None)
    if limits is None or dimensions is None:
        raise InvalidInput("bounds are missing: give a pair (least, greatest) for each parameter")
    lower, upper = limits
    is_whole = _flags(integrality, lower, upper)
    number = _seed_of(seed if rng is None else rng)
    free = int(np.count_nonzero(lower != upper))
    start, size = first_vectors(
        init, max(5, popsize * max(1, free)), lower, upper, x0, is_whole, np.random.default_rng(number)
    )
    problem_constraints = Constraints(constraints, vectorized)
    population = Population()
    control = _run.make_control({"device": device})
    ending = ""
    call = Call(func, args or ())
    with _mapping(workers, call) as mapping:
        function = _Function(call, vectorized, mapping, problem_constraints)

        def evaluate(x: Floats, _: Any) -> Floats:
            nonlocal ending
            if ending:
                return np.full(len(x), population.keys.max())  # after the end, until the library has heard of it
            keys = population.take(x, *function.values_of(x))
            if population.generation > 0:
                if disp:
                    best = population.values[population.keys.argmin()]
                    print(f"differential_evolution step {population.generation}: f(x)= {best}")
                if callback is not None and _stops(callback, population, function, tol):
                    ending = "callback"
                elif population.has_converged(tol, atol):
                    ending = "spread"
                if ending:
                    control.stop()
            return keys

        problem = _core.DifferentialEvolutionProblem(
            _core.Objective.from_function(evaluate, "reals", False, "function", "generation", ()), dimensions
        )
        problem.set_bounds(lower, upper)
        problem.integer = np.flatnonzero(is_whole).tolist()
        options: dict[str, Any] = {
            "strategy": strategy,
            "maxiter": 1000 if maxiter is None else whole(maxiter, "maxiter", 0, 2**31 - 1),
            "population": size,
            "mutation": mutation,
            "recombination": recombination,
            "outside": "resample",
            "seed": number,
            "precision": "double",
        }
        if start is not None:
            options["x0"] = start.reshape(-1)
        try:
            fields = _core.differential_evolution(problem, options, control, 1)
        except InvalidInput as error:
            raise InvalidInput(str(error).replace("`population`", "`popsize`")) from None
    if len(population.values) == 0:
        raise Interrupted("Ctrl-C ended the run before there was any value")
    result = _result(population, ending or "generations", function)
    if fields["interrupted"]:
        raise _interrupted(result)
    try:
        _polish(result, function, polish, lower, upper, is_whole)
    except KeyboardInterrupt:
        raise _interrupted(result) from None
    if problem_constraints:
        _warn_of_violations(result, problem_constraints)
    return result


class _Function:
    """func as it is called, and how often it was."""

    def __init__(
        self,
        call: Call,
        vectorized: bool,
        mapping: Callable[..., Any],
        constraints: Constraints,
    ) -> None:
        self._call = call
        self._vectorized = vectorized
        self._mapping = mapping
        self.constraints = constraints
        self.nfev = 0

    def values_of(self, x: Floats) -> tuple[Floats, Optional[Floats]]:
        """Values of vectors x of shape (S, parameters), and violations where there are constraints: infeasible vectors
        have the value infinity, and func is not called for them."""
        if not self.constraints:
            return self._evaluate(x), None
        violations = self.constraints.of(np.array(x))
        feasible = violations.sum(axis=1) <= 0
        values = np.full(len(x), np.inf)
        if np.any(feasible):
            values[feasible] = self._evaluate(x[feasible])
        return values, violations

    def _evaluate(self, x: Floats) -> Floats:
        # A function may write to what it is given.
        given = np.array(x)
        if self._vectorized:
            values = np.asarray(self._call(given.T), dtype=np.float64)
            if values.size == 1 == len(x):
                values = values.reshape(1)
            if values.shape != (len(x),):
                raise RuntimeError(
                    f"The vectorized function must return an array of shape ({len(x)},) for vectors of shape "
                    f"{given.T.shape}; it returned {values.shape}"
                )
            self.nfev += 1
            return values
        found = []
        for value in self._mapping(self._call, given):
            found.append(value)
            self.nfev += 1
        if len(found) != len(x):
            raise RuntimeError(f"workers: the map-like callable returned {len(found)} values of {len(x)}")
        return np.array([_scalar(value) for value in found])

    def of_one(self, x: Floats) -> float:
        """The value of a vector of shape (parameters,); it is not counted."""
        x = np.array(x)
        return float(np.squeeze(self._call(x[:, np.newaxis] if self._vectorized else x)))


def _way_of_evaluating(vectorized: bool, updating: Optional[str], workers: Any) -> bool:
    """Whether func gets whole generations; warns where scipy does."""
    if updating not in (None, "deferred", "immediate"):
        raise InvalidInput(f"updating={updating!r}: whole generations are evaluated; give 'deferred', or leave it out")
    has_workers = callable(workers) or workers != 1
    if not callable(workers) and (not isinstance(workers, (int, np.integer)) or workers == 0 or workers < -1):
        raise InvalidInput(f"workers={workers!r}: give processes from 1 on, -1 for all cores, or a map-like callable")
    if vectorized and has_workers:
        warnings.warn(
            "differential_evolution: the 'workers' keyword is used, and not vectorized=True", UserWarning, stacklevel=3
        )
        vectorized = False
    if updating == "immediate" and not vectorized and not has_workers:
        raise InvalidInput("updating='immediate': whole generations are evaluated; give 'deferred', or leave it out")
    if updating != "deferred" and (vectorized or has_workers):
        name = "vectorized" if vectorized else "workers"
        warnings.warn(
            f"differential_evolution: the '{name}' keyword means updating='deferred'", UserWarning, stacklevel=3
        )
    return vectorized


@contextmanager
def _mapping(workers: Any, call: Call) -> Iterator[Callable[..., Any]]:
    """What evaluates vectors: `map`, the caller's, or that of a pool of processes."""
    pool = None if callable(workers) else pool_of(workers, [call.function], call.args, False, False, _scalar, None)
    if pool is None:
        yield workers if callable(workers) else map
    else:
        with pool:
            yield lambda _, x: pool.evaluator(0)(x, None)


def _scalar(value: Any) -> float:
    if np.size(value) != 1:
        raise RuntimeError("func(x, *args) must return a scalar value; it returned an array")
    return float(np.squeeze(value))


def _flags(integrality: Optional[ArrayLike], lower: Floats, upper: Floats) -> NDArray[np.bool_]:
    flags = np.asarray(False if integrality is None else integrality, dtype=bool)
    if flags.ndim > 1 or flags.size not in (1, len(lower)):
        raise InvalidInput(f"integrality has the shape {flags.shape}; give one truth, or one for each of {len(lower)}")
    flags = np.broadcast_to(flags, lower.shape)
    empty = flags & (np.ceil(lower) > np.floor(upper))
    if np.any(empty):
        raise InvalidInput(f"integrality: there is no whole number within the bounds of parameter {int(empty.argmax())}")
    return flags


def _seed_of(rng: Any) -> int:
    if isinstance(rng, (int, np.integer)) and 0 <= rng < 2**64:
        return int(rng)
    if hasattr(rng, "integers"):
        return int(rng.integers(2**63))
    if hasattr(rng, "randint"):
        return int(rng.randint(2**31))
    try:
        return int(np.random.default_rng(rng).integers(2**63))
    except (TypeError, ValueError):
        raise InvalidInput(f"rng={rng!r}: give what numpy.random.default_rng takes, or None") from None


def _stops(callback: Callable[..., Any], population: Population, function: _Function, tol: float) -> bool:
    state = _result(population, "", function)
    state.convergence = population.convergence(tol)
    try:
        names = list(inspect.signature(callback).parameters)
    except (TypeError, ValueError):
        names = []
    try:
        if names == ["intermediate_result"]:
            return bool(callback(intermediate_result=state))
        return bool(callback(np.copy(state.x), state.convergence))
    except StopIteration:
        return True


def _result(population: Population, ending: str, function: _Function) -> Any:
    order = population.best_first()
    vectors, values = population.vectors[order], population.values[order]
    return scipy.optimize.OptimizeResult(
        x=vectors[0].copy(),
        fun=float(values[0]),
        nfev=function.nfev,
        nit=max(0, population.generation),
        message=_MESSAGES[ending],
        success=ending in ("", "spread"),
        population=vectors,
        population_energies=values,
    )


def _interrupted(result: Any) -> Interrupted:
    result.success, result.message = False, "Ctrl-C ended the run"
    return Interrupted("Ctrl-C ended the run; `result` of this exception has the best so far", result)


def _violation(constraints: Constraints, x: Floats) -> float:
    return float(np.sum(np.concatenate(constraints.of_each(x))))


def _polish(
    result: Any, function: _Function, polish: Any, lower: Floats, upper: Floats, is_whole: NDArray[np.bool_]
) -> None:
    if not polish or np.all(is_whole):
        return
    constraints = function.constraints
    if constraints and _violation(constraints, result.x) > 0:
        warnings.warn(
            "differential_evolution: no vector keeps the constraints; polishing begins at the least infeasible one",
            UserWarning, stacklevel=3,
        )
    # Whole numbers stay what they are.
    limits = scipy.optimize.Bounds(np.where(is_whole, result.x, lower), np.where(is_whole, result.x, upper))
    if callable(polish):
        polished = polish(function.of_one, np.copy(result.x), bounds=limits, constraints=constraints.given)
        if not isinstance(polished, scipy.optimize.OptimizeResult):
            raise InvalidInput("The result from a user defined polishing function is not an OptimizeResult")
    else:
        way = {"method": "trust-constr", "constraints": constraints.given} if constraints else {"method": "L-BFGS-B"}
        polished = scipy.optimize.minimize(function.of_one, np.copy(result.x), bounds=limits, **way)
    result.nfev += polished.get("nfev", 0)
    inside = bool(np.all((lower <= polished.x) & (polished.x <= upper)))
    if constraints and inside:
        inside = _violation(constraints, polished.x) <= _violation(constraints, result.x)
    if polished.fun < result.fun and polished.success and inside:
        result.fun, result.x, result.jac = float(polished.fun), polished.x, polished.get("jac")
        result.population[0], result.population_energies[0] = polished.x, polished.fun


def _warn_of_violations(result: Any, constraints: Constraints) -> None:
    result.constr = constraints.of_each(result.x)
    result.constr_violation = result.maxcv = float(np.max(np.concatenate(result.constr)))
    if result.maxcv > 0:
        result.success = False
        result.message = f"The solution does not satisfy the constraints, MAXCV = {result.maxcv}"
