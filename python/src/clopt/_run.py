"""What every solver's call has in common."""

from __future__ import annotations

import atexit
import csv
import dataclasses
import inspect
import io
import math
import os
import secrets
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _show
from clopt._arguments import Floats, Path, numbers, path_of, seconds_of, whole, without_frames
from clopt._devices import DeviceLike, open_all
from clopt.cluster import Report, report_of
from clopt.errors import Interrupted, InvalidInput

# Runs of other threads, and those that Ctrl-C left in a long launch, end before the process does.
atexit.register(_core.end_all)

__all__ = ["DevicePart", "IntermediateResult", "RunResult", "RunsSummary", "Seconds", "Trial"]


@dataclass(frozen=True)
class Seconds:
    """The times of a run, in seconds. What is done beside the work counts as the work."""

    total: float
    """What the call took: the sum of the others."""
    compute: float
    """From the first to the last work of the solver proper."""
    build: float
    """Building programs and kernels."""
    open: float
    """Opening drivers and devices."""
    other: float
    """The rest: arguments and results, preparation, checks."""


@dataclass(frozen=True)
class DevicePart:
    """What a device did of a run."""

    id: str
    name: str
    share: float
    """Of the work that the result is made of, from 0 to 1."""
    seconds: float
    """For which it had the run, or of several devices for which it was at work."""
    beside: float
    """For which it was opened and tried beside the run: not in the times of the run."""
    failures: list[str]
    """How it has failed; empty where it has not."""


@dataclass(frozen=True, eq=False)
class IntermediateResult:
    """What a callback gets, as scipy's callbacks get it. The callback is called on the thread that called the solver."""

    x: Optional[Floats]
    """The best so far, shape (genes,); None where it is not on the host yet, or where there is none."""
    fun: Optional[float]
    """Its value; None before there is one. Infinity (minus infinity of what is maximised) while no value is a number,
    or none keeps the constraints. Of `exchange` the conflicts, of `subset_sum` the sum."""
    nit: int
    """Generations so far; 0 in a run that ranks share (`clopt.cluster`)."""
    nfev: int
    """Evaluations so far."""
    phase: str
    """What the solver is doing, in its own terms."""
    done: float
    """The part of the phase that is done, from 0 to 1."""
    statistics: Mapping[str, float]
    """The newest row of the statistics; in a run that ranks share "nfev" alone."""


@dataclass(frozen=True, eq=False)
class RunResult:
    """The part that the results of all solvers have in common. Arrays lie in the library's memory and are read-only."""

    success: bool
    """Whether there is an answer: the best value is a finite number and keeps the constraints, and the target is reached
    where there is one (of `exchange`: the schedule is valid); else the run must not have been interrupted or out of time,
    unless `ecga` had proven its best.
    Unlike scipy's it is True where `maxiter` or `maxfev` ended the run, since most have no other end: `ending` names it."""
    message: str
    """How the run ended, in words; where success is False for another reason, this before it."""
    ending: str
    """ "complete", "target", "generations", "evaluations", "time", "stagnation" or "interrupted" (by the callback, or
    by Ctrl-C)."""
    method: str
    """The method used: the one asked for, or the one that "auto" chose."""
    reason: str
    """Why this one."""
    checksum: str
    """Of the final state, in hexadecimal: the same on every device, and the one that the program prints."""
    seconds: Seconds
    launches: int
    """Kernels launched."""
    devices: tuple[DevicePart, ...]
    """Those that the work chose, in the order of their first parts; or those that have shared the run, where `device` names
    several. Empty where one that is named has done all."""
    failures: tuple[str, ...]
    """Devices that failed during the run, and why; the others did their work."""
    unchecked: str
    """Why the best was not evaluated again on the host; empty where it was."""
    cluster: Optional[Report]
    """What the ranks of a job have done; None outside a job. See `clopt.cluster`."""
    statistics: Optional[Mapping[str, Floats]]
    """With ``statistics=True`` the columns of a table with a row for each generation: "nit", "nfev", "best", "mean",
    "worst" and what the solver adds; else None."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        # Where a class has none of its own, dataclass writes one that shows every number of every array.
        cls.__repr__ = RunResult.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        return _show.as_text(self)

    def _repr_html_(self) -> str:
        return _show.as_html(self)

    def _tables(self) -> dict[str, Mapping[str, Any]]:
        """The tables that the result has, the one that is meant first; each has columns of one length."""
        trials: tuple[Any, ...] = getattr(self, "trials", ())
        tables: dict[str, Mapping[str, Any]] = {}
        if self.statistics is not None:
            tables["statistics"] = self.statistics
        if len(trials) > 1:
            names = [each.name for each in dataclasses.fields(trials[0])]
            tables["runs"] = {name: [getattr(trial, name) for trial in trials] for name in names}
        return tables

    def _file_tables(self) -> dict[str, Mapping[str, Any]]:
        """The same as files have them."""
        return self._tables()

    @staticmethod
    def _table(tables: Mapping[str, Mapping[str, Any]], what: Optional[str]) -> Mapping[str, Any]:
        if not tables:
            raise InvalidInput("the result has no table: there is one of `runs`, of `statistics=True` and of many problems")
        if what is not None and what not in tables:
            raise InvalidInput(f"there is no table {what!r}; the result has {', '.join(map(repr, tables))}")
        return tables[what or next(iter(tables))]

    def to_dataframe(self, what: Optional[str] = None) -> Any:
        """A table of the result as a pandas.DataFrame.

        Args:
            what: "runs" (a row for each of several), "statistics" (a row for each generation, of a run with
                ``statistics=True``); of `differential_evolution` with `data` or `problems` "problems"; of `genetic` with
                keep_population "population". None: the first of these that the result has.

        Raises:
            ImportError: pandas is not installed.
            InvalidInput: the result has no such table.
        """
        try:
            import pandas
        except ImportError:
            raise ImportError("tables are pandas's, which is not there; pip install pandas", name="pandas") from None
        return pandas.DataFrame(dict(self._table(self._tables(), what)))

    def to_csv(self, path: Optional[Path] = None, what: Optional[str] = None) -> Optional[str]:
        """Writes a table of the result, as `to_dataframe` has it, as CSV: numbers with all their digits.

        Of `tour`, positions and cities are counted from 1 in it, as in the program's files.

        Args:
            path: of the file; None: the text is returned.
        """
        table = self._table(self._file_tables(), what)
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(zip(*(np.asarray(column).tolist() for column in table.values())))
        if path is None:
            return file.getvalue()
        with open(path, "w", encoding="utf-8") as target:
            target.write(file.getvalue())
        return None

    @without_frames
    def plot(
        self,
        what: Optional[str] = None,
        *,
        ax: Any = None,
        weights: Optional[ArrayLike] = None,
        rows: Optional[Sequence[int]] = None,
    ) -> Any:
        """Draws a picture by matplotlib, and returns its Axes (``.figure.savefig("run.png")`` saves it).

        Args:
            what: "statistics" (best, mean and worst over the generations, of a run with ``statistics=True``); of
                `differential_evolution` also "fit" (of residuals: data, curves and residuals), "values" (of many problems)
                and "parameters"; of `fit` "fit" (data, curves and residuals), "chi_squared" (over the degrees of freedom, of
                many rows) and "parameters"; of `genetic` "genes"; of `tour` "map"; of `ecga` "model" (which loci belong
                together); of `subset_sum` "methods" (the times that method "auto" compared), "items" and "weights"; of
                `exchange` "links" (whose messages channels carry in each slot) and "steps" (the network of each slot, with
                its messages coloured by sender). None: the first of these that the result has something for, of fits "fit",
                of `exchange` and `ecga` not the statistics.
            ax: the Axes to draw in; None: those of a new figure of pyplot.
            weights: of `subset_sum` all weights of the instance, shape (n,): the chosen ones are drawn among them.
            rows: of "fit" the rows to draw, from 0; None: the first 6, of `differential_evolution` the best, the median and
                the worst. Its Axes have the panels as ``child_axes``; the titles of `fit` count rows from 1, as the program.

        Raises:
            ImportError: matplotlib is not installed.
            InvalidInput: there is no such picture, or the result has nothing for it.
        """
        from clopt import _plot

        return _plot.draw(self, what, ax, weights, rows)


Callback = Callable[[IntermediateResult], Any]


@dataclass(frozen=True)
class Trial:
    """One of several runs."""

    seed: int
    success: bool
    """Whether it reached the target; of `genetic` without one the optimum, where it is known and genes are no reals."""
    fun: float
    """The best value; NaN where nothing was found that keeps the constraints."""
    nit: int
    nfev: int


@dataclass(frozen=True)
class RunsSummary:
    """What several runs show together. A value that is NaN counts as the worst."""

    runs: int
    successes: int
    best: float
    median: float
    quartiles: tuple[float, float]
    """As numpy.quantile has them."""
    worst: float
    nfev: Optional[float]
    """The evaluations that a success is expected to take: those of all runs, over the successes; None without any."""


def several(fields: dict[str, Any], target: Optional[float]) -> str:
    """Makes objects of a result's trials and their summary, and says how many runs missed the target."""
    fields["trials"] = tuple(Trial(*each) for each in fields["trials"])
    fields["summary"] = RunsSummary(*fields["summary"])
    runs, successes = fields["summary"].runs, fields["summary"].successes
    if runs == 1 or target is None or successes == runs:
        return ""
    return f"{runs - successes} of {runs} runs did not reach the target"


def refuse_with_runs(runs: int, run: Mapping[str, Any], why: str = "`runs` makes") -> None:
    """Refuses what belongs to a single run."""
    for name in ("statistics", "checkpoint", "resume"):
        if run[name] and runs != 1:
            raise InvalidInput(f"`{name}` belongs to one run, and {why} several")


_MESSAGES = {
    "complete": "the work is finished",
    "target": "the target was reached",
    "generations": "the limit of generations was reached",
    "evaluations": "the limit of evaluations was reached",
    "time": "the limit of time was reached",
    "stagnation": "nothing got better for as many generations as were allowed",
    "interrupted": "the callback ended the run",
}


def make_control(
    run: Mapping[str, Any],
    *,
    device: DeviceLike = None,
    usual_interval: float = 0.0,
    unit: float = 1.0,
    worst: Optional[float] = None,
    control: Optional[_core.Control] = None,
    certificate: Optional[Path] = None,
) -> _core.Control:
    """The library's controls of a call, which opens the devices once the options are checked.

    Args:
        run: the arguments that all solvers take (`_solver.RunArguments`).
        device: the one to take where none is given.
        usual_interval: between two calls of the callback.
        unit: of values, for the callback.
        worst: what a callback gets while generations have no value; None: it is not called then.
        control: the one that the objective knows; None: a new one.
        certificate: a file for the proof, of solvers that have one.
    """
    control = control or _core.Control()
    callback, interval = run.get("callback"), run.get("callback_interval")
    if callback is not None and not callable(callback):
        raise TypeError(f"callback: {callback!r} cannot be called")
    if not isinstance(run.get("statistics", False), (bool, np.bool_)):
        raise InvalidInput(f"statistics={run['statistics']!r}: give True or False")
    if run.get("time_limit") is not None:
        control.time_limit = seconds_of(run["time_limit"], "time_limit")
    control.callback_interval = usual_interval if interval is None else seconds_of(interval, "callback_interval")
    control.statistics = bool(run.get("statistics", False))
    if run.get("checkpoint") is not None:
        control.checkpoint = path_of(run["checkpoint"], "checkpoint")
    if run.get("resume") is not None:
        control.resume = path_of(run["resume"], "resume")
    if certificate is not None:
        control.certificate = path_of(certificate, "certificate")
    if callback is not None:
        control.callback = _progress_of(by_position(callback), worst, unit)
    control.open_devices = lambda: open_all(run.get("device") if device is None else device)
    return control


def by_position(callback: Callback) -> Callback:
    """A callback that takes its argument by name alone, as scipy's may."""
    try:
        parameters = inspect.signature(callback).parameters.values()
    except (TypeError, ValueError):
        return callback
    if [(each.name, each.kind) for each in parameters] != [("intermediate_result", inspect.Parameter.KEYWORD_ONLY)]:
        return callback
    by_name: Callable[..., Any] = callback
    return lambda state: by_name(intermediate_result=state)


def _progress_of(callback: Callback, worst: Optional[float], unit: float) -> Callable[..., bool]:
    def progress(
        phase: str, done: float, best: Optional[float], point: Optional[Floats], row: dict[str, float]
    ) -> bool:
        if best is None and phase == "generations":
            if worst is None or not row:
                return True  # no value yet
            best = worst
        state = IntermediateResult(
            x=point,
            fun=best if best is None else best * unit,
            nit=int(row.get("nit", 0)),
            nfev=int(row.get("nfev", 0)),
            phase=phase,
            done=done,
            statistics=row,
        )
        try:
            return not callback(state)
        except StopIteration:
            return False

    return progress


def seed_of(seed: Any, resume: Optional[Path]) -> int:
    """The seed that was given, or one that is drawn."""
    if seed is None:
        if resume is not None:
            raise InvalidInput("seed=None draws a seed, and a resumed run has one; give the `seed` of its result")
        return secrets.randbits(63)
    return whole(seed, "seed", 0, 2**64 - 1, "a whole number from 0 to 2**64-1, or None for one that is drawn")


def worst_of(maximises: bool) -> float:
    """The value that is worse than all others."""
    return -math.inf if maximises else math.inf


Result = TypeVar("Result", bound=RunResult)


def with_total(result: Result, waited: Callable[[], float]) -> Result:
    """A new result whose times add up to what the caller has waited."""
    times = result.seconds
    parts = times.compute + times.build + times.open
    other = max(times.other, waited() - parts)
    seconds = Seconds(parts + other, times.compute, times.build, times.open, other)
    object.__setattr__(result, "seconds", seconds)
    return result


def broken_clauses(func: Any, best: float) -> str:
    """Only a weighted formula has values below 0, where a hard clause costs more than all others give."""
    is_formula = isinstance(func, str) and func.startswith("maxsat:")
    return "not all hard clauses hold, and they may contradict each other" if is_formula and best < 0 else ""


def result_of(
    kind: type[Result],
    fields: dict[str, Any],
    missing: str = "",
    is_reached: bool = False,
    proven: str = "",
    **more: Any,
) -> Result:
    """The result of a run from what the library gives, whose names are those of the result's members.

    Args:
        missing: what the answer lacks, in words; empty where it lacks nothing.
        is_reached: whether it is what was asked for, however the run ended.
        proven: what the run has proven, in words.
        more: members that have another value than in `fields`.
    """
    ending, table = fields["ending"], fields.get("statistics")
    ended = "Ctrl-C ended the run" if fields["interrupted"] else _MESSAGES[ending]
    members = {
        **fields,
        "success": not missing and (is_reached or ending not in ("interrupted", "time")),
        "message": "; ".join(filter(None, (missing, ended, proven))),
        "checksum": f"{fields['checksum']:016x}",
        "seconds": Seconds(*fields["seconds"]),
        "cluster": report_of(fields["cluster"]),
        "devices": tuple(DevicePart(*each) for each in fields["devices"]),
        "statistics": table and {name: table["rows"][:, i] for i, name in enumerate(table["names"])},
        **more,
    }
    return kind(**{each.name: members[each.name] for each in dataclasses.fields(kind)})


def _take_left(fields: dict[str, Any], maximises: bool, compares: bool, target: Optional[float]) -> None:
    """Counts what was evaluated of the generation within which the run ended, and takes its best where that is better."""
    is_first, evaluated, best, point = fields["left"]
    fields["nfev"] = evaluated if is_first else fields["nfev"] + evaluated
    if is_first or best is None or not compares or np.size(fields["fun"]) != 1:
        return
    before = float(np.ravel(fields["fun"])[0])
    if best > before if maximises else best < before:
        is_array = isinstance(fields["fun"], np.ndarray)
        fields["fun"] = read_only(np.array([best])) if is_array else best
        fields["x"] = read_only(np.reshape(point, fields["x"].shape).astype(fields["x"].dtype))
        if target is not None and (best >= target if maximises else best <= target):
            fields["solved"] = 1
            if not fields["interrupted"]:
                fields["ending"] = "target"


def finish(
    fields: dict[str, Any],
    make: Callable[[dict[str, Any]], Result],
    maximises: bool = False,
    compares: bool = True,
    target: Optional[float] = None,
) -> Result:
    """The result of a run, or the exception that says that Ctrl-C ended it.

    Args:
        maximises: the objective, whose values alone say what is better where it `compares`.
    """
    if fields.get("unfinished"):
        if fields["best"] is None:
            raise Interrupted("Ctrl-C ended the run, which had no result yet")
        best = IntermediateResult(
            x=fields.get("point"), fun=fields["best"], nit=0, nfev=fields["nfev"], phase="", done=0.0, statistics={}
        )
        raise Interrupted("Ctrl-C ended the run; `result` of this exception has the best that it had reported", best)
    if fields.get("left") is not None:
        _take_left(fields, maximises, compares, target)
    result = make(fields)
    if fields.get("without_certificate"):
        warnings.warn(fields["without_certificate"], RuntimeWarning, stacklevel=4)
    if fields["interrupted"]:
        raise Interrupted("Ctrl-C ended the run; `result` of this exception has the best so far", result)
    return result


def target_of(
    goal: Optional[str], goals: tuple[str, ...], given: Mapping[str, Any], optimum: Optional[float]
) -> Optional[float]:
    """The target of a call: a goal in the objective's own terms, or the one that is given."""
    target: Optional[float] = given.get("target")
    if goal is None:
        return target
    if goal not in goals:
        raise InvalidInput(f"there is no `goal` {goal!r}; choose one of {', '.join(goals)}")
    if target is not None:
        raise InvalidInput("`goal` and `target` contradict each other; give one")
    if optimum is None:
        raise InvalidInput(f"`goal` {goal} needs an objective whose best value is known; give `target`")
    return optimum - 1 if goal == "m-1" else optimum


def bounds_of(bounds: Any, genes: Optional[int]) -> tuple[Optional[tuple[Floats, Floats]], Optional[int]]:
    """Lower and upper bounds and how many genes there are.

    Args:
        bounds: pairs, or an object with lb and ub.
    """
    if bounds is None:
        return None, genes
    if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
        lower, upper = np.broadcast_arrays(np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub))
    else:
        pairs = numbers(bounds, "bounds")
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise InvalidInput(f"bounds have the shape {pairs.shape}; give a pair (least, greatest) for each gene")
        lower, upper = pairs[:, 0], pairs[:, 1]
    if genes is not None and len(lower) not in (1, genes):
        raise InvalidInput(f"there are {len(lower)} bounds and {genes} genes; give a pair for each, or one for all")
    made = numbers(lower, "bounds"), numbers(upper, "bounds")
    wrong = np.flatnonzero(~(np.isfinite(made[0]) & np.isfinite(made[1]) & (made[0] <= made[1])))
    if len(wrong) > 0:
        gene = int(wrong[0])
        raise InvalidInput(
            f"the bounds of gene {gene} are {made[0][gene]} and {made[1][gene]}; give finite numbers, the least first"
        )
    return made, len(lower) if genes is None else genes


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Makes an array as those are that lie in the library's memory."""
    array.flags.writeable = False
    return array
