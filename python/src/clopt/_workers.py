"""Worker processes and map-like callables that evaluate functions of Python."""

from __future__ import annotations

import math
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import Any, ContextManager, Optional, Union

import numpy as np

from clopt import _core
from clopt._arguments import Floats
from clopt.errors import DeviceError, InvalidInput

__all__ = ["Call", "Pool", "Stopped", "Workers", "closing", "pool_of"]

Workers = Union[int, Callable[..., Iterable[Any]]]
"""Who evaluates a function of Python: 1, the calling thread; a number of processes, or -1 for one a core; or a map-like
callable, ``workers(func, iterable)``, such as the map of a pool."""

_PORTION_SECONDS = 0.02  # of calls that a process gets at once
_LOOK_SECONDS = 0.05  # between two checks of limits
_END_SECONDS = 1.0  # that a process has to end by itself

Evaluate = Callable[[Floats, Optional[Floats]], Any]


class Call:
    """A function with its further arguments, of one item of an iterable. With `has_rows` an item is (x, row)."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], has_rows: bool = False) -> None:
        self.function, self.args, self.has_rows = function, tuple(args), has_rows

    def __call__(self, item: Any) -> Any:
        return self.function(*item, *self.args) if self.has_rows else self.function(item, *self.args)


class Stopped(Exception):
    """Raised by a map-like callable that leaves the generation, since the run is to end."""


class _WorkerTraceback(Exception):
    """The traceback of a worker process, as the cause of what it raised."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class _Process:
    """A worker process: it gets portions of a generation, and answers each by values or an exception."""

    def __init__(self, calls: Sequence[Call], number: Callable[[Any], float]) -> None:
        self.connection, other = multiprocessing.Pipe()
        # A daemon ends with this process, however that ends.
        self._process = multiprocessing.Process(target=_serve, args=(self.connection, other, tuple(calls), number), daemon=True)
        try:
            self._process.start()
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            self.connection.close()
            raise InvalidInput(
                f"workers: the function cannot be sent to worker processes ({error}); define it and its arguments at the "
                "top level of a module, or use the start method 'fork'"
            ) from error
        finally:
            other.close()

    def send(self, portion: Any) -> None:
        try:
            self.connection.send(portion)
        except OSError:
            raise self._death() from None

    def receive(self) -> Any:
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            raise self._death() from None

    def _death(self) -> DeviceError:
        self._process.join(_END_SECONDS)
        code = self._process.exitcode
        way = f"was ended by {signal.Signals(-code).name}" if code is not None and code < 0 else f"ended with status {code}"
        hint = ""
        if multiprocessing.get_start_method() != "fork" and code == 1:
            hint = "; a script that starts processes needs `if __name__ == \"__main__\":`"
        return DeviceError(f"workers: process {self._process.pid} {way} while it was to evaluate the function{hint}")

    def end(self, at_once: bool) -> None:
        """Lets it end, or ends it in the midst of a call."""
        self.connection.close()
        if at_once:
            self._process.terminate()

    def join(self) -> None:
        self._process.join(_END_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _serve(others: Any, connection: Any, calls: Sequence[Call], number: Callable[[Any], float]) -> None:
    """What a worker process does. Ctrl-C is the matter of the process that started it.

    Args:
        others: the other end of the connection, which only the process that started it keeps: its end ends this one.
    """
    others.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        try:
            place, first, items = connection.recv()
        except (EOFError, OSError):
            return
        values: list[float] = []
        begin = time.perf_counter()
        answer: Any
        try:
            for item in items:
                values.append(number(calls[place](item)))
            answer = None, ""
        except BaseException as error:
            answer = _sendable(error), traceback.format_exc()
        try:
            connection.send((first, values, time.perf_counter() - begin, *answer))
        except OSError:
            return


def _sendable(error: BaseException) -> BaseException:
    """The exception, or one with its text where it cannot be pickled."""
    try:
        if isinstance(pickle.loads(pickle.dumps(error)), type(error)):
            return error
    except Exception:  # whatever the exception's own code raises
        pass
    return RuntimeError(f"{type(error).__qualname__}: {error}")


class Pool:
    """Evaluates the functions of a run: by processes, which it has between __enter__ and __exit__, or by a map."""

    def __init__(
        self, calls: Sequence[Call], workers: Workers, number: Callable[[Any], float], control: Optional[_core.Control]
    ) -> None:
        """\\param control of the run, whose limits end a generation; None: nothing does."""
        self._calls, self._workers, self._number, self._control = calls, workers, number, control
        self._processes: list[_Process] = []
        self._has_generation: set[int] = set()
        self._seconds_of_call = math.inf

    def __enter__(self) -> Pool:
        if callable(self._workers):
            return self
        try:
            for _ in range(len(os.sched_getaffinity(0)) if self._workers == -1 else self._workers):
                self._processes.append(_Process(self._calls, self._number))
        except BaseException:
            self._end(at_once=True)
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        self._end(at_once=False)

    def _end(self, at_once: bool) -> None:
        processes, self._processes = self._processes, []
        for process in processes:
            process.end(at_once)
        for process in processes:
            process.join()

    def evaluator(self, place: int) -> Evaluate:
        """What evaluates a generation by the function of that place: its values, and which it has where the run ended."""

        def evaluate(genes: Floats, rows: Optional[Floats]) -> Any:
            values, done = np.empty(len(genes)), np.zeros(len(genes), dtype=bool)
            try:
                self._evaluate(place, genes if rows is None else list(zip(genes, rows)), values, done)
            except Stopped:
                if self._control is not None:
                    self._control.stop()
            except KeyboardInterrupt:
                self._end(at_once=True)
                if self._control is None or not done.any():
                    raise
                self._control.interrupt()
            except BaseException:
                self._end(at_once=True)
                raise
            if done.all():
                self._has_generation.add(place)
                return values
            return values, done.tolist()

        return evaluate

    def _is_over(self, place: int, done: Any) -> bool:
        # The first generation has a value at least.
        may_end = self._control is not None and (place in self._has_generation or self._control.resume or done.any())
        return bool(may_end and self._control is not None and self._control.is_over)

    def _evaluate(self, place: int, items: Any, values: Floats, done: Any) -> None:
        if callable(self._workers):
            self._evaluate_by_map(self._workers, place, items, values, done)
        else:
            self._evaluate_by_processes(place, items, values, done)

    def _evaluate_by_map(self, workers: Callable[..., Any], place: int, items: Any, values: Floats, done: Any) -> None:
        i = 0
        for value in workers(self._calls[place], items):
            if i < len(values):
                values[i], done[i] = self._number(value), True
            i += 1
            if i < len(values) and self._is_over(place, done):
                return
        if i != len(values):
            raise InvalidInput(f"workers: the map-like callable returned {i} values of {len(values)}")

    def _evaluate_by_processes(self, place: int, items: Any, values: Floats, done: Any) -> None:
        # After a limit another function's first generation may still need a value.
        if not self._processes:
            self._processes.append(_Process(self._calls, self._number))
        free, begun = list(self._processes), 0
        busy: dict[Any, _Process] = {}
        while not done.all():
            if self._is_over(place, done):
                return self._end(at_once=True)
            while free and begun < len(values):
                process = free.pop()
                end = min(len(values), begun + self._portion(len(values) - begun))
                process.send((place, begun, items[begun:end]))
                busy[process.connection] = process
                begun = end
            for connection in multiprocessing.connection.wait(list(busy), _LOOK_SECONDS):
                process = busy.pop(connection)
                first, found, seconds, error, text = process.receive()
                values[first : first + len(found)], done[first : first + len(found)] = found, True
                if error is not None:
                    raise error from _WorkerTraceback(text)
                self._seconds_of_call = seconds / len(found)
                free.append(process)

    def _portion(self, rest: int) -> int:
        """How many individuals a process gets: few where calls are slow or few are left."""
        most = math.ceil(rest / (2 * len(self._processes)))
        return max(1, min(most, int(min(rest, _PORTION_SECONDS / max(self._seconds_of_call, 1e-9)))))


def pool_of(
    workers: Any,
    functions: Sequence[Any],
    args: Sequence[Any],
    has_rows: bool,
    vectorized: bool,
    number: Callable[[Any], float],
    control: Optional[_core.Control],
) -> Optional[Pool]:
    """The pool of a run; None where the calling thread evaluates the functions.

    Raises:
        InvalidInput: workers has no meaning, or the functions are not Python's.
    """
    if not callable(workers):
        if isinstance(workers, bool) or not isinstance(workers, (int, np.integer)) or workers == 0 or workers < -1:
            raise InvalidInput(f"workers={workers!r}: give processes from 1 on, -1 for all cores, or a map-like callable")
        if workers == 1:
            return None
        if multiprocessing.current_process().daemon:
            raise InvalidInput(f"workers={workers}: this is a worker process, which can have none of its own; give 1")
    if not all(callable(each) for each in functions):
        raise InvalidInput("workers belong to functions of Python; leave them out")
    if vectorized:
        raise InvalidInput("workers and vectorized contradict each other: give one")
    return Pool([Call(each, args, has_rows) for each in functions], workers, number, control)


def closing(pool: Optional[Pool]) -> ContextManager[Any]:
    """The time for which a pool has its processes."""
    return nullcontext() if pool is None else pool
