"""Keyword arguments of the solvers: those that all take, and the options that the library's tables describe."""

from __future__ import annotations

import difflib
import functools
import inspect
import textwrap
import time
from collections.abc import Callable, Mapping
from typing import Any, Optional, TypedDict, TypeVar, Union, cast, get_type_hints

import numpy as np

from clopt import _core
from clopt._arguments import Path
from clopt._devices import DeviceLike
from clopt._progress import bar
from clopt._run import Callback, seed_of, with_total
from clopt.errors import InvalidInput

Solver = TypeVar("Solver", bound=Callable[..., Any])


class RunArguments(TypedDict, total=False):
    """What all solvers take."""

    device: DeviceLike
    time_limit: Optional[float]
    callback: Optional[Callback]
    callback_interval: Optional[float]
    progress: bool


class SavedRunArguments(RunArguments, total=False):
    """What solvers take that draw numbers, generation by generation."""

    seed: Optional[int]
    statistics: bool
    checkpoint: Optional[Path]
    resume: Optional[Path]


_RUN_HELP = {
    "seed": "an integer from 0 to 2**64-1; None: one is drawn; the result has it.",
    "device": "an id, a name, a device of `clopt.open`, or a list of these; None or \"auto\": the work "
    "chooses between the processor, where it begins, and the first GPU.",
    "time_limit": "seconds after which the run ends with the best so far.",
    "callback": "``callback(intermediate_result)`` after each launch; it ends the run by StopIteration, or by returning "
    "what is true.",
    "callback_interval": "the least seconds between two calls of it; None: 0, of `exchange` and `subset_sum` 0.1.",
    "progress": "whether a bar of tqdm follows the run.",
    "statistics": "whether the result has a row for each generation.",
    "checkpoint": "a file to which the state is written twice a second, and at the end.",
    "resume": "a checkpoint to continue from; all but limits and devices must be as it was. Of a function its name and "
    "args are compared, not its code.",
}
_RUN_DEFAULTS = {"seed": 1, "progress": False, "statistics": False}
_TYPES = {"flag": bool, "integer": int, "number": float, "text": str}


def _help_of(field: Mapping[str, Any]) -> str:
    """What the table says of a field, in a line."""
    text = str(field["help"])
    notes = [", ".join(field["choices"]), field["range"], f"default: {field['usual']}" if field["usual"] else ""]
    shown = "; ".join(note for note in notes if note)
    return f"{text} ({shown})." if shown else f"{text}."


def _with_arguments(text: str, helps: Mapping[str, str]) -> str:
    """A docstring whose list of arguments is completed."""
    lines = inspect.cleandoc(text).split("\n")
    end = lines.index("", lines.index("Args:"))
    more = [
        textwrap.fill(f"{name}: {meaning}", 110, initial_indent=4 * " ", subsequent_indent=8 * " ")
        for name, meaning in helps.items()
    ]
    return "\n".join([*lines[:end], *more, *lines[end:]])


@functools.cache
def _parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


def _unknown_argument(function: Callable[..., Any], given: Mapping[str, Any]) -> str:
    """A message about a keyword argument that a solver does not have; empty where it has all."""
    parameters = _parameters_of(function)
    for name in given:
        if name not in parameters:
            near = difflib.get_close_matches(name, parameters, 1)
            meant = f". Did you mean {near[0]!r}?" if near else ""
            return f"{function.__name__}() got an unexpected keyword argument {name!r}{meant}"
    return ""


def solver(function: Solver, table_of: Optional[str] = None) -> Solver:
    """Completes signature and help of a solver, whose last parameter is ``**options``, and the times of its results.

    Args:
        table_of: the solver whose options it takes; None: its own.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def timed(*args: Any, progress: bool = False, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # of notebooks
        begin = time.perf_counter()
        if unknown := _unknown_argument(timed, kwargs):
            raise TypeError(unknown)
        try:
            with bar(function.__name__, progress, kwargs) as given:
                return with_total(function(*args, **given), lambda: time.perf_counter() - begin)
        except InvalidInput as error:
            # The fault lies in the call: the frames below it would hide it.
            raise error.with_traceback(None)

    own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    helps, types, defaults = {}, {}, dict(_RUN_DEFAULTS)
    table = list(_core.fields(table_of or function.__name__))
    for field in table:
        if field["is_keyword"]:
            name, kind = field["argument"], _TYPES[field["type"]]
            helps[name], defaults[name] = _help_of(field), field["default"]
            types[name] = Optional[Union[kind, str]] if field["takes_names"] else Optional[kind]
    run = SavedRunArguments if any(field["name"] == "seed" for field in table) else RunArguments
    for name in _RUN_HELP:
        if name in get_type_hints(run):
            helps[name], types[name] = _RUN_HELP[name], get_type_hints(run)[name]
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults.get(name), annotation=types[name])
        for name in helps
    ]
    setattr(timed, "__signature__", signature.replace(parameters=[*own, *more]))
    timed.__annotations__.pop("options", None)
    timed.__annotations__.update(types)
    if function.__doc__:
        timed.__doc__ = _with_arguments(function.__doc__, helps)
    return cast(Solver, timed)


def split(function: Callable[..., Any], given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keyword arguments of a call: those of the run, with their defaults and the seed, and the solver's options."""
    parameters = _parameters_of(function)
    run = {name: given.get(name, parameters[name].default) for name in _RUN_HELP if name in parameters}
    if "resume" in run:
        run["seed"] = seed_of(run["seed"], run["resume"])
    options = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in given.items()
        if name not in run
    }
    return run, options
