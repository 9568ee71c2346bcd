"""Schedules of the complete exchange, and of other patterns, on wormhole networks."""

from __future__ import annotations

import os
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from clopt import _core, _graphs, _run
from clopt._arguments import path_of, text_of
from clopt._devices import DeviceLike
from clopt.errors import InvalidInput

__all__ = ["ExchangeResult", "exchange"]


@dataclass(frozen=True, eq=False)
class ExchangeResult(_run.RunResult):
    """A schedule and the bound that no schedule passes."""

    steps: int
    """Slots of the schedule."""
    bound: int
    """No schedule has fewer steps; proven by `certificate`."""
    bound_exact: bool
    """Whether no certificate of this kind can prove more."""
    bound_source: str
    conflicts: int
    """Over all slots, over all pairs of transfers in it, the links that they share; 0: the schedule is valid."""
    certificate: NDArray[np.uint64]
    """A weight for each link, shape (links,)."""
    topology: str
    pattern: str
    nodes: int
    links: NDArray[np.uint32]
    """One-way channels (from, to), shape (links, 2)."""
    transfers: NDArray[np.uint32]
    """Messages (from, to), shape (transfers, 2)."""
    slots: NDArray[np.uint32]
    """The slot of each transfer, shape (transfers,)."""
    path_nodes: NDArray[np.uint32]
    """The nodes of all paths, one behind the other."""
    path_begins: NDArray[np.uint64]
    """Where each path begins in path_nodes, and where the last one ends, shape (transfers + 1,)."""
    nit: int
    """Generations of umda; else sweeps."""
    nfev: int
    """Individuals of umda; else exact moves."""
    nfev_done: int
    """The same with those that several devices or searches made and that did not count, since the run began or went
    on."""
    labels: Optional[tuple[Hashable, ...]]
    """The nodes' names in the networkx graph that was given; else None."""
    topology_text: str
    """The topology as a file has it."""
    seed: int
    """The one given, or the one that was drawn."""

    @property
    def optimal(self) -> bool:
        """Whether the schedule is valid and as short as the bound."""
        return self.conflicts == 0 and self.steps == self.bound

    def path(self, transfer: int) -> NDArray[np.uint32]:
        """The nodes that a transfer passes, both ends included."""
        if not 0 <= transfer < len(self.transfers):
            raise IndexError(f"there are {len(self.transfers)} transfers, and {transfer} is none of them")
        return self.path_nodes[int(self.path_begins[transfer]) : int(self.path_begins[transfer + 1])]

    def _write(self, form: str) -> str:
        problem = _core.ExchangeProblem.of_text(self.topology_text, self.topology, self.pattern)
        return _core.exchange_write(
            form, problem, self.seed, self.steps, self.slots, self.path_nodes, self.path_begins
        )

    def to_json(self) -> str:
        """The schedule as ``clopt exchange --output FILE.json`` writes it."""
        return self._write("json")

    def to_msccl(self) -> str:
        """The schedule as MSCCL XML."""
        return self._write("msccl")

    def check(self) -> str:
        """Checks the schedule again, by code that the search does not share: empty, or the first violation."""
        return self._write("check")

    def to_networkx(self, slot: Optional[int] = None) -> Any:
        """The links that a slot uses, or all slots, as a networkx.DiGraph with the graph's own node names.

        An edge's attribute `transfers` lists (from, to, slot) of the messages that cross it.
        """
        networkx = _graphs.networkx()
        if slot is not None and not 0 <= slot < self.steps:
            raise InvalidInput(f"slot={slot}: the schedule has the slots 0 to {self.steps - 1}")
        names = self.labels if self.labels is not None else tuple(range(self.nodes))
        graph = networkx.DiGraph()
        graph.add_nodes_from(names)
        for k, (a, b) in enumerate(self.transfers):
            if slot is not None and self.slots[k] != slot:
                continue
            path = [names[int(node)] for node in self.path(k)]
            for edge in zip(path, path[1:]):
                if not graph.has_edge(*edge):
                    graph.add_edge(*edge, transfers=[])
                graph.edges[edge]["transfers"].append((names[int(a)], names[int(b)], int(self.slots[k])))
        return graph

    def network(self) -> Any:
        """The topology as a networkx.DiGraph, which `exchange` takes too: an edge for each pair of nodes with links,
        whose attribute `channels` counts them; a node's attribute `role` is there where it does not both send and
        receive."""
        return _graphs.of_topology(self.topology_text, self.nodes, self.links, self.labels)


def exchange(
    topology: Union[str, "os.PathLike[str]", Any],
    pattern: str = "all-to-all",
    *,
    steps: Union[int, str, None] = None,
    optimizer: str = "auto",
    offload: Optional[str] = None,
    fitness: Optional[str] = None,
    population: Optional[int] = None,
    islands: Optional[int] = None,
    migrate_every: Optional[int] = None,
    queues: Optional[int] = None,
    replicas: Optional[int] = None,
    searches: Optional[int] = None,
    maxiter: Optional[int] = None,
    threads: Optional[int] = None,
    seed: Optional[int] = 1,
    device: DeviceLike = None,
    time_limit: Optional[float] = None,
    callback: Optional[_run.Callback] = None,
    callback_interval: float = 0.1,
    statistics: bool = False,
    checkpoint: Optional[_run.Path] = None,
    resume: Optional[_run.Path] = None,
) -> ExchangeResult:
    """Schedules the messages of a pattern in few steps: each takes a shortest path, and no two of a step use one link.

    Args:
        topology: "mesh:4x4", "torus:5x5", "hypercube:4", "ring:8", "spidergon:16", "fat-tree:2x3", ...; a file of
            statements (`nodes N`, `link A B`, `arc A B`, `role A ...`); or a networkx graph, whose edges are links both
            ways, or one way in a directed one. Parallel edges of a MultiGraph, or an edge's attribute `channels`, are
            parallel channels; a node's attribute `role` is "sender", "receiver" or "router".
        pattern: "all-to-all", "broadcast:ROOT", "scatter:ROOT", ...
        steps: of the schedule; "bound": as many as the bound; None: as few as can be found.
        optimizer: "auto", "construct", "pack", "anneal", "tabu" or "umda".
        offload, fitness, population, queues: of umda: "host" or "device"; "links" or "pairs"; individuals; 1 or 2.
        islands, migrate_every: of umda: populations side by side, each on one of the devices; generations after which
            the best individual of each goes to the next one, 0: never.
        replicas, searches: of anneal and tabu: replicas of a trial; searches, the first of which to find a schedule wins.
        maxiter: generations of umda, sweeps of the others.
        threads: of the host, where it has a part in the search; None: the cores that this process may use.
        seed: an integer from 0 to 2**64-1; None: one is drawn; the result has it.
        device: an id, a name, a device of `clopt.open`, or a list of these.
        callback: its `fun` are the conflicts; it ends the run by StopIteration, or by returning what is true.
        time_limit, callback_interval, statistics, checkpoint, resume: as of `differential_evolution`.

    Raises: as `differential_evolution`; InvalidInput also for steps below the bound, with the bound.

    Sources: the problem and "umda": J. Jaros and R. Tyrala, GPU-accelerated evolutionary design of the complete exchange
    communication on wormhole networks, GECCO 2014. The bound is one of linear programming's duality: give each link a
    weight; the weights of each transfer's lightest shortest path, summed over the transfers and divided by the sum of
    all weights, are steps that no schedule falls below. `certificate` has the weights. The other optimizers are clopt's
    own: docs/exchange.md.

    Example:
        >>> import clopt
        >>> e = clopt.exchange("hypercube:3")
        >>> e.steps, e.bound, e.conflicts
        (4, 4, 0)
    """
    umda = {
        "offload": offload,
        "fitness": fitness,
        "population": population,
        "islands": islands,
        "migrate_every": migrate_every,
        "queues": queues,
    }
    for name, value in umda.items():
        if value is not None and optimizer != "umda":
            raise InvalidInput(f"{name} belongs to the optimizer umda, not to {optimizer!r}; leave it out")
    for name, value in {"replicas": replicas, "searches": searches}.items():
        if value is not None and optimizer in ("umda", "pack", "construct"):
            raise InvalidInput(f"{name} belong to the optimizers anneal and tabu, not to {optimizer!r}; leave them out")
    drawn = _run.seed_of(seed, resume)
    text_of(pattern, "pattern")
    labels: Optional[tuple[Hashable, ...]] = None
    if hasattr(topology, "nodes") and hasattr(topology, "edges"):
        text, labels = _graphs.text_of(topology)
        problem = _core.ExchangeProblem.of_text(text, "graph", pattern)
    elif isinstance(topology, str) and ":" in topology and not os.path.exists(topology):
        problem = _core.ExchangeProblem.of_class(topology, drawn, pattern)
    else:
        path = path_of(topology, "topology")
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not a text"
            raise InvalidInput(
                f"the topology {path!r} cannot be read ({reason}); give a class such as 'mesh:4x4', a file or a graph"
            ) from None
        problem = _core.ExchangeProblem.of_text(text, path, pattern)
    options = _core.ExchangeOptions()
    with _run.renamed(generations="maxiter", method="fitness"):
        _run.set_options(
            options,
            optimizer=optimizer,
            offload=offload,
            method=fitness,
            steps=None if steps == "bound" else steps,
            steps_are_bound=steps == "bound",
            population=population,
            islands=islands,
            migrate_every=migrate_every,
            queues=queues,
            replicas=replicas,
            searches=searches,
            generations=maxiter,
            threads=threads,
            seed=drawn,
        )
        control = _run.make_control(
            device=device,
            time_limit=time_limit,
            callback=callback,
            callback_interval=callback_interval,
            statistics=statistics,
            checkpoint=checkpoint,
            resume=resume,
        )
        fields = _core.exchange(problem, options, control)

    def make(fields: dict[str, Any]) -> ExchangeResult:
        missing = f"the schedule has {fields['conflicts']} conflicts" if fields["conflicts"] else ""
        return ExchangeResult(
            **_run.common_fields(fields, missing, is_reached=not missing),
            **{name: fields[name] for name in (
                "steps", "bound", "bound_exact", "bound_source", "conflicts", "certificate", "topology", "pattern",
                "nodes", "links", "transfers", "slots", "path_nodes", "path_begins", "topology_text",
            )},
            nit=fields["generations"],
            nfev=fields["evaluations"],
            nfev_done=fields["evaluations_done"],
            labels=labels,
            seed=drawn,
        )

    result: ExchangeResult = _run.finish(fields, make)
    return result
