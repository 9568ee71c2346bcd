"""A genetic algorithm whose every stage runs on a device."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _run, _solver
from clopt._arguments import numbers, whole
from clopt._objective import ObjectiveLike, as_handle, device_for, pool_for, shown_name, warn_of_tables
from clopt._workers import Workers, closing
from clopt.errors import InvalidInput

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from clopt import _options

__all__ = ["GeneticResult", "genetic"]

Result = TypeVar("Result", bound="GeneticResult")


@dataclass(frozen=True, eq=False)
class GeneticResult(_run.RunResult):
    """What was found."""

    x: NDArray[Any]
    """The genes of the best individual ever seen, shape (genes,): float64 for reals, else int64."""
    fun: float
    """Its value. Where no individual keeps the constraints, that of the one with the least violation; NaN where the host
    cannot evaluate it. Infinity (minus infinity of what is maximised) where no value was a number."""
    feasible: bool
    """Whether x keeps all constraints; True where there are none."""
    violation: float
    """By how much it breaks them; 0 where it keeps them."""
    nit: int
    """Generations, from the very start."""
    restarts: int
    """Of them, drawn again where there was no improvement any more."""
    settings: Mapping[str, Any]
    """All values that the run took, those of the preset included."""
    nfev: int
    """Individuals evaluated, the start population included."""
    island_fun: NDArray[np.float64]
    """The best value of each island, shape (islands,)."""
    population: Optional[NDArray[np.float64]]
    """With keep_population the last population, shape (individuals, genes); else None."""
    population_fun: Optional[NDArray[np.float64]]
    """With keep_population its values, shape (individuals,); else None."""
    individuals_per_group: int
    """That shared a work-group."""
    stages: Mapping[str, float]
    """With measure_stages the seconds of each stage."""
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
        if self.population is not None:
            genes = {f"gene{j}": self.population[:, j] for j in range(self.population.shape[1])}
            tables["population"] = {"value": self.population_fun, **genes}
        return tables


def _named_problem(
    name: str, genes: Optional[int], seed: int, **given: Any
) -> _core.GeneticProblem:
    """A problem with data of its own."""
    for argument, value in given.items():
        if value is not None:
            raise InvalidInput(f"{argument} is part of the problem {name!r}; leave it out")
    return _core.GeneticProblem.find(name, genes, seed)


def _no_text(_: float) -> str:
    return ""


def _evolve(
    result_type: type[Result],
    problem: _core.GeneticProblem,
    given: dict[str, Any],
    run: Mapping[str, Any],
    control: _core.Control,
    pool: Any = None,
    *,
    func: Optional[ObjectiveLike] = None,
    initial: Optional[ArrayLike] = None,
    goal: Optional[str] = None,
    runs: int = 1,
    device: Any = None,
    broken: Callable[[float], str] = _no_text,
    compares: bool = True,
    unit: float = 1.0,
    more: Callable[[NDArray[Any]], dict[str, Any]] = lambda _: {},
) -> Result:
    """The result of a problem.

    Args:
        given: the solver's options.
        run: those of the run.
        func: the objective as it was given; None: the problem's name is its.
        broken: what a best value lacks, in words.
        unit: what a unit of the problem's values stands for.
        more: further members of the result, by the best individual.
    """
    genes, kind, maximises = problem.genes, problem.kind, problem.maximises
    if initial is not None:
        start = numbers(initial, "initial")
        if start.ndim != 2 or start.shape[1] != genes:
            raise InvalidInput(f"initial has the shape {start.shape}; give (individuals, {genes})")
        given["initial"] = start.reshape(-1)
    target = given["target"] = _run.target_of(goal, ("optimum",), given, problem.optimum)
    control = _run.make_control(run, device=device, control=control, worst=_run.worst_of(maximises), unit=unit)
    with closing(pool):
        fields = _core.genetic(problem, {**given, "seed": run["seed"]}, control, runs)

    def make(fields: dict[str, Any]) -> Result:
        is_reached = target is not None and fields["ending"] == "target"
        if unit != 1:
            _scale(fields, unit)
        missing = _run.several(fields, target)
        if not fields["feasible"]:
            missing = "no individual keeps the constraints"
        elif not math.isfinite(fields["fun"]):
            missing = f"the best value is {fields['fun']}, which is not a finite number"
        elif target is not None and not is_reached:
            missing = "the target was not reached"
        missing = broken(fields["fun"]) or missing
        fields.update(more(fields["x"]))
        if kind != "reals":
            fields["x"] = _run.read_only(fields["x"].astype(np.int64))
        if not given.get("keep_population"):
            fields["population"] = fields["population_fun"] = None
        fields["objective"] = shown_name(func, fields["objective"])
        return _run.result_of(result_type, fields, missing, is_reached, seed=run["seed"])

    return _run.finish(fields, make, maximises, compares=compares, target=target)


def _scale(fields: dict[str, Any], unit: float) -> None:
    """Gives values their lengths."""
    scale = 1 / unit  # a power of ten: the quotient is the nearest number
    for name in ("fun", "island_fun", "population_fun"):
        fields[name] = fields[name] / scale
    fields["trials"] = [(seed, success, fun / scale, *rest) for seed, success, fun, *rest in fields["trials"]]
    count, successes, best, median, quartiles, worst, nfev = fields["summary"]
    quartiles = tuple(each / scale for each in quartiles)
    fields["summary"] = (count, successes, best / scale, median / scale, quartiles, worst / scale, nfev)
    if table := fields.get("statistics"):
        lengths = [i for i, name in enumerate(table["names"]) if name in ("best", "mean", "worst", "best_so_far")]
        rows = np.array(table["rows"])
        rows[:, lengths] /= scale
        table["rows"] = _run.read_only(rows)


@_solver.solver
def genetic(
    func: ObjectiveLike,
    genes: Optional[int] = None,
    *,
    bounds: Any = None,
    args: Sequence[Any] = (),
    violation: Optional[Callable[..., Any]] = None,
    kind: Optional[str] = None,
    direction: Optional[str] = None,
    vectorized: bool = False,
    workers: Workers = 1,
    initial: Optional[ArrayLike] = None,
    goal: Optional[str] = None,
    runs: int = 1,
    **options: Unpack[_options.GeneticOptions],
) -> GeneticResult:
    """Searches for a good individual of bits, reals, integers, or a permutation.

    The preset chooses what is None or "auto"; the result's `settings` have its choices. "paper" is the thesis's run;
    "auto" is that for "onemax", else what does well on the test problems of docs/designs/genetic.md, by the kind of genes.
    Without `maxiter`, `maxfev`, `stagnation` and `time_limit` a run ends after 2000 generations. It has one device: of
    several, the first that does not fail. One seed gives the same bits on every device. Time: O(generations * islands * population
    * genes) at worst; memory: twice the populations.

    Args:
        func: a built-in objective's name, a problem's name such as "tour:FILE" (see `clopt.tour`), "qap:FILE" (QAPLIB),
            "maxsat:FILE" or "trap5", a `clopt.Objective`, a `clopt.CFunction` of reals, or a function of Python:
            ``func(x, *args)`` with x of shape (genes,) as float64 returns a number. Functions need "openmp:0".
        genes: of an individual, 1 to 2**26; None: as many as bounds.
        bounds: a pair (least, greatest) for each gene, or one pair for all as [(least, greatest)] with `genes`; None:
            the objective's usual ones. For reals and integers.
        args: further arguments of a function of Python.
        violation: of a function of Python, or of a CFunction, a second one with the same arguments: by how much x
            breaks constraints, 0 or less where it keeps all. A feasible one is better than others, then the lesser
            violation counts, then the value (Deb 2000). A text defines it itself. Not with
            the selections "roulette", "roulette-walk" and "sus", which go by values.
        kind: of a function's genes: "bits", "reals", "integers" or "permutation"; None: reals. A text has its own.
        direction: "minimise" or "maximise" for functions and names; None: as the objective says, else minimise.
        vectorized: func gets a generation, x of shape (genes, S), and returns S values.
        workers: who evaluates a function of Python, as in scipy: 1, the calling thread; a number of processes, -1 for one
            a core; or a map-like callable, ``workers(func, iterable)``. The result has the same bits. `time_limit` and
            Ctrl-C end processes in the midst of a call. By the start method "fork" any function will do, by others one
            that can be pickled.
        initial: start population, shape (individuals, genes); what is missing is drawn.
        goal: a target by name: "optimum", where the objective or its file states it.
        runs: with seeds one after the other; the result is that of the best one, `trials` and `summary` are of all.
            A problem that is drawn from the seed is the same for all.

    Raises: as `differential_evolution`. A value of func that is not a number counts as the worst.

    Sources: the paper of the preset "paper" and of the granularities is the thesis "Comparing different parallel
    implementations of genetic algorithms in GPUs on CUDA" (in Portuguese), chapters 2, 4 and 5. Of the operators:
    "rank": J. Baker, Adaptive selection methods for genetic algorithms (1985); "sus": his Reducing bias and inefficiency
    in the selection algorithm (1987); "tournament": D. Goldberg and K. Deb, A comparative analysis of selection schemes
    (1991); "line": H. Muehlenbein and D. Schlierkamp-Voosen, Evolutionary Computation 1 (1993); "simulated-binary": K.
    Deb and R. Agrawal, Complex Systems 9 (1995); "polynomial": K. Deb and M. Goyal, Computer Science and Informatics 26
    (1996); "order": L. Davis, Applying adaptive algorithms to epistatic domains (1985); "two-opt": J. Bentley, ORSA
    Journal on Computing 4 (1992); constraints: K. Deb, Computer Methods in Applied Mechanics and Engineering 186 (2000).
    docs/designs/genetic.md describes how each is done here.
    """
    run, given = _solver.split(genetic, options)
    runs = whole(runs, "runs", 1, 10**6)
    _run.refuse_with_runs(runs, run)
    control = _core.Control()
    limits, genes = _run.bounds_of(bounds, genes)
    pool = pool_for(workers, func, violation, args, vectorized, control)
    if isinstance(func, str) and _core.genetic_has_problem(func):
        if args or vectorized:
            raise InvalidInput("args and vectorized belong to functions of Python; leave them out")
        problem = _named_problem(
            func, genes, run["seed"], bounds=bounds, direction=direction, kind=kind, violation=violation
        )
    else:
        if genes is None:
            raise InvalidInput("neither genes nor bounds are given; give one of them")
        objective = as_handle(
            func,
            args=args,
            vectorized=vectorized,
            kind=kind or "reals",
            direction=direction,
            violation=violation,
            pool=pool,
            control=control,
        )
        if kind is not None and kind != objective.kind:
            raise InvalidInput(
                f"kind={kind!r} belongs to functions, and this objective is of {objective.kind}; leave it out"
            )
        kind = objective.kind
        if limits is not None and kind not in ("reals", "integers"):
            raise InvalidInput(f"bounds belong to reals and integers, and these genes are {kind}; leave them out")
        problem = _core.GeneticProblem(objective, whole(genes, "genes", 1, 2**26))
        warn_of_tables(objective, genes)
        if limits is not None:
            problem.set_bounds(*limits)
    return _evolve(
        GeneticResult,
        problem,
        given,
        run,
        control,
        pool,
        initial=initial,
        goal=goal,
        func=func,
        runs=runs,
        device=device_for(run["device"], func),
        broken=lambda best: _run.broken_clauses(func, best),
        compares=violation is None,
    )
