"""The fitness of schedules for an optimiser of one's own."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import clopt


def conflicts_of(fitness, slots, paths):
    """By the definition: channels that pairs of transfers of a slot share."""
    hops = [set(zip(path[:-1], path[1:])) for path in (fitness.path(t, p).tolist() for t, p in enumerate(paths))]
    pairs = [(a, b) for a in range(len(hops)) for b in range(a) if slots[a] == slots[b]]
    return sum(len(hops[a] & hops[b]) for a, b in pairs)


@pytest.mark.parametrize("method", ["links", "pairs"])
@pytest.mark.parametrize("topology", ["ring:5", "mesh:3x3", "hypercube:3"])
def test_conflicts_are_those_of_the_definition(topology, method, device):
    fitness = clopt.ExchangeFitness(topology, 4, method=method, device=device)
    random = np.random.default_rng(3)
    slots = random.integers(0, 4, (7, len(fitness.paths)))
    paths = random.integers(0, fitness.paths, slots.shape)
    expected = [conflicts_of(fitness, *each) for each in zip(slots, paths)]
    assert fitness(slots, paths).tolist() == expected
    assert fitness(slots[2], paths[2]) == expected[2]


def test_a_schedule_that_was_found_has_none(device):
    result = clopt.exchange("mesh:3x3", seed=1)
    fitness = clopt.ExchangeFitness("mesh:3x3", result.steps, device=device)
    assert np.array_equal(fitness.transfers, result.transfers)
    paths = [
        next(n for n in range(fitness.paths[t]) if np.array_equal(fitness.path(t, n), result.path(t)))
        for t in range(len(result.transfers))
    ]
    assert fitness(result.slots, paths) == 0
    assert fitness(np.zeros_like(result.slots), paths) > 0
    assert json.loads(fitness.to_json(result.slots, paths)) == json.loads(result.to_json())
    assert fitness.check(result.slots, paths) == "" and "slot" in fitness.check(np.zeros_like(result.slots), paths)
    assert fitness.failures() == []


def test_several_threads_may_call():
    fitness = clopt.ExchangeFitness("mesh:3x3", 6)
    random = np.random.default_rng(5)
    drawn = [(random.integers(0, 6, (500, 72)), random.integers(0, fitness.paths, (500, 72))) for _ in range(8)]
    expected = [fitness(*each).tolist() for each in drawn]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(5):
            assert [each.tolist() for each in threads.map(lambda each: fitness(*each), drawn)] == expected


def test_graphs_demands_and_faults_are_those_of_exchange():
    networkx = pytest.importorskip("networkx")
    fitness = clopt.ExchangeFitness(networkx.cycle_graph(["a", "b", "c", "d"]), 2, {("a", "c"): 3})
    assert fitness.labels == ("a", "b", "c", "d") and fitness.paths.tolist() == [2, 2, 2]
    assert "'a'" in fitness.check([0, 0, 1], [0, 0, 0]) or "a-" in fitness.check([0, 0, 1], [0, 0, 0])
    assert clopt.ExchangeFitness("ring:4", 2, "scatter:0", without_links=[(0, 1)]).paths.tolist() == [1, 1, 1]


def test_what_does_not_fit_is_refused():
    fitness = clopt.ExchangeFitness("ring:5", 3)
    zeros = np.zeros(20, int)
    for slots, paths, text in [
        (zeros[1:], zeros[1:], "shape"),
        (zeros, zeros[1:], "shape"),
        (zeros + 3, zeros, "slot 3"),
        (zeros - 1, zeros, "from 0 on"),
        (zeros * np.nan, zeros, "from 0 on"),
        ([[0], [0, 1]], zeros, "slots"),
        (zeros + 0.5, zeros, "whole"),
        (zeros, zeros + 1, "path 1"),
        (zeros, zeros + 2**40, "from 0 on"),
    ]:
        with pytest.raises(clopt.InvalidInput, match=text):
            fitness(slots, paths)
    for arguments in [("ring:5", 0), ("ring:5", 70000), ("ring:5", 3, "all"), ("other:5", 3)]:
        with pytest.raises(clopt.InvalidInput):
            clopt.ExchangeFitness(*arguments)
    with pytest.raises(clopt.InvalidInput, match="no number 9"):
        fitness.path(0, 9)
