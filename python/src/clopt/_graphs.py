"""Graphs of networkx, which is imported when one is made."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Optional

import numpy as np

from clopt.errors import InvalidInput

__all__ = ["naming", "networkx", "of_model", "of_topology", "text_of", "with_names"]


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


def numbered(pattern: str, labels: tuple[Hashable, ...]) -> str:
    """A pattern whose nodes are named as in the graph, with their numbers."""
    texts = [str(label) for label in labels]
    kind, _, rest = pattern.partition(":")

    def number(name: str) -> str:
        if texts.count(name) > 1:
            raise InvalidInput(f"pattern={pattern!r}: the graph has several nodes {name!r}; give them names that differ")
        if name not in texts:
            raise InvalidInput(f"pattern={pattern!r}: the graph has no node {name!r}")
        return str(texts.index(name))

    # A name may have what stands between names.
    if not rest or rest in texts or kind != "many-to-many":
        return f"{kind}:{number(rest)}" if rest else pattern
    return ":".join([kind, *(number(part) if part in texts else ",".join(map(number, part.split(","))) for part in rest.split(":"))])


def with_names(message: str, labels: Optional[tuple[Hashable, ...]]) -> str:
    """A message of the library, which numbers nodes, with their names."""
    if labels is None:
        return message
    known = labels

    def named(found: re.Match[str]) -> str:
        return re.sub(r"\d+", lambda number: repr(known[int(number[0])]) if int(number[0]) < len(known) else number[0], found[0])

    return re.sub(r"\bnode \d+|\bfrom \d+ to \d+", named, re.sub(r"^graph:\d+: ", "the graph: ", message))


@contextlib.contextmanager
def naming(labels: tuple[Hashable, ...], pattern: str) -> Iterator[str]:
    """The pattern with a graph's nodes by their numbers; messages of what is done with it name the nodes."""
    used = numbered(pattern, labels)
    try:
        yield used
    except InvalidInput as error:
        raise InvalidInput(with_names(str(error), labels).replace(repr(used), repr(pattern))) from None


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
