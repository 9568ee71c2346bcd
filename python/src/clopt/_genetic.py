"""A genetic algorithm whose every stage runs on a device."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _run
from clopt._arguments import numbers, whole
from clopt._devices import DeviceLike
from clopt._objective import ObjectiveLike, as_handle, device_for
from clopt.errors import InvalidInput

__all__ = ["GeneticResult", "genetic"]


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
    seed: int
    """The one given, or the one that was drawn."""


def _named_problem(
    name: str, genes: Optional[int], seed: int, **given: Any
) -> tuple[_core.GeneticProblem, str]:
    """A problem with data of its own, and the kind of its genes."""
    for argument, value in given.items():
        if value is not None:
            raise InvalidInput(f"{argument} is part of the problem {name!r}; leave it out")
    problem = _core.GeneticProblem.find(name, genes, seed)
    return problem, problem.kind


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
    preset: str = "auto",
    population: Optional[int] = None,
    maxiter: Optional[int] = None,
    maxfev: Optional[int] = None,
    stagnation: Optional[int] = None,
    target: Optional[float] = None,
    selection: str = "auto",
    tournament: Optional[int] = None,
    rank_pressure: Optional[float] = None,
    crossover: Optional[float] = None,
    crossover_kind: str = "auto",
    line_extension: Optional[float] = None,
    distribution_index: Optional[float] = None,
    mutation: Optional[float] = None,
    mutation_kind: str = "auto",
    step: Optional[float] = None,
    mutation_index: Optional[float] = None,
    elites: Optional[int] = None,
    restart: Optional[int] = None,
    improve: str = "auto",
    islands: int = 1,
    migrate_every: Optional[int] = None,
    migrants: Optional[int] = None,
    initial: Optional[ArrayLike] = None,
    precision: str = "auto",
    seed: Optional[int] = 1,
    granularity: str = "auto",
    individuals_per_group: Optional[int] = None,
    group_size: Optional[int] = None,
    keep_population: bool = False,
    measure_stages: bool = False,
    device: DeviceLike = None,
    time_limit: Optional[float] = None,
    callback: Optional[_run.Callback] = None,
    callback_interval: float = 0.0,
    statistics: bool = False,
    checkpoint: Optional[_run.Path] = None,
    resume: Optional[_run.Path] = None,
) -> GeneticResult:
    """Searches for a good individual of bits, reals, integers, or a permutation.

    The preset chooses what is None or "auto"; the result's `settings` have its choices. One seed gives the same bits on
    every device. Time: O(generations * islands * population * genes) at worst; memory: twice the populations.

    Args:
        func: a built-in objective's name, a problem's name such as "tour:FILE" (TSPLIB), "qap:FILE" (QAPLIB),
            "maxsat:FILE" or "trap5", a `clopt.Objective`, a `clopt.CFunction` of reals, or a function of Python:
            ``func(x, *args)`` with x of shape (genes,) as float64 returns a number. Functions need "openmp:0".
        genes: of an individual, 1 to 2**26; None: as many as bounds.
        bounds: a pair (least, greatest) for each gene, or one pair for all as [(least, greatest)] with `genes`; None:
            the objective's usual ones. For reals and integers.
        args: further arguments of a function of Python.
        violation: of a function of Python, or of a CFunction, a second one with the same arguments: by how much x
            breaks constraints, 0 or less where it keeps all. A feasible one is better than others, then the lesser
            violation counts, then the value (Deb 2000). A text defines it itself. Not with
            the selections "roulette" and "sus", which go by values.
        kind: of a function's genes: "bits", "reals", "integers" or "permutation"; None: reals. A text has its own.
        direction: "minimise" or "maximise" for functions and names; None: as the objective says, else minimise.
        vectorized: func gets a generation, x of shape (genes, S), and returns S values.
        preset: "auto": the paper's for "onemax", else what does well on the test problems of docs/genetic.md, by the
            kind of genes. "paper": roulette, 128 individuals, crossover 0.8, mutation 0.0001 for bits, no elites.
        population: individuals of an island, from 2 on.
        maxiter: generations; without this, maxfev, stagnation and time_limit 2000.
        maxfev: evaluations; no generation begins that would pass it.
        stagnation: the run ends after this many generations without an improvement.
        target: the run ends with the generation in which a value is as good.
        selection: "auto", "roulette", "tournament", "rank" or "sus".
        tournament, rank_pressure: of these selections.
        crossover: probability for each gene between the points; for order, of a pair.
        crossover_kind: "auto", or a name such as "two-point", "line", "simulated-binary", "order".
        line_extension, distribution_index: of line, and of simulated-binary.
        mutation: probability for each gene.
        mutation_kind: "auto", or a name such as "flip", "step", "gaussian", "polynomial", "swap".
        step: of step, and standard deviation of gaussian; None: 1 % of the range, 1 for integers.
        mutation_index: of polynomial.
        elites: individuals that survive unchanged.
        restart: a new population is drawn after this many generations without an improvement; 0: never.
        improve: "two-opt" makes every tour a local optimum, "none" does not, "auto" does for tours.
        islands, migrate_every, migrants: populations side by side, generations between migrations, and how many go.
        initial: start population, shape (individuals, genes); what is missing is drawn.
        precision: "auto", "float" or "double", of values and real genes.
        seed: an integer from 0 to 2**64-1; None: one is drawn; the result has it.
        granularity, individuals_per_group, group_size: how the device works; no result depends on them.
        keep_population, measure_stages: whether the result has the last population, and the stages' times.
        device: an id, a name or a device of `clopt.open`; of several, the first that does not fail.
        time_limit, callback, callback_interval, statistics, checkpoint, resume: as of `differential_evolution`.

    Raises: as `differential_evolution`. A value of func that is not a number counts as the worst.

    Sources: the paper of the preset "paper" and of the granularities is the thesis "Comparing different parallel
    implementations of genetic algorithms in GPUs on CUDA" (in Portuguese), chapters 2, 4 and 5. Of the operators:
    "rank": J. Baker, Adaptive selection methods for genetic algorithms (1985); "sus": his Reducing bias and inefficiency
    in the selection algorithm (1987); "tournament": D. Goldberg and K. Deb, A comparative analysis of selection schemes
    (1991); "line": H. Muehlenbein and D. Schlierkamp-Voosen, Evolutionary Computation 1 (1993); "simulated-binary": K.
    Deb and R. Agrawal, Complex Systems 9 (1995); "polynomial": K. Deb and M. Goyal, Computer Science and Informatics 26
    (1996); "order": L. Davis, Applying adaptive algorithms to epistatic domains (1985); "two-opt": J. Bentley, ORSA
    Journal on Computing 4 (1992); constraints: K. Deb, Computer Methods in Applied Mechanics and Engineering 186 (2000).
    docs/genetic.md describes how each is done here.
    """
    if islands == 1 and (migrate_every is not None or migrants is not None):
        raise InvalidInput("migrate_every and migrants need several populations: give islands=N")
    drawn = _run.seed_of(seed, resume)
    control = _core.Control()
    limits, genes = _run.bounds_of(bounds, genes)
    if isinstance(func, str) and _core.genetic_has_problem(func):
        if args or vectorized:
            raise InvalidInput("args and vectorized belong to functions of Python; leave them out")
        problem, kind = _named_problem(
            func, genes, drawn, bounds=bounds, direction=direction, kind=kind, violation=violation
        )
        genes = problem.genes
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
        if limits is not None:
            problem.set_bounds(*limits)
    options = _core.GeneticOptions()
    with _run.renamed(generations="maxiter", evaluations="maxfev", lower="bounds"):
        _run.set_options(
            options,
            seed=drawn,
            preset=preset,
            population=population,
            selection=selection,
            tournament=tournament,
            rank_pressure=rank_pressure,
            crossover_kind=crossover_kind,
            crossover=crossover,
            line_extension=line_extension,
            distribution_index=distribution_index,
            mutation_kind=mutation_kind,
            mutation=mutation,
            step=step,
            mutation_index=mutation_index,
            elites=elites,
            restart=restart,
            improve=improve,
            islands=islands,
            migrate_every=migrate_every,
            migrants=migrants,
            precision=precision,
            generations=maxiter,
            evaluations=maxfev,
            stagnation=stagnation,
            target=target,
            granularity=granularity,
            individuals_per_group=individuals_per_group,
            group_size=group_size,
            keep_population=keep_population,
            measure_stages=measure_stages,
        )
        settings = _core.genetic_settings(problem, options)
        for name, value, needs, of in (
            ("tournament", tournament, ("tournament",), "selection"),
            ("rank_pressure", rank_pressure, ("rank",), "selection"),
            ("line_extension", line_extension, ("line",), "crossover_kind"),
            ("distribution_index", distribution_index, ("simulated-binary",), "crossover_kind"),
            ("step", step, ("step", "gaussian"), "mutation_kind"),
            ("mutation_index", mutation_index, ("polynomial",), "mutation_kind"),
        ):
            if value is not None and settings[of] not in needs:
                raise InvalidInput(
                    f"{name} belongs to {' or '.join(needs)}, and this run has {settings[of]}; leave it out"
                )
        if initial is not None:
            start = numbers(initial, "initial")
            if start.ndim != 2 or start.shape[1] != genes:
                raise InvalidInput(f"initial has the shape {start.shape}; give (individuals, {genes})")
            options.set_initial(start.reshape(-1))
        _run.make_control(
            control=control,
            device=device_for(device, func),
            time_limit=time_limit,
            callback=callback,
            callback_interval=callback_interval,
            statistics=statistics,
            checkpoint=checkpoint,
            resume=resume,
            worst=_run.worst_of(problem.maximises),
        )
        fields = _core.genetic(problem, options, control)

    def make(fields: dict[str, Any]) -> GeneticResult:
        best = fields["genes"]
        is_reached = target is not None and fields["ending"] == "target"
        missing = ""
        if not fields["feasible"]:
            missing = "no individual keeps the constraints"
        elif not math.isfinite(fields["fitness"]):
            missing = f"the best value is {fields['fitness']}, which is not a finite number"
        elif target is not None and not is_reached:
            missing = "the target was not reached"
        return GeneticResult(
            **_run.common_fields(fields, missing, is_reached),
            x=best if kind == "reals" else _run.read_only(best.astype(np.int64)),
            fun=fields["fitness"],
            feasible=fields["feasible"],
            violation=fields["violation"],
            nit=fields["generations"],
            restarts=fields["restarts"],
            settings=settings,
            nfev=fields["evaluations"],
            island_fun=fields["island_fitness"],
            population=fields["population"] if keep_population else None,
            population_fun=fields["population_values"] if keep_population else None,
            individuals_per_group=fields["individuals_per_group"],
            stages=fields["stages"],
            seed=drawn,
        )

    result: GeneticResult = _run.finish(fields, make)
    return result
