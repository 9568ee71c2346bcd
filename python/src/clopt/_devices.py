"""Finding and opening devices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Optional, Union

from clopt import _core
from clopt._arguments import text_of, whole
from clopt._show import DeviceList

__all__ = ["Device", "DeviceInfo", "DeviceLike", "Unavailable", "devices", "open", "release", "unavailable"]


@dataclass(frozen=True)
class DeviceInfo:
    """What is known of a device: read from its driver."""

    id: str
    """ "openmp:0", "opencl:1": the backend's name and the device's number there."""
    backend: str
    platform: str
    name: str
    version: str
    """Of the device's interface and driver."""
    kind: str
    """ "cpu", "gpu" or "other"."""
    compute_units: int
    global_memory_bytes: int
    max_allocation_bytes: int
    local_memory_bytes: int
    max_work_group_size: int
    has_double: bool
    """Whether it computes in double precision."""


@dataclass(frozen=True)
class Unavailable:
    """A backend or a driver that cannot be used, and why."""

    backend: str
    reason: str


class Device:
    """An open device. Solvers take it as `device`; threads may share it. Make one by `clopt.open`.

    It can be pickled: by its id and the way in which it was opened, so that it is reopened where it is loaded.
    """

    def __init__(self, handle: _core.Device, threads: int, force: bool, self_test: bool) -> None:
        self._handle = handle
        self._options = (threads, force, self_test)

    @property
    def info(self) -> DeviceInfo:
        """What is known of it."""
        return DeviceInfo(**self._handle.info)

    def __repr__(self) -> str:
        info = self.info
        return f"<clopt.Device {info.id} ({info.name})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _open, (self.info.id, *self._options)


DeviceLike = Union[str, Device, DeviceInfo, Iterable[Union[str, Device, DeviceInfo]], None]
"""What solvers take as `device`: an id or a part of a name, one of `clopt.devices()`, an open device, or several of
these. None or "auto": the work chooses. A run begins on the processor ("openmp:0") at once; after some 50 ms of work the
first GPU is opened beside it, and takes over where the rest of the run gains. One seed gives the same bits in any case,
and the result's `devices` says which device did what. Functions run on the processor, which alone can call them."""


def devices() -> list[DeviceInfo]:
    """Lists the devices of every backend, the processor ("openmp:0") first, shown as a table. Nothing is opened.

    Drivers are asked when they are first listed, which may take seconds; the answers are remembered.
    """
    return DeviceList(DeviceInfo(**each) for each in _core.list_devices())


def unavailable() -> list[Unavailable]:
    """Lists the backends and drivers that cannot be used, with the reasons: such as a missing libOpenCL.so.1."""
    return [Unavailable(*each) for each in _core.list_unavailable()]


def _open(text: str, threads: int, force: bool, self_test: bool) -> Device:
    return Device(_core.open_device(text, threads, force, self_test), threads, force, self_test)


def open(text: str = "", *, threads: int = 0, force: bool = False, self_test: bool = True) -> Device:
    """Opens a device.

    Args:
        text: an id ("opencl:1"), or any part of a device's or platform's name in any case; empty: what the
            environment's CLOPT_DEVICE names, else the first GPU, else the processor.
        threads: of the processor ("openmp:0"); 0: as many as this process may use, in a job of `clopt.cluster` its
            share. No result depends on it.
        force: use the device although its self-test failed.
        self_test: whether the device must give known answers before a solver uses it.

    Raises:
        InvalidInput: the text fits several devices; the message has the choices.
        NoDevice: it fits none, or the device cannot be opened.
    """
    number = whole(threads, "threads", 0, 2**32 - 1, "a whole number, or 0 for as many as this process may use")
    return _open(text_of(text, "text"), number, force, self_test)


def release() -> None:
    """Gives up the devices that calls have opened, with their memory and kernels.

    The process keeps each device that a call or `open` opens, so that the next call need not. Those that are in use close
    with their last user. A forked process opens its own, and cannot use OpenCL devices where its parent has.
    """
    _core.release_devices()


def texts_and_handles(chosen: DeviceLike) -> tuple[Optional[list[str]], list[_core.Device]]:
    """The devices that an argument `device` means: texts that name some, none at all for the default device, None where
    there is no text; and those that are open."""
    if chosen is None or chosen == "":
        return [], []
    if isinstance(chosen, (str, Device, DeviceInfo)):
        chosen = [chosen]
    if not isinstance(chosen, Iterable):
        raise TypeError(f"device: {chosen!r} is neither a text nor a device of clopt.open()")
    texts: list[str] = []
    handles: list[_core.Device] = []
    for each in chosen:
        if isinstance(each, str):
            texts.append(each)
        elif isinstance(each, DeviceInfo):
            texts.append(each.id)
        elif isinstance(each, Device):
            handles.append(each._handle)
        else:
            raise TypeError(f"device: {each!r} is neither a text nor a device of clopt.open()")
    return texts or None, handles


def ids_of(chosen: DeviceLike) -> tuple[str, ...]:
    """What an argument `device` means, to be kept: a device that is open holds its memory, and is not everywhere."""
    texts, handles = texts_and_handles(chosen)
    return (*(texts or ()), *(each.info["id"] for each in handles))


def open_all(chosen: DeviceLike) -> Optional[list[_core.Device]]:
    """The devices that an argument `device` means, open; None where the work chooses one. In a job those of this rank."""
    texts, handles = texts_and_handles(chosen)
    if texts is not None and not handles and _core.leave_device_to_work(texts):
        return None
    return handles if texts is None else _core.open_devices(texts) + handles
