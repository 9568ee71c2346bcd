"""Runs whose function is evaluated by the caller, a generation at a time."""

from __future__ import annotations

import dataclasses
import os
import threading
import weakref
from types import TracebackType
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt._arguments import numbers, text_of
from clopt._differential_evolution import DifferentialEvolutionResult, differential_evolution
from clopt._genetic import GeneticResult, genetic
from clopt._workers import Stopped
from clopt.errors import Cancelled, InvalidInput

__all__ = ["Optimizer"]

_SOLVERS = {each.__name__: each for each in (differential_evolution, genetic)}
_OWN = ("func", "args", "vectorized", "workers")
_CLOSING_SECONDS = 10.0
_LOOK_SECONDS = 0.1  # the longest wait, between which other platforms' signals are looked at


class _Asked:
    """Stands for the function in the solver's call."""

    def __init__(self, name: str) -> None:
        self.__qualname__ = name

    def __call__(self, x: Any) -> float:
        raise InvalidInput("an Optimizer's function is evaluated by its caller")


class _Exchange:
    """What the run's thread and the caller's have in common."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.points: Optional[NDArray[np.float64]] = None
        self.rows: Optional[NDArray[np.float64]] = None
        self.values: Optional[NDArray[np.float64]] = None
        self.is_stopping = self.has_ended = False
        self.result: Any = None
        self.error: Optional[BaseException] = None

    def map(self, call: Any, items: Any) -> Any:
        """The map-like callable of the run: it waits until the caller has given the values."""
        if not isinstance(call.function, _Asked):
            return [call(item) for item in items]
        with self.changed:
            self.rows = np.array([row for _, row in items]) if call.has_rows else None
            self.points = np.array([x for x, _ in items] if call.has_rows else items)
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.values is not None or self.is_stopping)
            values, self.points, self.values = self.values, None, None
        if values is None:
            raise Stopped
        return values.tolist()

    def run(self, solver: Any, name: str, args: Any, options: Any) -> None:
        try:
            self.result = solver(_Asked(name), *args, workers=self.map, **options)
        except BaseException as error:
            self.error = error
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def stop(self) -> None:
        with self.changed:
            self.is_stopping = True
            self.changed.notify_all()

    def wait_for(self, is_so: Any) -> None:
        """To be called with the condition's lock."""
        while not is_so():
            self.changed.wait(_LOOK_SECONDS)


class Optimizer:
    """A run of `differential_evolution` or `genetic` whose function the caller evaluates, wherever that is.

    `ask` returns the points of a generation, `tell` takes their values. A generation in which only some problems of
    differential evolution restart is asked for in two parts. The result has the bits of the same run by the solver itself
    with that function. Between both, the run waits in a thread of its own; `close`, or the end of a ``with`` statement,
    ends it. An Optimizer belongs to one thread and one process at a time.

    Args:
        solver: "differential_evolution" or "genetic".
        args, options: of that solver, without func, args, vectorized and workers: limits, `callback`, which is called by
            the run's thread, `checkpoint` and `resume` among them.
        name: what checkpoints call the function.

    Raises:
        InvalidInput: as the solver.

    Example:
        >>> import clopt
        >>> with clopt.Optimizer("differential_evolution", 3 * [(-5, 5)], maxiter=100) as optimizer:
        ...     while (x := optimizer.ask()) is not None:
        ...         optimizer.tell((x * x).sum(axis=1))
        ...     r = optimizer.result()
        >>> r.nit, r.x.shape
        (100, (3,))
    """

    def __init__(self, solver: str, *args: Any, name: str = "function", **options: Any) -> None:
        if solver not in _SOLVERS:
            raise InvalidInput(f"solver={solver!r}: give one of {', '.join(_SOLVERS)}")
        for each in _OWN:
            if each in options:
                raise InvalidInput(f"{each} belongs to the solver's own call; leave it out")
        self._exchange = _Exchange()
        self._is_asked = False
        self._process = os.getpid()
        # It does not refer to this object, which ends the run when it goes, at the process's end at the latest.
        self._thread = threading.Thread(
            target=self._exchange.run, args=(_SOLVERS[solver], text_of(name, "name"), args, options), daemon=True
        )
        self._finalizer = weakref.finalize(self, self._exchange.stop)
        self._thread.start()
        try:
            self._wait()
        except BaseException:
            self._exchange.stop()
            raise

    def ask(self) -> Optional[NDArray[np.float64]]:
        """The points of the next generation, shape (S, parameters); None once the run has ended.

        Asked again before `tell`, it returns the same points.

        Raises:
            Whatever ends the run: DeviceError, or what `callback` raises.
        """
        self._wait()
        points = self._exchange.points
        self._is_asked = points is not None
        return None if points is None else points.copy()

    @property
    def rows(self) -> Optional[NDArray[np.float64]]:
        """With `data` the row of each point that was asked for, shape (S, columns); else None."""
        return self._exchange.rows if self._is_asked else None

    def tell(self, values: ArrayLike) -> None:
        """Gives the values of the points that were asked for, shape (S,): numbers, or infinities for the worst.

        Raises:
            InvalidInput: nothing was asked for, there are more or fewer values than points, or one is NaN. The points
                still wait for their values then.
        """
        exchange = self._exchange
        self._check_process()
        if not self._is_asked:
            raise InvalidInput("tell() without ask(): values were given already, or no points were asked for")
        array = numbers(values, "values")
        expected = (0 if exchange.points is None else len(exchange.points),)
        if array.shape != expected:
            raise InvalidInput(f"values have the shape {array.shape}; give {expected}, a value for each point")
        if np.any(np.isnan(array)):
            raise InvalidInput(f"values[{int(np.isnan(array).argmax())}] is NaN; give a number, or infinity for the worst")
        self._is_asked = False
        with exchange.changed:
            exchange.values = array.copy()
            exchange.changed.notify_all()

    def stop(self) -> None:
        """Ends the run with what it has. The generation that still waits for its values is dropped."""
        self._check_process()
        if threading.current_thread() is self._thread:
            raise InvalidInput("a callback of the run cannot stop it by stop(); let it raise StopIteration")
        self._is_asked = False
        exchange = self._exchange
        exchange.stop()
        with exchange.changed:
            exchange.wait_for(lambda: exchange.has_ended)

    def result(self) -> Union[DifferentialEvolutionResult, GeneticResult]:
        """The result of the run, which is stopped unless it has ended.

        Raises:
            Cancelled: it was stopped before there was any value.
            Whatever has ended the run.
        """
        exchange = self._exchange
        self.stop()
        if exchange.error is not None:
            raise exchange.error
        result = exchange.result
        if result.ending == "interrupted":
            result = dataclasses.replace(
                result, message=result.message.replace("the callback ended the run", "stop() ended the run")
            )
        return result  # type: ignore[no-any-return]

    def close(self) -> None:
        """Ends the run and its thread. A second call does nothing."""
        if os.getpid() != self._process:
            return
        self._is_asked = False
        self._exchange.stop()
        if threading.current_thread() is not self._thread:
            self._thread.join(_CLOSING_SECONDS)

    def __enter__(self) -> Optimizer:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise InvalidInput("this Optimizer belongs to the process that made it, of which this one is a fork")

    def _wait(self) -> None:
        """Waits for the next points, or for the end of the run. \\raises what has ended it."""
        self._check_process()
        exchange = self._exchange
        with exchange.changed:
            exchange.wait_for(lambda: (exchange.points is not None and exchange.values is None) or exchange.has_ended)
            error = exchange.error
        if error is not None and not (isinstance(error, Cancelled) and exchange.is_stopping):
            raise error
