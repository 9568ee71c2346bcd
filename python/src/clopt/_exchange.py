"""Schedules of the complete exchange, and of other patterns, on wormhole networks."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clopt import _core, _graphs, _run, _solver
from clopt._arguments import Path, numbers, path_of, text_in, whole
from clopt.errors import InvalidInput

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from clopt import _options

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
    """The same with those that several devices or searches made and that did not count, since the run began or was
    resumed."""
    labels: Optional[tuple[Hashable, ...]]
    """The nodes' names in the networkx graph that was given; else None."""
    topology_text: str
    """The topology as a file has it."""
    without_links: tuple[tuple[int, int], ...]
    """Links that were taken out of it."""
    without_nodes: tuple[int, ...]
    """Nodes that were taken out of it."""
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
        whole = _core.ExchangeFaults([], [])
        demands = None
        if self.pattern.partition(":")[0] == "demand":
            pairs, slots = np.unique(self.transfers, axis=0, return_counts=True)
            demands = _table_of((*pair, count) for pair, count in zip(pairs.tolist(), slots.tolist()))
        pattern = _core.ExchangePattern(self.pattern, demands, "the demands")
        problem = _core.ExchangeProblem.of_text(self.topology_text, self.topology, pattern, whole)
        # The statements of a graph are those of what is left of it.
        is_named = self.labels is None
        faults = _core.ExchangeFaults(list(self.without_links), list(self.without_nodes)) if is_named else whole
        return _core.exchange_write(
            form, problem, faults, self.seed, self.steps, self.slots, self.path_nodes, self.path_begins,
            "" if self.labels is None else self.topology_text,
        )

    def to_json(self) -> str:
        """The schedule as ``clopt exchange --output FILE.json`` writes it, which ``--verify`` reads. That of a graph has the
        graph's statements too; nodes are numbers, in the order of `labels`."""
        return self._write("json")

    def to_msccl(self) -> str:
        """The schedule as MSCCL XML."""
        return self._write("msccl")

    def to_mscclpp(self) -> str:
        """The schedule as a plan for the executor of MSCCL++, as JSON."""
        return self._write("mscclpp")

    def check(self) -> str:
        """Checks the schedule again, by code that the search does not share: empty, or the first violation."""
        return _graphs.with_names(self._write("check"), self.labels)

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


def _node_of(name: Any, labels: Optional[tuple[Hashable, ...]], argument: str) -> int:
    """The number of a node that a call names."""
    if labels is None:
        return whole(name, argument, 0, 2**32 - 1, "nodes by their numbers")
    if name not in labels:
        raise InvalidInput(f"{argument}: the graph has no node {name!r}")
    return labels.index(name)


def _table_of(demands: Iterable[tuple[int, int, int]]) -> str:
    """Demands as the table that the library reads."""
    return "from,to,slots\n" + "".join(f"{a},{b},{slots}\n" for a, b, slots in demands)


def _pattern_of(pattern: Any, labels: Optional[tuple[Hashable, ...]]) -> Any:
    """A pattern whose demands, if it has some, are a table or a matrix."""
    if isinstance(pattern, str):
        if pattern.partition(":")[0] != "demand":
            return _core.ExchangePattern(pattern, None, "")
        if labels is not None:
            raise InvalidInput(
                f"pattern={pattern!r}: a file numbers nodes, and a graph names them; give {{(from, to): slots}}, or a "
                "matrix in the order of graph.nodes"
            )
        name = pattern.partition(":")[2]
        return _core.ExchangePattern(pattern, text_in(name, "pattern's file", "demand:FILE, or a matrix"), name)
    if isinstance(pattern, Mapping):
        for pair in pattern:
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise InvalidInput(f"pattern: {pair!r} is no pair of nodes; give {{(from, to): slots}}")
        text = _table_of(
            (_node_of(a, labels, "pattern"), _node_of(b, labels, "pattern"), whole(slots, f"pattern[{(a, b)!r}]", 0, 65535))
            for (a, b), slots in pattern.items()
        )
        return _core.ExchangePattern("demand", text, "pattern")
    matrix = numbers(pattern, "pattern")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidInput(
            f"pattern: an array of shape {matrix.shape}; give a text, a mapping from pairs of nodes to slots, or a square "
            "of whole numbers"
        )
    text = "\n".join(" ".join(map(str, row)) for row in matrix.tolist())
    return _core.ExchangePattern("demand", text, "pattern")


def _pairs_of(links: Any) -> list[tuple[Any, Any]]:
    """Links as pairs of nodes."""
    given: list[Any] = list(links) if isinstance(links, Iterable) else [links]
    if not isinstance(links, str) and all(isinstance(each, (tuple, list, np.ndarray)) and len(each) == 2 for each in given):
        return [(each[0], each[1]) for each in given]
    raise InvalidInput(f"without_links={links!r}: give pairs of nodes, such as [(0, 1)]")


@dataclass(frozen=True)
class _Problem:
    """What is scheduled, and how the caller names its nodes."""

    handle: _core.ExchangeProblem
    labels: Optional[tuple[Hashable, ...]]
    without_links: tuple[tuple[int, int], ...]
    without_nodes: tuple[int, ...]


def problem_of(
    topology: Any, pattern: Any, without_links: Iterable[tuple[Any, Any]], without_nodes: Iterable[Any], seed: int
) -> _Problem:
    """The problem that the arguments of `exchange` mean."""
    labels: Optional[tuple[Hashable, ...]] = None
    if hasattr(topology, "nodes") and hasattr(topology, "edges"):
        text, labels = _graphs.text_of(topology)
        name = "graph"
    elif isinstance(topology, str) and ":" in topology and not os.path.exists(topology):
        name = ""
    else:
        name = path_of(topology, "topology")
        text = text_in(name, "topology", "a class such as 'mesh:4x4', a file or a graph")
    links = [
        (_node_of(a, labels, "without_links"), _node_of(b, labels, "without_links")) for a, b in _pairs_of(without_links)
    ]
    nodes = [_node_of(each, labels, "without_nodes") for each in without_nodes]
    faults = _core.ExchangeFaults(links, nodes)
    wanted = _pattern_of(pattern, labels)
    if labels is not None:
        with _graphs.naming(labels, wanted.name) as used:
            wanted.name = used
            handle = _core.ExchangeProblem.of_text(text, name, wanted, faults)
    elif name:
        handle = _core.ExchangeProblem.of_text(text, name, wanted, faults)
    else:
        handle = _core.ExchangeProblem.of_class(str(topology), seed, wanted, faults)
    return _Problem(handle, labels, tuple(links), tuple(nodes))


@_solver.solver
def exchange(
    topology: Union[str, "os.PathLike[str]", Any],
    pattern: Union[str, Mapping[tuple[Any, Any], int], ArrayLike] = "all-to-all",
    *,
    without_links: Iterable[tuple[Any, Any]] = (),
    without_nodes: Iterable[Any] = (),
    certificate: Optional[Path] = None,
    **options: Unpack[_options.ExchangeOptions],
) -> ExchangeResult:
    """Schedules the messages of a pattern in few steps: each takes a shortest path, and no two of a step use one link.

    `steps` "bound" asks for as many as the bound. `maxiter` counts the generations of umda, and the sweeps of the other
    optimizers. A callback's `fun` are the conflicts.

    Args:
        topology: "mesh:4x4", "torus:5x5", "hypercube:4", "ring:8", "spidergon:16", "fat-tree:2x3", ...; a file of
            statements (`nodes N`, `link A B`, `arc A B`, `role A ...`), a list of edges, an adjacency matrix, or what
            `nvidia-smi topo -m` prints; or a networkx graph, whose edges are links both ways, or one way in a directed
            one. Parallel edges of a MultiGraph, or an edge's attribute `channels`, are parallel channels; a node's
            attribute `role` is "sender", "receiver" or "router".
        pattern: "all-to-all", "broadcast:ROOT", "scatter:ROOT", ...; of a graph its nodes are named as there. Messages
            of unequal size, by the slots that each takes: a mapping {(from, to): slots}, a square with an element for
            each pair of nodes, the sender's row and the receiver's column, or "demand:FILE". Rows are in the order of
            the nodes' numbers, of a graph in that of graph.nodes.
        without_links: links that are broken, both ways: pairs of nodes, by their numbers, or by their names in a graph.
        without_nodes: nodes that are broken.
        certificate: a file for a proof of the bound, and of the schedule where it has no conflicts, which
            tools/check-certificate verifies without clopt.

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
    run, given = _solver.split(exchange, options)
    problem = problem_of(topology, pattern, without_links, without_nodes, run["seed"])
    if given.get("steps") == "bound":
        given |= {"steps": None, "steps_are_bound": True}
    control = _run.make_control(run, usual_interval=0.1, certificate=certificate)
    fields = _core.exchange(problem.handle, {**given, "seed": run["seed"]}, control)

    def make(fields: dict[str, Any]) -> ExchangeResult:
        missing = f"the schedule has {fields['conflicts']} conflicts" if fields["conflicts"] else ""
        return _run.result_of(
            ExchangeResult, fields, missing, is_reached=not missing, labels=problem.labels, seed=run["seed"],
            without_links=problem.without_links, without_nodes=problem.without_nodes,
        )

    return _run.finish(fields, make)
