"""Graphs of networkx: nodes by their names, in patterns, messages and files."""

import itertools
import os
import subprocess

import pytest

import clopt

networkx = pytest.importorskip("networkx")
DEVICE = {"device": "openmp:0"}
RING = networkx.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])


def verified(text, path):
    """What the program says of a schedule."""
    path.write_text(text)
    command = [os.environ["CLOPT_PROGRAM"], "exchange", "--verify", path]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def pairs(result):
    return {(result.labels[a], result.labels[b]) for a, b in result.transfers}


@pytest.mark.parametrize("pattern, expected", [
    ("all-to-all", set(itertools.permutations("abcd", 2))),
    ("scatter:c", {("c", each) for each in "abd"}),
    ("gather:d", {(each, "d") for each in "abc"}),
    ("many-to-many:a,b:d", {("a", "d"), ("b", "d")}),
])
def test_patterns_name_nodes_and_the_program_verifies_the_file(pattern, expected, tmp_path):
    result = clopt.exchange(RING, pattern, **DEVICE)
    assert pairs(result) == expected
    ran = verified(result.to_json(), tmp_path / "schedule.json")
    assert ran.returncode == 0 and "valid" in ran.stdout
    # A changed one is found out.
    broken = result.to_json().replace('"path":[', '"path":[0,1,', 1)
    assert verified(broken, tmp_path / "schedule.json").returncode == 4


def test_names_may_have_commas_and_colons():
    grid = networkx.grid_2d_graph(2, 2)
    assert pairs(clopt.exchange(grid, "broadcast:(0, 1)", **DEVICE)) == {((0, 1), each) for each in grid if each != (0, 1)}
    graph = networkx.Graph([("a:b", "c,d"), ("c,d", "e")])
    assert pairs(clopt.exchange(graph, "scatter:a:b", **DEVICE)) == {("a:b", "c,d"), ("a:b", "e")}


def test_names_that_are_numbers_are_names():
    graph = networkx.Graph([(3, 1), (1, 2), (2, 0), (0, 3)])
    assert pairs(clopt.exchange(graph, "scatter:3", **DEVICE)) == {(3, 0), (3, 1), (3, 2)}


@pytest.mark.parametrize("broken, reached", [({"without_links": [("c", "d")]}, "acd"), ({"without_nodes": ["d"]}, "ac")])
def test_a_graph_with_broken_parts_is_verified(broken, reached, tmp_path):
    result = clopt.exchange(RING, "scatter:b", **broken, **DEVICE)
    assert pairs(result) == {("b", each) for each in reached}
    assert verified(result.to_json(), tmp_path / "schedule.json").returncode == 0


@pytest.mark.parametrize("graph, arguments, words", [
    (RING, {"pattern": "scatter:z"}, ["no node 'z'"]),
    (RING, {"pattern": "scatter:2"}, ["no node '2'"]),
    (RING, {"without_links": 5}, ["pairs"]),
    (RING, {"without_links": "a-b"}, ["'a-b'", "pairs"]),
    (RING, {"without_links": [("a", "b", "c")]}, ["pairs"]),
    (RING, {"without_links": [("a", "z")]}, ["no node 'z'"]),
    (RING, {"without_nodes": ["z"]}, ["no node 'z'"]),
    (networkx.Graph([("a", "b"), ("c", "d")]), {}, ["node 'a'", "node 'c'", "no path"]),
    (networkx.DiGraph([("a", "b"), ("b", "c")]), {}, ["node 'b'", "node 'a'", "no path"]),
])
def test_messages_name_nodes(graph, arguments, words):
    with pytest.raises(clopt.InvalidInput) as caught:
        clopt.exchange(graph, **arguments, **DEVICE)
    assert all(word in str(caught.value) for word in words) and "graph:" not in str(caught.value).replace("the graph:", "")


def test_roles_are_named():
    graph = RING.copy()
    graph.nodes["b"]["role"] = "router"
    with pytest.raises(clopt.InvalidInput, match="'scatter:b'.*node 'b' may not send"):
        clopt.exchange(graph, "scatter:b", **DEVICE)


def test_the_program_refuses_statements_that_are_none(tmp_path):
    text = clopt.exchange(RING, **DEVICE).to_json()
    for wrong in ('"network":""', '"network":3', '"network":"nodes 4\\nlink 0 9\\n"'):
        ran = verified(text.replace('"network":"nodes 4\\nlink 0 1\\nlink 0 3\\nlink 1 2\\nlink 2 3\\n"', wrong), tmp_path / "wrong.json")
        assert ran.returncode == 2 and ran.stderr.count("\n") == 1, ran
