"""The extended compact genetic algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from clopt import _core, _run
from clopt._arguments import whole
from clopt._devices import DeviceLike
from clopt._objective import Objective, ObjectiveLike, as_handle, device_for
from clopt.errors import InvalidInput

__all__ = ["EcgaResult", "ecga"]


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
    """Individuals evaluated."""
    model: list[list[int]]
    """The last model: groups of loci that depend on each other, each ascending, in the order of their first loci."""
    population: int
    """The one used."""
    converged: bool
    """Whether all individuals are equal."""
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
    seed: int
    """The one given, or the one that was drawn."""

    def to_networkx(self) -> Any:
        """The model as a networkx.Graph: a node for each locus, an edge between any two loci of a group. A node's
        attribute `group` is the group's number in `model`, `value` the locus's bit in `x`."""
        from clopt import _graphs

        return _graphs.of_model(self.model, self.x)


def ecga(
    func: ObjectiveLike = "trap5",
    length: Optional[int] = None,
    *,
    args: Sequence[Any] = (),
    direction: Optional[str] = None,
    vectorized: bool = False,
    population: Optional[int] = None,
    search: str = "greedy",
    counting: str = "auto",
    tournament: int = 8,
    crossover: float = 1.0,
    largest_group: int = 10,
    maxiter: Optional[int] = None,
    maxfev: Optional[int] = None,
    stagnation: Optional[int] = 50,
    target: Optional[float] = None,
    seed: Optional[int] = 1,
    device: DeviceLike = None,
    time_limit: Optional[float] = None,
    callback: Optional[_run.Callback] = None,
    callback_interval: float = 0.0,
    statistics: bool = False,
    checkpoint: Optional[_run.Path] = None,
    resume: Optional[_run.Path] = None,
) -> EcgaResult:
    """Maximises an objective of bits, and learns which bits depend on each other.

    One seed gives the same bits on every device.

    Args:
        func: "trapK", "onemax", "hiff", "nk:FILE", "maxsat:FILE.cnf", "ising:FILE" or another name that the message
            of a wrong one lists; a `clopt.Objective` of bits; or a function of Python, ``func(x, *args)`` with x of
            shape (length,), zeros and ones as float64. Functions need "openmp:0".
        length: loci; None: as the file says.
        args: further arguments of a function of Python.
        direction: "minimise" for a function that is to be minimised; None: maximise, unless the objective says.
        vectorized: func gets a generation, x of shape (length, S), and returns S values.
        population: individuals; None: one and a half times the paper's for this length.
        search: of the model: "greedy" (Harik 1999) or "mating" (the paper's).
        counting: "auto", "popcount", "table", "matrix", ...; no model depends on it.
        tournament: individuals of a tournament, from 1 to 1024.
        crossover: the part of the population that the model's samples replace, from 0 to 1.
        largest_group: the most loci of a group, from 1 to 10.
        maxiter: models built.
        maxfev: evaluations.
        stagnation: generations without an improvement of best or mean after which the run ends; None: no limit.
        target: the value with which the run ends.
        seed: an integer from 0 to 2**64-1; it also draws the problems that are drawn. None: one is drawn; the
            result has it.
        device: an id, a name, a device of `clopt.open`, or a list of these; all of them count.
        time_limit, callback, callback_interval, statistics, checkpoint, resume: as of `differential_evolution`.

    Raises: as `differential_evolution`; InvalidInput also where a value of func is not finite.

    Source: G. Harik, Linkage learning via probabilistic modeling in the ECGA (1999); docs/ecga.md names the others.

    Example:
        >>> import clopt
        >>> r = clopt.ecga("trap5", length=20, population=1000)
        >>> r.fun, r.success, r.converged
        (20.0, True, True)
    """
    drawn = _run.seed_of(seed, resume)
    control = _core.Control()
    if isinstance(func, str) and func.endswith(".cl"):
        func = Objective.file(func)
    if isinstance(func, str):
        if args or vectorized or direction is not None:
            raise InvalidInput("args, vectorized and direction belong to functions; leave them out")
        try:
            problem = _core.EcgaProblem.find(func, length, drawn)
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
            control=control,
        )
        problem = _core.EcgaProblem(objective, whole(length, "length", 1, 2**20))
    options = _core.EcgaOptions()
    with _run.renamed(generations="maxiter", evaluations="maxfev"):
        _run.set_options(
            options,
            population=population,
            search=search,
            counting=counting,
            tournament=tournament,
            crossover=crossover,
            largest_group=largest_group,
            seed=drawn,
            generations=maxiter,
            evaluations=maxfev,
            stagnation=stagnation,
            target=target,
        )
        if stagnation is None:
            options.stagnation = None
        _run.make_control(
            control=control,
            device=device_for(device, func),
            time_limit=time_limit,
            callback=callback,
            callback_interval=callback_interval,
            statistics=statistics,
            checkpoint=checkpoint,
            resume=resume,
        )
        fields = _core.ecga(problem, options, control)

    def make(fields: dict[str, Any]) -> EcgaResult:
        is_reached = False
        if target is not None:
            is_reached = fields["fitness"] >= target if problem.maximises else fields["fitness"] <= target
        missing = "the target was not reached" if target is not None and not is_reached else ""
        return EcgaResult(
            **_run.common_fields(fields, missing, is_reached),
            x=fields["genes"],
            fun=fields["fitness"],
            nit=fields["generations"],
            nfev=fields["evaluations"],
            model=fields["model"],
            population=fields["population"],
            converged=fields["converged"],
            optimum=problem.optimum,
            counting=fields["counting"],
            passes=fields["passes"],
            merges=fields["merges"],
            device_bytes=fields["device_bytes"],
            model_seconds=fields["model_seconds"],
            seed=drawn,
        )

    result: EcgaResult = _run.finish(fields, make)
    return result
