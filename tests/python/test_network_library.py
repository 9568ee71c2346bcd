"""Schedules of networks and their broken states, by one command."""

import csv
import os
import pathlib
import subprocess
import sys

import pytest

import clopt

SOURCE = pathlib.Path(os.environ.get("CLOPT_SOURCE", pathlib.Path(__file__).parents[2]))


def run(folder, *words):
    return subprocess.run(
        [sys.executable, SOURCE / "tools" / "network-library", folder, *words, "--device", "openmp:0"],
        capture_output=True, text=True, timeout=300,
    )


def library(folder, network, *words):
    done = run(folder, "--network", network, *words)
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


def test_patterns_that_are_not_the_same_for_all_nodes_have_each_link(tmp_path):
    rows, _ = library(tmp_path, "mesh:3x3", "--pattern", "scatter:0")
    steps = {row["without_links"]: int(row["steps"]) for row in rows}
    assert len(steps) == 13 and steps["0-1"] == 8 and steps["1-2"] == 4


def test_a_run_continues_and_parted_networks_are_named(tmp_path):
    before, _ = library(tmp_path, "ring:4")
    written = {row["file"]: (tmp_path / row["file"]).stat().st_mtime_ns for row in before}
    lost = before[2]["file"]
    (tmp_path / lost).unlink()
    rows, said = library(tmp_path, "ring:4", "--broken", "2")
    assert rows == before and len(before) == 5 and (tmp_path / lost).exists()
    assert all((tmp_path / name).stat().st_mtime_ns == when for name, when in written.items() if name != lost)
    # Two links of a ring part it.
    assert said.count("ring-4-without-") == 6
    # Of another pattern there are files of their own.
    more, _ = library(tmp_path, "ring:4", "--pattern", "scatter:0")
    assert more[:5] == before and len(more) == 10


def test_files_stay_in_the_folder(tmp_path):
    network = tmp_path / "net.txt"
    network.write_text("nodes 3\nlink 0 1\nlink 1 2\nlink 2 0\n")
    rows, _ = library(tmp_path / "out", str(network))
    assert {each.name for each in (tmp_path / "out").iterdir()} == {"index.csv", *(row["file"] for row in rows)}
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["net.txt"]


@pytest.mark.parametrize("words", [("--pattern", "nonsense"), ("--time-limit", "-1"), ("--network", "other:3")])
def test_wrong_arguments_are_one_line(words, tmp_path):
    done = run(tmp_path, *words)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
