"""Conflicts of many schedules at once, for an optimiser of one's own."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core
from clopt import _graphs
from clopt._arguments import numbers, text_of, whole
from clopt._devices import DeviceLike, open_all
from clopt._exchange import problem_of
from clopt.errors import InvalidInput

__all__ = ["ExchangeFitness"]


class ExchangeFitness:
    """The fitness of the complete exchange: devices count conflicts of schedules, as they do for the optimizer "umda".

    A schedule is two whole numbers for each transfer: its slot, and which of its shortest paths it takes. Called with
    arrays of both, of shape (transfers,) or (schedules, transfers), it returns their conflicts: over all slots, over all
    pairs of transfers in it, the channels that they share. A schedule of none is valid.

    Args:
        topology: as for `exchange`.
        steps: slots of the schedules, from 1 to 65,535.
        pattern: as for `exchange`.
        without_links: links that are broken, as for `exchange`.
        without_nodes: nodes that are broken.
        seed: draws a topology "random:...".
        method: how conflicts are counted: "links", by histograms, or "pairs" of paths, as in the paper.
        device: one or several, which share the schedules; None: the processor.

    Raises:
        InvalidInput: what does not fit, as `exchange`; and a slot or a path out of range, with its schedule.
        DeviceError: where all devices fail.

    Source: J. Jaros and R. Tyrala, GPU-accelerated evolutionary design of the complete exchange communication on
    wormhole networks, GECCO 2014: an individual of section 2.3, the fitness of section 3.

    Example:
        >>> import clopt
        >>> fitness = clopt.ExchangeFitness("ring:4", 2)
        >>> fitness.paths.tolist()[:3]
        [1, 2, 1]
        >>> int(fitness([0] * 12, [0] * 12))
        10
    """

    def __init__(
        self,
        topology: Union[str, "os.PathLike[str]", Any],
        steps: int,
        pattern: Union[str, Mapping[tuple[Any, Any], int], ArrayLike] = "all-to-all",
        *,
        without_links: Iterable[tuple[Any, Any]] = (),
        without_nodes: Iterable[Any] = (),
        seed: int = 1,
        method: str = "links",
        device: DeviceLike = None,
    ) -> None:
        slots = whole(steps, "steps", 1, 65535)
        drawn = whole(seed, "seed", 0, 2**64 - 1)
        problem = problem_of(topology, pattern, without_links, without_nodes, drawn)
        devices = open_all(device) or _core.open_devices(["openmp:0"])
        self._handle = _core.ExchangeFitness(problem.handle, slots, devices, text_of(method, "method"))
        self._problem, self._seed = problem, drawn
        self.steps: int = slots
        """Slots of a schedule."""
        self.labels: Optional[tuple[Hashable, ...]] = problem.labels
        """The nodes' names in the networkx graph that was given; else None."""
        self.transfers: NDArray[np.uint32] = self._handle.transfers()
        """Messages (from, to), shape (transfers, 2)."""
        self.paths: NDArray[np.uint32] = self._handle.paths()
        """How many shortest paths each transfer can take, shape (transfers,): at most 4,096."""

    def path(self, transfer: int, number: int) -> NDArray[np.uint32]:
        """The nodes of a transfer's path, both ends included."""
        return self._handle.path(whole(transfer, "transfer", 0, 2**32 - 1), whole(number, "number", 0, 2**32 - 1))

    def to_json(self, slots: ArrayLike, paths: ArrayLike) -> str:
        """One schedule as ``clopt exchange --verify`` reads it; nodes are numbers, in the order of `labels`."""
        return self._write("json", slots, paths)

    def check(self, slots: ArrayLike, paths: ArrayLike) -> str:
        """Checks one schedule by code that the devices do not share: empty, or the first violation."""
        return _graphs.with_names(self._write("check", slots, paths), self.labels)

    def failures(self) -> list[str]:
        """Devices that failed, and how: the others have their schedules."""
        return self._handle.failures()

    def _write(self, form: str, slots: ArrayLike, paths: ArrayLike) -> str:
        when, where = self._whole(slots, "slots"), self._whole(paths, "paths")
        if when.ndim != 1 or where.ndim != 1:
            raise InvalidInput(f"slots have the shape {when.shape}, and paths {where.shape}; give one schedule")
        nodes = [self.path(transfer, number) for transfer, number in enumerate(where.tolist())]
        begins = np.cumsum([0, *map(len, nodes)], dtype=np.uint64)
        faults = _core.ExchangeFaults(list(self._problem.without_links), list(self._problem.without_nodes))
        network = ""
        if self.labels is not None:
            faults, network = _core.ExchangeFaults([], []), self._handle.topology()
        return _core.exchange_write(
            form, self._problem.handle, faults, self._seed, self.steps, when, np.concatenate(nodes), begins, network
        )

    def __call__(self, slots: ArrayLike, paths: ArrayLike) -> Union[NDArray[np.uint64], np.uint64]:
        """Counts conflicts: shape (schedules,), or a number for one schedule."""
        when, where = self._whole(slots, "slots"), self._whole(paths, "paths")
        if when.shape != where.shape:
            raise InvalidInput(f"slots have the shape {when.shape}, and paths {where.shape}; give as many")
        conflicts = self._handle.count(when.reshape(-1), where.reshape(-1))
        return conflicts if when.ndim == 2 else conflicts[0]

    def _whole(self, values: ArrayLike, name: str) -> NDArray[np.uint32]:
        array = values if isinstance(values, np.ndarray) and values.dtype.kind in "ui" else numbers(values, name)
        if array.size and not (array.min() >= 0 and array.max() < 2**32 and np.array_equal(array, np.floor(array))):
            raise InvalidInput(f"{name} are not all whole numbers from 0 on")
        if array.ndim not in (1, 2) or array.shape[-1] != len(self.paths):
            raise InvalidInput(
                f"{name} have the shape {array.shape}; give ({len(self.paths)},), or (schedules, {len(self.paths)})"
            )
        return np.ascontiguousarray(array, dtype=np.uint32)
