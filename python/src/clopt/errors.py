"""The exceptions of clopt. A message says what was asked, what was found and what to do."""

from __future__ import annotations

from typing import Any

__all__ = [
    "BuildError",
    "Cancelled",
    "DeviceError",
    "Error",
    "InternalError",
    "Interrupted",
    "InvalidInput",
    "NoDevice",
    "OutOfMemory",
]


class Error(Exception):
    """The base of every exception that clopt itself raises, but for `Interrupted`."""


class InvalidInput(Error, ValueError):
    """What was asked for has no meaning: an argument out of range, arguments that contradict each other, a bad file,
    a checkpoint of another run. Nothing was computed."""


class NoDevice(Error, RuntimeError):
    """No device answers the description, or the one that does cannot be opened."""


class DeviceError(Error, RuntimeError):
    """A device failed while it worked. The message names the call, its status and the device."""


class BuildError(DeviceError):
    """A kernel or an objective did not build. The message holds the compiler's log."""


class OutOfMemory(DeviceError, MemoryError):
    """A device, or the host, cannot hold what is asked for. The message has the need and the limit in bytes."""


class InternalError(Error, RuntimeError):
    """A self-check failed: a defect of clopt or of a driver. No answer is given."""


class Cancelled(Error, RuntimeError):
    """The run was cancelled before there was any result to return."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run.

    Attributes:
        result: what the solver would have returned, with the best so far and ``ending`` "interrupted"; of a function
            of Python the generation that is not whole is dropped. Where the run did not end within 0.15 s (in a long
            launch or in a compiler), an `IntermediateResult` with the best that was known and its `nfev`, whose `nit` is
            0; the run then ends by itself. None where there was no value yet.
    """

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return Interrupted, (str(self), self.result)
