"""Schedules of networks and their broken states, by one command."""

import csv
import os
import pathlib
import subprocess
import sys

import pytest

import clopt

SOURCE = pathlib.Path(os.environ.get("CLOPT_SOURCE", pathlib.Path(__file__).parents[2]))


def library(folder, *networks, broken=1):
    words = [word for network in networks for word in ("--network", network)]
    tool = SOURCE / "tools" / "network-library"
    done = subprocess.run(
        [sys.executable, tool, folder, *words, "--broken", str(broken), "--device", "openmp:0"],
        capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stderr
    with open(folder / "index.csv", newline="", encoding="utf-8") as rows:
        return list(csv.DictReader(rows)), done.stderr


def kinds_of_links(network):
    """By all automorphisms of the graph."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph(clopt.exchange(network, "scatter:0").network())
    maps = list(networkx.algorithms.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter())
    return {frozenset(frozenset((turned[a], turned[b])) for turned in maps) for a, b in graph.edges}


@pytest.mark.parametrize("network", ["mesh:3x3", "mesh:2x3", "torus:3x3", "hypercube:3"])
def test_one_link_of_each_kind_is_broken(network, tmp_path):
    rows, _ = library(tmp_path, network)
    assert [row["without_links"] for row in rows[:1]] == [""]
    broken = [frozenset(map(int, row["without_links"].split("-"))) for row in rows[1:]]
    kinds = kinds_of_links(network)
    assert len(broken) == len(kinds) and all(sum(link in kind for link in broken) == 1 for kind in kinds)
    for row in rows:
        links = [tuple(map(int, link.split("-"))) for link in row["without_links"].split()]
        found = clopt.exchange(network, without_links=links, device="openmp:0", seed=1)
        assert (found.steps, found.bound) == (int(row["steps"]), int(row["bound"]))
        assert found.to_json() == (tmp_path / row["file"]).read_text(encoding="utf-8")


def test_a_run_continues_and_parted_networks_are_named(tmp_path):
    before, _ = library(tmp_path, "ring:4")
    written = {row["file"]: (tmp_path / row["file"]).stat().st_mtime_ns for row in before}
    rows, said = library(tmp_path, "ring:4", broken=2)
    assert rows[: len(before)] == before and len(before) == 5
    assert all((tmp_path / name).stat().st_mtime_ns == when for name, when in written.items())
    # Two links of a ring part it.
    assert len(rows) == 5 and said.count("ring-4-without-") == 6
