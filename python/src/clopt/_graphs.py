"""Graphs of networkx, which is imported when one is made."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, Optional

import numpy as np

from clopt.errors import InvalidInput

__all__ = ["networkx", "of_model", "of_topology", "text_of"]


def networkx() -> Any:
    """The module networkx."""
    try:
        import networkx as module
    except ImportError:
        raise ImportError("graphs are networkx's, which is not there; pip install networkx", name="networkx") from None
    return module


def text_of(graph: Any) -> tuple[str, tuple[Hashable, ...]]:
    """A graph as a topology's statements, and the names of its nodes in the order of their numbers."""
    labels = tuple(graph.nodes)
    number = {label: i for i, label in enumerate(labels)}
    word = "arc" if graph.is_directed() else "link"
    channels: Counter[tuple[int, int]] = Counter()
    unknown = {name for _, _, given in graph.edges(data=True) for name in given} - {"channels", "transfers"}
    if unknown:
        names = ", ".join(sorted(map(repr, unknown)))
        warnings.warn(f"the edges' {names} are not used: a link has `channels` and no other width", stacklevel=3)
    for a, b, count in graph.edges(data="channels", default=1):
        if not isinstance(count, (int, np.integer)) or count < 1:
            raise InvalidInput(f"the edge {a!r}, {b!r} has channels={count!r}; give a whole number from 1 on")
        ends = number[a], number[b]
        # One direction stands for both.
        if not graph.is_directed() and ends[::-1] in channels:
            ends = ends[::-1]
        channels[ends] += count
    lines = [f"nodes {len(labels)}"]
    lines += [f"{word} {a} {b} {count}" if count > 1 else f"{word} {a} {b}" for (a, b), count in channels.items()]
    lines += [f"role {number[a]} {role}" for a, role in graph.nodes(data="role") if role is not None]
    return "\n".join(lines) + "\n", labels


def of_topology(text: str, nodes: int, links: Any, labels: Optional[tuple[Hashable, ...]]) -> Any:
    """A topology as a DiGraph: roles from its statements, links as they are in the result."""
    names: Sequence[Hashable] = labels if labels is not None else range(nodes)
    graph = networkx().DiGraph()
    graph.add_nodes_from(names)
    channels = Counter((int(a), int(b)) for a, b in links)
    graph.add_edges_from((names[a], names[b], {"channels": count}) for (a, b), count in channels.items())
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["role"]:
            graph.nodes[names[int(words[1])]]["role"] = words[2]
    return graph


def of_model(model: list[list[int]], bits: Any) -> Any:
    """A model of ECGA as a Graph: loci of a group are neighbours."""
    graph = networkx().Graph()
    for number, group in enumerate(model):
        graph.add_nodes_from((locus, {"group": number, "value": int(bits[locus])}) for locus in group)
        graph.add_edges_from((a, b) for i, a in enumerate(group) for b in group[i + 1 :])
    return graph
