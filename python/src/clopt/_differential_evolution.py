"""Differential evolution: thousands of minimisations over real parameters at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _run, _solver
from clopt._arguments import numbers, whole
from clopt._devices import ids_of
from clopt._objective import Objective, ObjectiveLike, as_handle, device_for, pool_for, shown_name, warn_of_tables
from clopt._workers import Workers, closing
from clopt.errors import InvalidInput

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from clopt import _options

__all__ = ["DifferentialEvolutionResult", "differential_evolution"]


@dataclass(frozen=True, eq=False)
class FitData:
    """What a fit was of."""

    objective: Objective
    data: NDArray[np.float64]
    abscissa: Optional[NDArray[np.float64]]
    """Shape (columns,), or (rows, columns), as `sigma`."""
    sigma: Optional[NDArray[np.float64]]
    precision: str
    devices: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class DifferentialEvolutionResult(_run.RunResult):
    """What was found. Arrays have a first axis over the problems only where there were `data` or `problems`."""

    x: NDArray[np.float64]
    """The best vector, shape (dimensions,), or (problems, dimensions)."""
    fun: Any
    """Its value: a float, or an array of shape (problems,). Infinity (minus infinity of what is maximised) where no value
    was a number. Where no vector keeps the constraints, that of the one with the least violation; NaN where the host
    cannot evaluate it."""
    feasible: Any
    """Whether x keeps all constraints: a bool, or an array of shape (problems,). True where there are none."""
    violation: Any
    """By how much it breaks them, of fun's shape; 0 where it keeps them."""
    nit: int
    """Generations, of all problems together."""
    nfev: int
    """Evaluations, of all problems together."""
    best: int
    """The problem with the best value."""
    solved: int
    """Problems that reached the target; 0 without one."""
    generations: NDArray[np.uint64]
    """Of each problem, shape (problems,)."""
    stops: NDArray[np.uint8]
    """Why each problem ended, shape (problems,): 0 its limits, 1 the target, 2 the spread of its values, 3 stagnation."""
    invalid: NDArray[np.uint64]
    """Values of each problem that were no number, and counted as the worst; shape (problems,)."""
    population: int
    """Vectors of each problem."""
    polish: str
    """The local search that followed: "levenberg-marquardt", "nelder-mead" or "none"."""
    polished: int
    """Problems whose value it made better."""
    converged: NDArray[np.uint8]
    """Of each problem 1 where the local search ended at a minimum, shape (problems,); empty without one."""
    errors: NDArray[np.float64]
    """Of a fit the standard errors of x, of its shape, as scipy.optimize.curve_fit has them: with `sigma` absolute,
    without scaled by the residuals. Infinity where the data do not determine a parameter. Empty without residuals."""
    chi_squared: Any
    """Of a fit the sum of squared residuals, of fun's shape; empty without residuals."""
    _fit: Optional[FitData]
    trials: tuple[_run.Trial, ...]
    """All runs that were made, in the order of their seeds; the result is of the best one."""
    summary: _run.RunsSummary
    """Of all runs."""
    objective: str
    """Its name, as the program prints it; of a function of Python its own."""
    seed: int
    """The one given, or the one that was drawn; of several runs that of the first."""

    def _tables(self) -> dict[str, Mapping[str, Any]]:
        tables = super()._tables()
        if isinstance(self.fun, np.ndarray):
            columns = {"problem": np.arange(len(self.fun)), "value": self.fun, "generations": self.generations}
            tables["problems"] = columns | {f"x{j}": self.x[:, j] for j in range(self.x.shape[1])}
        return tables


def _side(values: ArrayLike, name: str, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    side = numbers(values, name)
    if side.shape not in (rows.shape, rows.shape[1:]):
        raise InvalidInput(f"{name} has the shape {side.shape}; give {rows.shape}, or {rows.shape[1:]} for all rows")
    return side


def _missing(fields: dict[str, Any], has_target: bool) -> str:
    """What the answers lack, in words; empty where they lack nothing."""
    values, problems = fields["fun"], len(fields["fun"])

    def of_problems(count: int, one: str, several: str) -> str:
        return one if problems == 1 else f"{count} of {problems} problems {several}"

    if infeasible := int(np.count_nonzero(fields["violation"])):
        return of_problems(infeasible, "no vector keeps the constraints", "have no vector that keeps the constraints")
    if infinite := int(np.count_nonzero(~np.isfinite(values))):
        return of_problems(
            infinite, f"the best value is {values[0]}, which is not a finite number", "have no value that is a finite number"
        )
    if has_target and fields["solved"] < problems:
        return of_problems(problems - fields["solved"], "the target was not reached", "did not reach the target")
    return ""


@_solver.solver
def differential_evolution(
    func: ObjectiveLike,
    bounds: Any = None,
    args: Sequence[Any] = (),
    *,
    dimensions: Optional[int] = None,
    data: Optional[ArrayLike] = None,
    abscissa: Optional[ArrayLike] = None,
    sigma: Optional[ArrayLike] = None,
    problems: Optional[int] = None,
    x0: Optional[ArrayLike] = None,
    integrality: Optional[ArrayLike] = None,
    violation: Optional[Callable[..., Any]] = None,
    vectorized: bool = False,
    workers: Workers = 1,
    direction: Optional[str] = None,
    runs: int = 1,
    **options: Unpack[_options.DifferentialEvolutionOptions],
) -> DifferentialEvolutionResult:
    """Minimises an objective over real parameters, for one problem or for thousands at once.

    Unlike scipy's, `population` is a number of vectors, not a multiplier, and the usual `strategy`, `mutation` and
    `recombination` adapt themselves (see `adapt`: jDE, Brest et al. 2006; SHADE, Tanabe and Fukunaga 2013; L-SHADE, 2014);
    `mutation` is one number. Problems whose populations have collapsed begin again (see `restarts`). Without `maxiter` and
    `maxfev` a run ends after 1000 generations, that of a fit that is polished after 30. `polish` is by Levenberg and
    Marquardt's method for a fit, else by Nelder and Mead's, and has a tenth of `maxfev`. Several devices share the
    problems; in a job a rank takes its share of those that are named. Where ranks share the run the callback is called ten
    times a second at most, and gets no `nit`.

    One seed gives the same bits on every device. Time: O(problems * generations * population * (dimensions + the
    objective's work)).

    Args:
        func: a built-in objective's name, a `clopt.Objective`, a `clopt.CFunction`, or a function of Python:
            ``func(x, *args)`` with x of shape (dimensions,) returns a number. With `data`, ``func(x, row, *args)``.
            Functions need the processor ("openmp:0"). Under MPI (`clopt.cluster`) ranks share several problems of a name
            or an Objective; what a function, of Python or C, evaluates is the first rank's alone.
        bounds: a pair (least, greatest) for each parameter, or a scipy.optimize.Bounds; None: the objective's usual
            bounds, with `dimensions`.
        args: further arguments of a function of Python.
        dimensions: parameters of a vector; None: as many as bounds.
        data: shape (problems, columns): a row of numbers for each problem, which a text reads by ``row(x, j)``.
            Of a fit, a text with ``real residual(individual x, uint j)``, NaN is a datum that is absent.
        abscissa: of a fit the place of each datum, which the text reads by ``abscissa(x, j)``: of the shape of `data`,
            or (columns,) for all rows; None: 0, 1, 2, ...
        sigma: of a fit the standard deviation of each datum, of these shapes; None: 1. A text that reads
            ``sigma(x, j)`` divides by it itself; the residual of any other text is divided by it.
        problems: how many minimisations, with random numbers of their own; None: 1, or the rows of `data`.
        x0: start vectors within the bounds, shape (dimensions,) or (vectors, dimensions), with which every problem
            begins; the rest is drawn. Shape (problems, vectors, dimensions): each problem has its own.
        integrality: shape (dimensions,): True for each parameter that is a whole number.
        violation: of a function of Python, or of a CFunction, a second one with the same arguments: by how much x
            breaks constraints, 0 or less where it keeps all. A feasible vector is better than an infeasible one, then
            the lesser violation counts, then the value (K. Deb, Computer Methods in Applied Mechanics and Engineering
            186, 2000). A text defines ``real violation(individual x)`` itself.
        vectorized: func gets a whole generation, x of shape (dimensions, S), and returns S values, as in scipy. With
            `data` it is ``func(x, rows, *args)``, with rows of shape (columns, S).
        workers: who evaluates a function of Python, as in scipy: 1, the calling thread; a number of processes, -1 for one
            a core; or a map-like callable, ``workers(func, iterable)``. The result has the same bits. `time_limit` and
            Ctrl-C end processes in the midst of a call. By the start method "fork" any function will do, by others one
            that can be pickled.
        direction: "maximise" for a function that is to be maximised; None: as the objective says, else minimise.
        runs: with seeds one after the other; the result is that of the best one, `trials` and `summary` are of all.

    Raises:
        InvalidInput (a ValueError): an argument without meaning, an objective that does not compile, or another run's
            checkpoint.
        DeviceError, NoDevice (RuntimeErrors): every device failed, or there is none.
        Interrupted (a KeyboardInterrupt): Ctrl-C; its `result` has the best so far.
        Whatever func or callback raises ends the run and is raised here.

    Source: R. Storn and K. Price, Differential Evolution, Journal of Global Optimization 11 (1997).

    Example:
        >>> import clopt
        >>> r = clopt.differential_evolution(lambda x: (x * x).sum(0), 3 * [(-5, 5)], vectorized=True, maxiter=100)
        >>> r.x.shape, r.nit
        ((3,), 100)
    """
    run, given = _solver.split(differential_evolution, options)
    runs = whole(runs, "runs", 1, 10**6)
    _run.refuse_with_runs(runs, run)
    limits, dimensions = _run.bounds_of(bounds, dimensions)
    if dimensions is None:
        raise InvalidInput("neither bounds nor dimensions are given; give one of them")
    control = _core.Control()
    pool = pool_for(workers, func, violation, args, vectorized, control, has_rows=data is not None)
    objective = as_handle(
        func, args=args, vectorized=vectorized, direction=direction, violation=violation, pool=pool, control=control
    )
    maximises = objective.direction == "maximise"
    problem = _core.DifferentialEvolutionProblem(objective, whole(dimensions, "dimensions", 1, 2**32 - 1))
    warn_of_tables(objective, dimensions)
    is_single = data is None and problems is None
    if data is not None:
        rows = numbers(data, "data")
        if rows.ndim != 2:
            raise InvalidInput(f"data has the shape {rows.shape}; give two axes: problems and columns")
        if problems is not None and problems != len(rows):
            raise InvalidInput(f"there are {len(rows)} rows of data and problems={problems}; leave problems out")
        problem.set_data(rows.reshape(-1), rows.shape[1])
        problems = len(rows)
    if (abscissa is not None or sigma is not None) and data is None:
        raise InvalidInput("abscissa and sigma belong to the data of a fit; give data too")
    sides: dict[str, Any] = {"abscissa": abscissa, "sigma": sigma}
    for name, side in sides.items():
        if side is not None:
            sides[name] = _side(side, name, rows)
            getattr(problem, f"set_{name}")(sides[name].reshape(-1))
    if limits is not None:
        problem.set_bounds(*limits)
    if problems is not None:
        problem.problems = whole(problems, "problems", 1, 2**32 - 1)
    if integrality is not None:
        flags = numbers(integrality, "integrality") != 0
        if flags.shape != (dimensions,):
            raise InvalidInput(f"integrality has the shape {flags.shape}; give one truth for each of {dimensions}")
        problem.integer = np.flatnonzero(flags).tolist()
    if x0 is not None:
        starts = numbers(x0, "x0")
        if starts.ndim not in (1, 2, 3) or starts.shape[-1] != dimensions or starts.size == 0:
            raise InvalidInput(f"x0 has the shape {starts.shape}; its last axis is of the {dimensions} parameters")
        given |= {"x0": starts.reshape(-1), "initial_of_problem": starts.shape[1] if starts.ndim == 3 else 0}
    control = _run.make_control(
        run,
        device=device_for(run["device"], func),
        control=control,
        worst=_run.worst_of(maximises),
    )
    with closing(pool):
        fields = _core.differential_evolution(problem, {**given, "seed": run["seed"]}, control, runs)

    def make(fields: dict[str, Any]) -> DifferentialEvolutionResult:
        if len(fields["violation"]) == 0:
            fields["violation"] = _run.read_only(np.zeros(len(fields["fun"])))
        fields["feasible"] = _run.read_only(fields["violation"] == 0)
        has_target = given.get("target") is not None
        several = _run.several(fields, given.get("target"))
        missing = _missing(fields, has_target) or several
        if is_single:
            fields["x"] = fields["x"][0]
            for name in ("fun", "feasible", "violation"):
                fields[name] = fields[name][0].item()
        more: dict[str, Any] = {"_fit": None, "objective": shown_name(func, fields["objective"])}
        if data is not None and len(fields["chi_squared"]) > 0:
            text = Objective.file(func) if isinstance(func, str) else func
            assert isinstance(text, Objective)  # functions of Python have no residuals
            more["_fit"] = FitData(text, rows, **sides, precision=given.get("precision") or "auto", devices=ids_of(run["device"]))
        if not missing and fields["ending"] == "generations" and len(fields["converged"]) and fields["converged"].all():
            more["message"] = "the local search has converged"
        return _run.result_of(DifferentialEvolutionResult, fields, missing, is_reached=has_target, seed=run["seed"], **more)

    return _run.finish(fields, make, maximises, compares=violation is None, target=given.get("target"))
