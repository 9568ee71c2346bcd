"""Checks of arguments: each says the argument's name, what was found, and what to give."""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable
from typing import Any, Optional, TypeVar, Union, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt.errors import InvalidInput

Floats = NDArray[np.float64]
Number = TypeVar("Number", bound=np.floating[Any])
Reals = NDArray[np.floating[Any]]  # of numpy.float32 or numpy.float64
Path = Union[str, os.PathLike[str]]
Function = TypeVar("Function", bound=Callable[..., Any])


def without_frames(function: Function) -> Function:
    """The function; what it finds wrong in arguments is raised as if by itself, since the fault lies in the call."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # of notebooks
        try:
            return function(*args, **kwargs)
        except InvalidInput as error:
            raise error.with_traceback(None)

    return cast(Function, called)


def text_of(value: Any, name: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: {value!r} is not a text")
    return value


def seconds_of(value: Any, name: str) -> float:
    """A duration in seconds."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or not value >= 0:
        raise InvalidInput(f"{name}={value!r}: give seconds from 0 on")
    return float(value)


def path_of(path: Any, name: str) -> str:
    """A path as text."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise TypeError(f"{name}: {path!r} is not a path; give a text or a pathlib.Path") from None


def text_in(path: str, argument: str, choices: str) -> str:
    """The text of a file that an argument names.

    Args:
        choices: what the argument may be, for the message of a file that cannot be read.
    """
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text"
        raise InvalidInput(f"the {argument} {path!r} cannot be read ({reason}); give {choices}") from None


def whole(value: Any, name: str, least: int, most: int, advice: Optional[str] = None) -> int:
    """A whole number of a range.

    Args:
        advice: what to give, in place of the range.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise InvalidInput(f"{name}={value!r}: give {advice or f'a whole number from {least} to {most}'}")
    return number


def numbers(values: ArrayLike, name: str) -> Floats:
    """An array of doubles, row by row. Nothing is copied where it is one already."""
    return _array_of(values, name, np.float64)


def reals(values: ArrayLike, name: str) -> Reals:
    """The same, but floats stay floats."""
    is_float = getattr(values, "dtype", None) == np.float32
    return _array_of(values, name, np.float32) if is_float else _array_of(values, name, np.float64)


def _array_of(values: ArrayLike, name: str, dtype: type[Number]) -> NDArray[Number]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InvalidInput(f"{name}: values are masked; give those that count alone")
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biufO":
            raise TypeError(f"they are of {array.dtype}")
        return np.ascontiguousarray(array, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name}: these are not numbers ({error})") from None
