"""The extended compact genetic algorithm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import NDArray

from clopt import _core, _run, _solver
from clopt._arguments import whole
from clopt._objective import Objective, ObjectiveLike, as_handle, device_for, pool_for, shown_name, warn_of_tables
from clopt._workers import Workers, closing
from clopt.errors import InvalidInput

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from clopt import _options

__all__ = ["EcgaResult", "EcgaTrial", "ecga"]


@dataclass(frozen=True)
class EcgaTrial:
    """One of several runs."""

    population: int
    seed: int
    success: bool
    """Whether it reached the target or, without one, the optimum, where it is known or proven."""
    fun: float
    nit: int
    nfev: int


@dataclass(frozen=True, eq=False)
class EcgaResult(_run.RunResult):
    """What was found."""

    x: NDArray[np.uint8]
    """The best individual of the whole run, 0 or 1 a locus, shape (length,)."""
    fun: float
    """Its value."""
    nit: int
    """Models built."""
    nfev: int
    """Individuals evaluated; where the population has grown, by all of `trials`."""
    model: list[list[int]]
    """Groups of loci that depend on each other, each ascending, in the order of their first loci. The last of the models
    that join the most loci: as loci become fixed, later ones lose groups."""
    model_generation: int
    """In which it was built, from 1 on; 0: no model was."""
    models: Optional[dict[int, list[list[int]]]]
    """The model of each generation, by its number; None unless keep_models."""
    population: int
    """The one used; where it has grown, that of the first of the best runs, as `nit`, `model` and the checksum are."""
    converged: bool
    """Whether all individuals are equal."""
    optimal: bool
    """Whether `fun` is proven to be the best value of all; `message` says so."""
    optimum: Optional[float]
    """The best value of all, where it is known."""
    counting: str
    """The way of counting used."""
    passes: int
    """Over the population's counts, of all searches for a model."""
    merges: int
    device_bytes: int
    """Taken on each device."""
    model_seconds: float
    """Building models, within seconds.compute."""
    trials: tuple[EcgaTrial, ...]
    """All runs that were made, in their order."""
    summary: _run.RunsSummary
    """Of all runs."""
    objective: str
    """Its name, as the program prints it; of a function of Python its own."""
    _grows: bool
    seed: int
    """The one given, or the one that was drawn; of several runs that of the first."""

    def to_networkx(self) -> Any:
        """The model as a networkx.Graph: a node for each locus, an edge between any two loci of a group. A node's
        attribute `group` is the group's number in `model`, `value` the locus's bit in `x`."""
        from clopt import _graphs

        return _graphs.of_model(self.model, self.x)


def _refuse_together(runs: int, sizing: str, run: dict[str, Any], target: Optional[float]) -> None:
    """Refuses what several runs cannot have."""
    if sizing not in ("", "auto", "double"):
        raise InvalidInput(f"`population` is {sizing!r}; give a number, 'auto' or 'double'")
    if sizing and runs != 1:
        raise InvalidInput(f"`runs` and `population` {sizing!r} contradict each other: it has runs of its own")
    if sizing and target is None:
        raise InvalidInput(f"`population` {sizing!r} tries populations until runs succeed: give `goal` or `target`")
    if sizing:
        _run.refuse_with_runs(0, run, "`population` makes")
    _run.refuse_with_runs(runs, run)


@_solver.solver
def ecga(
    func: ObjectiveLike = "trap5",
    length: Optional[int] = None,
    *,
    args: Sequence[Any] = (),
    direction: Optional[str] = None,
    vectorized: bool = False,
    workers: Workers = 1,
    goal: Optional[str] = None,
    runs: int = 1,
    **options: Unpack[_options.EcgaOptions],
) -> EcgaResult:
    """Maximises an objective of bits, and learns which bits depend on each other.

    Without `population` a run that ends without the target, the known optimum and a proven best is followed by others,
    of twice the population each, until two bring nothing better; `trials` has all, and limits are of all together. A
    run ends once its best is proven (`optimal`), as where all clauses of a formula hold. `population` "auto" finds the
    least one with which ten runs of ten reach the target, by bisection, and "double" doubles it until a run does; the
    result is that of the last run that did. All devices count. One seed gives the same bits on every device; it also
    draws the problems that are drawn.

    Args:
        func: "trapK", "onemax", "hiff", "nk:FILE", "maxsat:FILE.cnf", "ising:FILE" or another name that the message
            of a wrong one lists; a `clopt.Objective` of bits; or a function of Python, ``func(x, *args)`` with x of
            shape (length,), zeros and ones as float64. Functions need "openmp:0".
        length: loci; None: as the file says.
        args: further arguments of a function of Python.
        direction: "minimise" for a function that is to be minimised; None: maximise, unless the objective says.
        vectorized: func gets a generation, x of shape (length, S), and returns S values.
        workers: who evaluates a function of Python, as in scipy: 1, the calling thread; a number of processes, -1 for one
            a core; or a map-like callable, ``workers(func, iterable)``. The result has the same bits. `time_limit` and
            Ctrl-C end processes in the midst of a call. By the start method "fork" any function will do, by others one
            that can be pickled.
        goal: a target by name: "optimum", or of traps "m-1", all blocks but one right.
        runs: with seeds one after the other; the result is that of the best one, and `trials` has all.

    Raises: as `differential_evolution`; where no value of func is a finite number, the result says so.

    Source: G. Harik, Linkage learning via probabilistic modeling in the ECGA (1999); docs/ecga.md names the others.

    Example:
        >>> import clopt
        >>> r = clopt.ecga("trap5", length=20, population=1000)
        >>> r.fun, r.success, r.converged
        (20.0, True, True)
    """
    run, given = _solver.split(ecga, options)
    runs = whole(runs, "runs", 1, 10**6)
    control = _core.Control()
    pool = pool_for(workers, func, None, args, vectorized, control)
    if isinstance(func, str) and func.endswith(".cl"):
        func = Objective.file(func)
    if isinstance(func, str):
        if args or vectorized or direction is not None:
            raise InvalidInput("args, vectorized and direction belong to functions; leave them out")
        try:
            problem = _core.EcgaProblem.find(func, length, run["seed"])
        except TypeError:
            raise InvalidInput(f"length={length!r}: give a whole number from 1 to 2**20") from None
    else:
        if length is None:
            raise InvalidInput("length is missing: how many loci has an individual?")
        if isinstance(func, Objective) and not func._says_kind:
            func = func._of_kind("bits")  # a text that does not say what its genes are is of bits here
        objective = as_handle(
            func,
            args=args,
            vectorized=vectorized,
            kind="bits",
            direction=direction,
            usual_direction="maximise",
            pool=pool,
            control=control,
        )
        problem = _core.EcgaProblem(objective, whole(length, "length", 1, 2**20))
        warn_of_tables(objective, length)
    if goal == "m-1" and not (isinstance(func, str) and "trap" in func and not func.startswith("cyclic-trap")):
        raise InvalidInput("`goal` m-1 belongs to traps that share no loci; give goal='optimum' or `target`")
    target = given["target"] = _run.target_of(goal, ("optimum", "m-1"), given, problem.optimum)
    sizing = given.pop("population") if isinstance(given.get("population"), str) else ""
    _refuse_together(runs, sizing, run, target)
    control = _run.make_control(run, device=device_for(run["device"], func), control=control)
    with closing(pool):
        fields = _core.ecga(problem, {**given, "seed": run["seed"]}, control, runs, sizing)

    def make(fields: dict[str, Any]) -> EcgaResult:
        trials = tuple(EcgaTrial(*each) for each in fields["trials"])
        summary = _run.RunsSummary(*fields["summary"])
        is_reached = target is None and fields["optimal"]
        if target is not None:
            is_reached = fields["fun"] >= target if problem.maximises else fields["fun"] <= target
        missing = "the target was not reached" if target is not None and not is_reached else ""
        if not math.isfinite(fields["fun"]):
            missing = f"the best value is {fields['fun']}, which is not a finite number"
        missing = _run.broken_clauses(func, fields["fun"]) or missing
        if not given.get("keep_models"):
            fields["models"] = None
        more = {"optimum": problem.optimum, "seed": run["seed"], "_grows": not given.get("population")}
        more["objective"] = func if isinstance(func, str) else shown_name(func, fields["objective"])
        proven = "no value can be better" if fields["optimal"] else ""
        return _run.result_of(EcgaResult, fields, missing, is_reached, proven, trials=trials, summary=summary, **more)

    return _run.finish(fields, make, problem.maximises, target=target)
