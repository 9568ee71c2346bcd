"""Objectives: what a search minimises or maximises."""

from __future__ import annotations

import hashlib
import os
import pickle
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from clopt import _core
from clopt._arguments import Floats, numbers, text_of
from clopt._c_function import CFunction, is_low_level_callable
from clopt._devices import DeviceLike
from clopt._workers import Pool, pool_of
from clopt.errors import InvalidInput

__all__ = ["CFunction", "Objective", "ObjectiveLike"]


class Objective:
    """A built-in objective or a text in OpenCL C. Make one by `named`, `text` or `file`. It can be pickled.

    A text defines one of the functions ``real objective(individual x)`` (a value), ``real objective_term(individual x,
    uint i)`` (a term for each gene), ``int objective_count(individual x, uint i)``, ``int objective_word(individual
    x, uint w)`` or ``real residual(individual x, uint j)`` (a fit); docs/objectives.md describes the language. A text is
    compiled and run as code, with all that this process may do: take only texts that you trust.
    """

    def __init__(self, handle: _core.Objective, recipe: tuple[Any, ...]) -> None:
        self._handle = handle
        self._recipe = recipe

    @staticmethod
    def named(name: str) -> Objective:
        """A built-in objective: one of `names()`.

        Raises:
            InvalidInput: there is no objective of this name; the message has the nearest one.
        """
        return Objective(_core.Objective.named(text_of(name, "name")), ("named", name))

    @staticmethod
    def names() -> list[str]:
        """The built-in objectives that need no data, sorted."""
        return _core.Objective.names()

    @staticmethod
    def text(
        text: str,
        *,
        name: str = "objective",
        constants: Optional[Mapping[str, float]] = None,
        tables: Optional[Mapping[str, ArrayLike]] = None,
        kind: Optional[str] = None,
        direction: Optional[str] = None,
        bounds: Optional[tuple[float, float]] = None,
        optimum: Optional[float] = None,
    ) -> Objective:
        """An objective from its text.

        Args:
            text: OpenCL C.
            name: what messages call it.
            constants: numbers that the text uses by their names.
            tables: arrays of one dimension that the text reads by ``NAME(x, i)``; ``NAME_size`` is their size.
            kind: of the genes, "bits", "reals", "integers" or "permutation"; None: as the text's first comment says.
            direction: "minimise" or "maximise"; None: as the text's first comment says, else the solver's own.
            bounds: (lower, upper) of every gene, where a call gives none.
            optimum: the best value of all, where it is known.

        Raises:
            InvalidInput: the text defines none of the functions, or several; a constant or a table whose name is not an
                identifier or is taken.
        """
        extras = (dict(constants or {}), _arrays(tables), kind, direction, bounds, optimum)
        return Objective._of_text(text, name, *extras)

    @staticmethod
    def file(
        path: Union[str, os.PathLike[str]],
        *,
        constants: Optional[Mapping[str, float]] = None,
        tables: Optional[Mapping[str, ArrayLike]] = None,
        kind: Optional[str] = None,
        direction: Optional[str] = None,
        bounds: Optional[tuple[float, float]] = None,
        optimum: Optional[float] = None,
    ) -> Objective:
        """An objective from a file with its text. Arguments as of `text`; a pickle holds the text, not the path."""
        read = _core.Objective.from_file(os.fspath(path))
        extras = (dict(constants or {}), _arrays(tables), kind, direction, bounds, optimum)
        return Objective._of_text(read.text, read.name, *extras)

    @staticmethod
    def _of_text(
        text: str,
        name: str,
        constants: dict[str, float],
        tables: dict[str, Floats],
        kind: Optional[str],
        direction: Optional[str],
        bounds: Optional[tuple[float, float]],
        optimum: Optional[float],
    ) -> Objective:
        for argument, given in (("text", text), ("name", name), ("kind", kind or ""), ("direction", direction or "")):
            text_of(given, argument)
        handle = _core.Objective.from_text(text, name)
        for each, value in constants.items():
            handle.constant(each, _real(value, f"the constant {each!r}"))
        for each, values in tables.items():
            handle.table(each, values)
        if kind is not None:
            handle.set_kind(kind)
        if direction is not None:
            handle.set_direction(direction)
        if bounds is not None:
            lower, upper = _pair(bounds)
            handle.set_bounds(lower, upper)
        if optimum is not None:
            handle.set_optimum(_real(optimum, "optimum"))
        return Objective(handle, ("_of_text", text, name, constants, tables, kind, direction, bounds, optimum))

    def _of_kind(self, kind: str) -> Objective:
        """The same text with genes of another kind; what is built in stays as it is."""
        if self._recipe[0] != "_of_text":
            return self
        _, text, name, constants, tables, _, *rest = self._recipe
        return Objective._of_text(text, name, constants, tables, kind, *rest)

    @property
    def _says_kind(self) -> bool:
        """Whether its kind is given, by the caller or by the text's first comment; else it is the default."""
        return self._recipe[0] != "_of_text" or self._handle.says_kind

    @property
    def name(self) -> str:
        """What messages and results call it."""
        return self._handle.name

    @property
    def kind(self) -> str:
        """What its genes are: "bits", "reals", "integers" or "permutation"."""
        return self._handle.kind

    @property
    def direction(self) -> Optional[str]:
        """ "minimise" or "maximise"; None: the solver's default."""
        return self._handle.direction

    @property
    def bounds(self) -> Optional[tuple[float, float]]:
        """The usual (lower, upper) of every gene, if there are any."""
        return self._handle.bounds

    @property
    def optimum(self) -> Optional[float]:
        """The best value of all individuals, where it is known."""
        return self._handle.optimum

    @property
    def warning(self) -> str:
        """Which functions the text calls that every device computes in its own way; empty where there are none."""
        return self._handle.warning

    def __repr__(self) -> str:
        return f"<clopt.Objective {self.name} of {self.kind}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, self._recipe


def _real(value: Any, name: str) -> float:
    array = numbers(value, name)
    if array.size != 1:
        raise InvalidInput(f"{name}: give one number, not the shape {array.shape}")
    return float(array.item())


def _pair(bounds: Any) -> tuple[float, float]:
    array = numbers(bounds, "bounds")
    if array.shape != (2,):
        raise InvalidInput(f"bounds={bounds!r}: give the least and the greatest value")
    return float(array[0]), float(array[1])


def _remake(way: str, *arguments: Any) -> Objective:
    made: Objective = getattr(Objective, way)(*arguments)
    return made


def _arrays(tables: Optional[Mapping[str, ArrayLike]]) -> dict[str, Floats]:
    arrays = {}
    for name, values in (tables or {}).items():
        array = numbers(values, f"the table {name!r}")
        if array.ndim != 1:
            raise InvalidInput(f"the table {name!r} has {array.ndim} dimensions; give an array of one")
        arrays[name] = array
    return arrays


ObjectiveLike = Union[str, Objective, CFunction, Callable[..., Any]]
"""What solvers take: a built-in objective's name, an `Objective`, a `CFunction` or scipy.LowLevelCallable, or a function
of Python."""

Evaluate = Callable[[Floats, Optional[Floats]], Floats]


def _vectorised(function: Callable[..., Any], args: Sequence[Any]) -> Evaluate:
    def evaluate(genes: Floats, rows: Optional[Floats]) -> Floats:
        given = function(genes, *args) if rows is None else function(genes, rows, *args)
        values = numbers(given, "what the vectorised function returned")
        if values.shape != (genes.shape[1],):
            raise InvalidInput(
                f"the vectorised function was given {genes.shape[0]} x {genes.shape[1]} genes and returned the shape "
                f"{values.shape}; it must return ({genes.shape[1]},), a value for each column"
            )
        return values

    return evaluate


def number_of(value: Any) -> float:
    """The number that a function returned, also as an array of one element, as scipy takes it."""
    if isinstance(value, np.ndarray):
        if value.size != 1:
            raise InvalidInput(
                f"the function returned an array of shape {value.shape}; it must return a number (with vectorized=True "
                "it gets a whole generation and returns an array)"
            )
        return float(value.item())
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"the function returned {value!r}; it must return a number") from None


_Form = tuple[Any, str, tuple[Any, ...]]  # what the library calls, how, and its further arguments


def _form(function: Callable[..., Any], args: Sequence[Any], vectorized: bool, pool: Optional[Pool], place: int) -> _Form:
    """How the library calls a function.

    Args:
        pool: what evaluates it instead, as its function of this place.
    """
    if pool is not None:
        return pool.evaluator(place), "generation", ()
    return (_vectorised(function, args), "vectorised", ()) if vectorized else (function, "individual", tuple(args))


def pool_for(
    workers: Any,
    func: Any,
    violation: Any,
    args: Sequence[Any],
    vectorized: bool,
    control: _core.Control,
    has_rows: bool = False,
) -> Optional[Pool]:
    """The pool that evaluates the functions of a run; None where the calling thread does."""
    if not isinstance(args, (tuple, list)):
        raise TypeError(f"args: {type(args).__name__} is no tuple of further arguments; for one of them give (it,)")
    functions = [_as_c_function(each) for each in (func, violation) if each is not None]
    return pool_of(workers, functions, args, has_rows, vectorized, number_of, control)


def _as_c_function(function: Any) -> Any:
    # numba.cfunc gives an object that can be called from Python too, for tests.
    is_compiled = hasattr(function, "address") and hasattr(function, "ctypes")
    return CFunction(function) if is_compiled or is_low_level_callable(function) else function


def device_for(device: DeviceLike, objective: Any) -> DeviceLike:
    """The device of a run: that of the call, and the processor for functions, which no other one can call."""
    is_function = callable(objective) or isinstance(objective, CFunction) or is_low_level_callable(objective)
    return "openmp:0" if device is None and is_function else device


def _name_of(function: Any, args: Sequence[Any]) -> str:
    """What messages call a function. A checkpoint knows it, and its further arguments, by that."""
    name: str = getattr(function, "__qualname__", type(function).__qualname__)
    if not args:
        return name
    try:
        content = pickle.dumps(tuple(args))
    except Exception:  # whatever the arguments' own code raises
        content = repr(tuple(args)).encode()
    return f"{name} with the arguments {hashlib.sha256(content).hexdigest()[:12]}"


def shown_name(objective: Optional[ObjectiveLike], name: str) -> str:
    """What results call it: a function by its own name, and else as the library does."""
    return str(getattr(objective, "__name__", name))


def warn_of_tables(handle: _core.Objective, genes: int) -> None:
    """Warns where a table of a text does not fit a number of genes."""
    if text := handle.warning_of_tables(genes):
        warnings.warn(text, RuntimeWarning, stacklevel=4)


def as_handle(
    objective: ObjectiveLike,
    *,
    args: Sequence[Any] = (),
    vectorized: bool = False,
    kind: str = "reals",
    direction: Optional[str] = None,
    usual_direction: str = "minimise",
    violation: Optional[Any] = None,
    pool: Optional[Pool] = None,
    control: _core.Control,
) -> _core.Objective:
    """The library's objective for what a solver was given.

    Args:
        pool: what evaluates its functions of Python; None: the calling thread does.
        control: of the run that will call it.
    """
    objective = _as_c_function(objective)
    if not callable(objective) or isinstance(objective, CFunction):
        if args or vectorized:
            raise InvalidInput("args and vectorized belong to functions of Python; leave them out")
        handle = _of_no_python(objective, kind, direction == "maximise", control)
    else:
        name = _name_of(objective, args)
        maximises = (direction or usual_direction) == "maximise"
        evaluate, form, further = _form(objective, args, vectorized, pool, 0)
        handle = _core.Objective.from_function(evaluate, kind, maximises, name, form, further)
    if direction is not None:
        if isinstance(objective, Objective):
            raise InvalidInput("an Objective has its own direction; give direction=... where it is made")
        handle.set_direction(direction)
    if violation is not None:
        _constrain(handle, objective, _as_c_function(violation), args, vectorized, pool, control)
    return handle


def _of_no_python(objective: Any, kind: str, maximises: bool, control: _core.Control) -> _core.Objective:
    if isinstance(objective, str):
        return Objective.file(objective)._handle if objective.endswith(".cl") else _core.Objective.named(objective)
    if isinstance(objective, Objective):
        return objective._handle
    if isinstance(objective, CFunction):
        if kind != "reals":
            raise InvalidInput(f"a CFunction is of reals, and this run's genes are {kind}; give a function of Python")
        return _core.Objective.from_pointer(objective._pointer(), maximises, objective.name, control)
    raise TypeError(f"{objective!r} is not an objective: give a name, an Objective, a CFunction or a function")


def _constrain(
    handle: _core.Objective,
    objective: Any,
    violation: Any,
    args: Sequence[Any],
    vectorized: bool,
    pool: Optional[Pool],
    control: _core.Control,
) -> None:
    """Gives an objective its violation, which must be of the same kind."""
    if isinstance(objective, (str, Objective)):
        raise InvalidInput(
            "violation belongs to functions, and this objective is a text; define `real violation(individual x)` in it"
        )
    if isinstance(objective, CFunction):
        if not isinstance(violation, CFunction):
            raise TypeError(f"violation: {violation!r} is not a CFunction, as func is; give one")
        if violation.rows != objective.rows:
            raise InvalidInput("one of func and violation takes rows and the other does not; they take the same arguments")
        handle.set_violation_pointer(violation._pointer(), control)
    elif callable(violation) and not isinstance(violation, CFunction):
        handle.set_violation_function(*_form(violation, args, vectorized, pool, 1))
    else:
        raise TypeError(f"violation: {violation!r} is not a function of Python, as func is; give one")
