"""The values of models, at the places of data or at others."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from clopt import _core
from clopt._arguments import Floats, numbers, text_in, text_of, whole, without_frames
from clopt._devices import DeviceLike, open_all
from clopt._fit_functions import Curves
from clopt.errors import InvalidInput, NoDevice

__all__ = ["Model", "device_of", "device_of_result", "model_values", "values_of"]

# Of a call of the library, which needs the memory of several times as many.
_MOST_VALUES = 2**21


@dataclass(frozen=True, eq=False)
class Model:
    """A model as the library takes it: it can be pickled."""

    name: str
    text: str
    """Empty: it is one of the library's."""
    width: int
    """Of a picture; else 0."""
    constants: Mapping[str, float]
    tables: Mapping[str, Floats]

    @staticmethod
    def of(
        model: Union[str, os.PathLike[str]],
        width: Optional[int] = None,
        constants: Optional[Mapping[str, float]] = None,
        tables: Optional[Mapping[str, ArrayLike]] = None,
    ) -> Model:
        """The model of a name, a file that ends in ".cl", or a text, which has a brace."""
        places = 0 if width is None else whole(width, "width", 1, 2**20)
        name = text_of(model if isinstance(model, str) else os.fspath(model), "model")
        text = ""
        if "{" in name:
            name, text = "model", name
        elif name.endswith(".cl"):
            name, text = os.path.basename(name), text_in(name, "model", "a name, a file or a text")
        values = {each: numbers(table, f"the table {each!r}").reshape(-1) for each, table in (tables or {}).items()}
        return Model(name, text, places, {each: float(value) for each, value in (constants or {}).items()}, values)

    def problem(self) -> _core.FitProblem:
        """The library's problem for it, without data."""
        made = _core.FitProblem
        problem = made.of_text(self.text, self.name, self.width) if self.text else made.named(self.name, self.width)
        for each, value in self.constants.items():
            problem.constant(each, value)
        for each, values in self.tables.items():
            problem.table(each, values)
        return problem


def device_of(device: DeviceLike) -> _core.Device:
    """The one that evaluates models: the first of those that are meant, and the processor where the work would choose."""
    return (open_all(device) or _core.open_devices(["openmp:0"]))[0]


def device_of_result(ids: Sequence[str], precision: str) -> _core.Device:
    """A result's own; the processor where that is missing, as where another machine made the result, or has no doubles."""
    try:
        device = device_of(ids)
    except NoDevice:
        device = device_of("openmp:0")
    return device if precision != "double" or device.info["has_double"] else device_of("openmp:0")


def values_of(model: Model, parameters: Floats, abscissa: ArrayLike, precision: str, device: _core.Device) -> Floats:
    """What `model_values` returns for a model that is not a function. A number alone is how many places there are."""
    problem = model.problem()
    if np.ndim(abscissa) == 0:
        points, sides, side = whole(abscissa, "points", 1, 2**32 - 1), 1, None
    else:
        side = numbers(abscissa, "abscissa")
        if side.ndim > 2 or side.size == 0:
            raise InvalidInput(f"abscissa has the shape {side.shape}; give (points,), or (rows, points)")
        points, sides = side.shape[-1], 1 if side.ndim == 1 else len(side)
    vectors = np.atleast_2d(parameters)
    rows = max(len(vectors), sides)
    if len(vectors) not in (1, rows) or sides not in (1, rows):
        raise InvalidInput(f"there are {len(vectors)} rows of parameters and {sides} of abscissa; give as many, or one of them")
    vectors = np.broadcast_to(vectors, (rows, vectors.shape[1]))
    values = np.empty((rows, points))
    step = max(_MOST_VALUES // points, 1)
    for begin in range(0, rows, step):
        part = np.ascontiguousarray(vectors[begin : begin + step])
        if side is not None and (begin == 0 or sides > 1):
            problem.set_abscissa((side if sides == 1 else side[begin : begin + step]).reshape(-1))
        values[begin : begin + step] = _core.fit_model_values(problem, part.reshape(-1), len(part), points, precision, device)
    return values[0] if np.ndim(parameters) == 1 and np.ndim(abscissa) < 2 else values


def _of_function(function: Callable[..., Any], parameters: Floats, abscissa: Any) -> Floats:
    if isinstance(abscissa, (list, tuple)):
        abscissa = np.asarray(abscissa, dtype=np.float64)
    if parameters.ndim == 1:
        return np.asarray(function(abscissa, *parameters), dtype=np.float64)
    own_places = isinstance(abscissa, np.ndarray) and abscissa.ndim == 2 and len(abscissa) == len(parameters)
    first = function(abscissa[0] if own_places else abscissa, *parameters[0])
    points = abscissa.shape[-1] if isinstance(abscissa, np.ndarray) and abscissa.ndim > 0 else np.size(first)
    return Curves(function, abscissa, points, own_places)(parameters, np.arange(len(parameters)))


@without_frames
def model_values(
    model: Union[str, os.PathLike[str], Callable[..., Any]],
    parameters: ArrayLike,
    abscissa: Any = None,
    *,
    points: Optional[int] = None,
    width: Optional[int] = None,
    constants: Optional[Mapping[str, float]] = None,
    tables: Optional[Mapping[str, ArrayLike]] = None,
    precision: str = "double",
    device: DeviceLike = None,
) -> Floats:
    """The values of a model, for one row of parameters or for many at once.

    Args:
        model: as `fit` takes it, or ``f(abscissa, a, b, ...)`` in numpy, which is called with columns of shape (rows, 1), once
            for all rows; where that gives other values than a row alone does, row by row.
        parameters: shape (parameters,), or (rows, parameters).
        abscissa: the places: a number, shape (points,), or (rows, points). Of a function anything.
        points: in place of abscissa, how many places there are: 0, 1, 2, ..., and those of a picture.
        width: of a model of pictures, data in a row of the picture.
        constants: as `fit`.
        tables: as `fit`.
        precision: of a model that is not a function, "double" or "float".
        device: the one that evaluates; None: the processor. Of several the first.

    Returns:
        The values, shape (points,), or (rows, points); of one place a number, or shape (rows,). NaN where a place is no finite number, or a parameter NaN.

    Raises:
        InvalidInput: what does not fit together, and a text of residuals alone.

    Example:
        >>> import clopt
        >>> clopt.model_values("line", [[1, 2], [2, -1]], [0, 1, 2, 3]).tolist()
        [[1.0, 3.0, 5.0, 7.0], [2.0, 1.0, 0.0, -1.0]]
    """
    vectors = numbers(parameters, "parameters")
    if vectors.ndim not in (1, 2) or vectors.size == 0:
        raise InvalidInput(f"parameters have the shape {vectors.shape}; give (parameters,), or (rows, parameters)")
    if (abscissa is None) == (points is None):
        raise InvalidInput("give abscissa, the places, or points, how many there are")
    if callable(model):
        for name, value in (("width", width), ("constants", constants), ("tables", tables), ("device", device)):
            if value is not None:
                raise InvalidInput(f"{name} belongs to models that are not functions of Python; leave it out")
        return _of_function(model, vectors, abscissa if points is None else np.arange(float(points)))
    is_place = points is None and np.ndim(abscissa) == 0
    places = points if points is not None else np.atleast_1d(abscissa)
    values = values_of(Model.of(model, width, constants, tables), vectors, places, precision, device_of(device))
    return values[..., 0] if is_place else values
