"""scipy's calls, done by clopt.

`differential_evolution` takes the arguments of scipy.optimize.differential_evolution and returns scipy's
OptimizeResult. What clopt does in another way has another default here, and is refused where it is asked for:

==============  ============================  ==================================================================
argument        scipy's default               here
==============  ============================  ==================================================================
mutation        (0.5, 1): drawn each time     0.75; a range is refused
init            "latinhypercube"              "random"; all else is refused
updating        "immediate"                   "deferred": whole generations; "immediate" is refused
workers         1                             1, or a map-like callable; a number of processes is refused
constraints     ()                            () ; constraints are refused (a text's value can hold a penalty)
integrality     None                          None; whole numbers are refused
x0              None                          None; a start vector is refused
==============  ============================  ==================================================================

The random numbers are clopt's own, so that one seed does not give scipy's vectors.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

import numpy as np
import scipy.optimize
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _run
from clopt._devices import DeviceLike
from clopt.errors import Interrupted, InvalidInput

__all__ = ["differential_evolution"]

Floats = NDArray[np.float64]

_MESSAGES = {
    "spread": "Optimization terminated successfully.",
    "callback": "callback function requested stop early",
    "generations": "Maximum number of iterations has been exceeded.",
}


class _Population:
    """The vectors and values of the run, as the library has them: it replaces a vector by one that is as good."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.vectors: Floats = np.empty((0, 0))
        self.values: Floats = np.empty(0)
        self.generation = -1

    def take(self, vectors: Floats, values: Floats) -> None:
        if len(self.values) == 0:
            self.vectors, self.values = vectors.copy(), values.copy()
        else:
            better = (values <= self.values) | np.isnan(self.values)
            self.vectors[better], self.values[better] = vectors[better], values[better]
        self.generation += 1

    @property
    def best(self) -> int:
        return int(np.argmin(np.where(np.isnan(self.values), np.inf, self.values)))

    def convergence(self, tol: float) -> float:
        """As scipy's: 1 and more where the values differ little."""
        if np.any(np.isinf(self.values)):
            return 0.0
        spread = np.std(self.values) / (np.abs(np.mean(self.values)) + np.finfo(float).eps)
        return float(tol / (spread + np.finfo(float).eps))

    def has_converged(self, tol: float, atol: float) -> bool:
        if not np.all(np.isfinite(self.values)):
            return False
        return bool(np.std(self.values) <= atol + tol * np.abs(np.mean(self.values)))


def _refuse(**given: tuple[Any, str]) -> None:
    for name, (is_wrong, instead) in given.items():
        if is_wrong:
            raise InvalidInput(f"{name}: clopt does not support this; {instead}")


def _seed_of(rng: Any) -> int:
    if rng is None or isinstance(rng, (int, np.integer)):
        return int(rng) if rng is not None else int(np.random.default_rng().integers(2**63))
    if hasattr(rng, "integers"):
        return int(rng.integers(2**63))
    if hasattr(rng, "randint"):
        return int(rng.randint(2**31))
    raise InvalidInput(f"rng={rng!r}: give a whole number, a numpy Generator or None")


def differential_evolution(
    func: Callable[..., Any],
    bounds: Any,
    args: Sequence[Any] = (),
    strategy: str = "best1bin",
    maxiter: int = 1000,
    popsize: int = 15,
    tol: float = 0.01,
    mutation: float = 0.75,
    recombination: float = 0.7,
    rng: Any = None,
    callback: Optional[Callable[..., Any]] = None,
    disp: bool = False,
    polish: bool = True,
    init: str = "random",
    atol: float = 0,
    updating: str = "deferred",
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
        Interrupted (a KeyboardInterrupt): Ctrl-C; its `result` is the OptimizeResult of the best so far.

    Example:
        >>> from clopt.scipy import differential_evolution
        >>> import scipy.optimize
        >>> r = differential_evolution(scipy.optimize.rosen, 2 * [(0, 2)], rng=1)
        >>> bool(abs(r.x - 1).max() < 1e-4), r.success
        (True, True)
    """
    _refuse(
        mutation=(np.ndim(mutation) != 0, "give one number, which is not drawn from a range"),
        init=(not isinstance(init, str) or init != "random", "vectors are drawn uniformly (init='random')"),
        updating=(updating != "deferred", "whole generations are evaluated (updating='deferred')"),
        workers=(not callable(workers) and workers != 1, "give 1 or a map-like callable, or vectorized=True"),
        constraints=(constraints is not None and np.size(constraints) != 0, "add a penalty to the value"),
        x0=(x0 is not None, "leave it out"),
        integrality=(integrality is not None and np.any(integrality), "round in the function"),
    )
    if not callable(func):
        raise TypeError("func must be a function of Python; clopt.differential_evolution takes texts")
    if vectorized and callable(workers):
        warnings.warn("vectorized=True: workers are not used", UserWarning, stacklevel=2)
    limits, dimensions = _run.bounds_of(bounds, None)
    if limits is None or dimensions is None:
        raise InvalidInput("bounds are missing: give a pair (least, greatest) for each parameter")
    lower, upper = limits
    free = int(np.count_nonzero(lower != upper))
    population = _Population(max(5, popsize * max(1, free)))
    control = _run.make_control(
        device=device,
        time_limit=None,
        callback=None,
        callback_interval=0.0,
        statistics=False,
        checkpoint=None,
        resume=None,
    )
    ending = "generations"
    nfev = 0

    def values_of(x: Floats) -> Floats:
        if vectorized:
            values = np.asarray(func(x.T, *args), dtype=np.float64)
        else:
            mapping = workers if callable(workers) else map
            values = np.array([float(np.squeeze(v)) for v in mapping(_Call(func, args), x)], dtype=np.float64)
        if values.shape != (len(x),):
            raise RuntimeError(
                "The vectorized function must return an array of shape (S,) when given an array of shape (len(x), S)"
            )
        return values

    def evaluate(x: Floats, _: Any) -> Floats:
        nonlocal ending, nfev
        if ending != "generations":
            return np.full(len(x), population.values.max())  # after the end, until the library has heard of it
        values = values_of(x)
        nfev += len(x)
        population.take(x, values)
        if population.generation > 0:
            if disp:
                print(f"differential_evolution step {population.generation}: f(x)= {population.values.min()}")
            if callback is not None and _stops(callback, population, tol, nfev):
                ending = "callback"
            elif population.has_converged(tol, atol):
                ending = "spread"
            if ending != "generations":
                control.stop()
        return values

    problem = _core.DifferentialEvolutionProblem(
        _core.Objective.from_function(evaluate, "reals", False, "function"), dimensions
    )
    problem.set_bounds(lower, upper)
    options = _core.DifferentialEvolutionOptions()
    with _run.renamed(generations="maxiter", weight="mutation", crossover="recombination", population="popsize"):
        _run.set_options(
            options,
            strategy=strategy,
            generations=int(maxiter),
            population=population.size,
            weight=mutation,
            crossover=recombination,
            seed=_seed_of(seed if rng is None else rng),
            precision="double",
        )
        fields = _core.differential_evolution(problem, options, control)
    if len(population.values) == 0:
        raise Interrupted("Ctrl-C ended the run before there was any value")
    result = _result(population, ending, nfev)
    if fields["interrupted"]:
        result.success, result.message = False, "Ctrl-C ended the run"
        raise Interrupted("Ctrl-C ended the run; `result` of this exception has the best so far", result)
    if polish and ending != "callback":
        _polish(result, func, args, vectorized, lower, upper)
    return result


class _Call:
    """func with its further arguments, for maps of other processes."""

    def __init__(self, func: Callable[..., Any], args: Sequence[Any]) -> None:
        self.func, self.args = func, tuple(args)

    def __call__(self, x: Floats) -> Any:
        return self.func(x, *self.args)


def _stops(callback: Callable[..., Any], population: _Population, tol: float, nfev: int) -> bool:
    import inspect

    state = _result(population, "generations", nfev)
    state.convergence = population.convergence(tol)
    try:
        names = list(inspect.signature(callback).parameters)
    except (TypeError, ValueError):
        names = []
    try:
        if names == ["intermediate_result"]:
            return bool(callback(intermediate_result=state))
        return bool(callback(np.copy(state.x), convergence=state.convergence))
    except StopIteration:
        return True


def _result(population: _Population, ending: str, nfev: int) -> Any:
    best = population.best
    return scipy.optimize.OptimizeResult(
        x=population.vectors[best].copy(),
        fun=float(population.values[best]),
        nfev=nfev,
        nit=max(0, population.generation),
        message=_MESSAGES[ending],
        success=ending == "spread",
        population=population.vectors.copy(),
        population_energies=population.values.copy(),
    )


def _polish(result: Any, func: Callable[..., Any], args: Sequence[Any], vectorized: bool, lower: Floats, upper: Floats) -> None:
    def value_of(x: Floats) -> float:
        return float(np.squeeze(func(x[:, np.newaxis], *args) if vectorized else func(x, *args)))

    polished = scipy.optimize.minimize(
        value_of, np.copy(result.x), method="L-BFGS-B", bounds=scipy.optimize.Bounds(lower, upper)
    )
    result.nfev += polished.nfev
    inside = np.all((lower <= polished.x) & (polished.x <= upper))
    if polished.fun < result.fun and polished.success and inside:
        result.fun, result.x, result.jac = float(polished.fun), polished.x, polished.jac
        result.population[int(np.argmin(result.population_energies))] = polished.x
        result.population_energies[int(np.argmin(result.population_energies))] = polished.fun
