"""Pictures and graphs of results."""

import sys

import numpy as np
import pytest

import clopt

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
networkx = pytest.importorskip("networkx")

WEIGHTS = np.array([31, 41, 59, 26, 53, 58, 97, 93, 23, 84])


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def pictures_of(result, names):
    """Draws all pictures that a result has, into a file."""
    for name in names:
        ax = result.plot(name)
        ax.figure.savefig("/dev/null", format="png")
        assert ax.get_title() and ax.get_xlabel() and ax.get_ylabel(), name
    return result.plot()


def test_statistics(device):
    result = clopt.differential_evolution("sphere", 3 * [(-5, 5)], maxiter=20, statistics=True, device=device)
    ax = pictures_of(result, ["statistics", "parameters"])
    # One problem's best is its mean and its worst.
    [line] = ax.get_lines()
    assert np.array_equal(line.get_ydata(), result.statistics["best"]) and ax.get_yscale() == "log"
    many = clopt.differential_evolution("sphere", 3 * [(-5, 5)], problems=7, maxiter=9, statistics=True, device=device)
    assert [each.get_label() for each in many.plot().get_lines()] == ["best", "mean", "worst"]
    assert np.array_equal(many.plot("values").get_lines()[0].get_ydata(), np.sort(many.fun))
    islands = clopt.genetic("sphere", 3, islands=2, maxiter=4, statistics=True, device=device)
    assert len(pictures_of(islands, ["statistics", "genes"]).get_lines()) == 2
    # Results that share Axes have colours of their own, and the first one's title.
    shared = many.plot("statistics", ax=result.plot("statistics"))
    assert len({line.get_color() for line in shared.get_lines()}) == 4


def test_fits(device):
    rows = [[1, 3, 5.5, 7], [2, 1, 0, -1], [0, 1, 1, 3], [np.nan] * 4]
    many = clopt.fit("line", rows, [0, 0], device=device)
    pictures_of(many, ["parameters", "chi_squared"])
    bars = many.plot("chi_squared").patches
    assert sum(bar.get_height() for bar in bars) == 3  # rows that have data
    alone = clopt.fit("line", rows[0], [0, 0], device=device)
    ax = alone.plot("parameters")
    assert [each.get_text() for each in ax.get_xticklabels()] == ["a", "b"]
    assert np.array_equal(ax.get_lines()[0].get_ydata(), alone.x)
    with pytest.raises(clopt.InvalidInput, match="nothing for it"):
        alone.plot("chi_squared")


@pytest.mark.parametrize("objective, genes", [("sphere", 49), ("onemax", 49), ("onemax", 7)])
def test_genes(device, objective, genes):
    result = clopt.genetic(objective, genes, maxiter=4, device=device)
    ax = pictures_of(result, ["genes"])
    if objective == "onemax":
        cells = np.ma.getdata(ax.get_images()[0].get_array()).ravel()
        assert np.array_equal(cells[:genes], result.x)
    else:
        assert np.array_equal(ax.get_lines()[0].get_ydata(), result.x)


def test_order(device):
    result = clopt.genetic(lambda x: x @ np.arange(7), 7, kind="permutation", maxiter=4, device=device)
    ax = result.plot()
    assert ax.get_ylabel() == "item" and np.array_equal(ax.get_lines()[0].get_ydata(), result.x)


def test_searched_fits(device):
    text = "real residual(individual x, uint j) { return gene(x, 0) + gene(x, 1) * abscissa(x, j) - row(x, j); }"
    data = np.array([[1, 2, 3, 4.5], [0, 0, 1, 1], [1, 0, 1, 0]])
    many = clopt.differential_evolution(clopt.Objective.text(text), 2 * [(-10, 10)], data=data, device=device)
    pictures_of(many, ["values", "parameters"])
    # Without weights of the data the errors are known: bars are drawn.
    one = clopt.differential_evolution(clopt.Objective.text(text), 2 * [(-10, 10)], data=data[:1], device=device)
    assert one.plot("parameters").get_title()


def test_model(device):
    result = clopt.ecga("trap5", 20, population=1000, maxiter=2, statistics=True, device=device)
    ax = pictures_of(result, ["model", "statistics"])
    cells = ax.get_images()[0].get_array()
    graph = result.to_networkx()
    assert sorted(graph.nodes) == list(range(20)) and max(map(len, result.model)) > 1
    for a in range(20):
        for b in range(20):
            assert graph.has_edge(a, b) == (a != b and not cells.mask[a, b])
    assert sorted(map(sorted, networkx.connected_components(graph))) == sorted(result.model)
    assert [graph.nodes[locus]["value"] for locus in range(20)] == result.x.tolist()


def test_subsets(device):
    result = clopt.subset_sum(WEIGHTS, 300, device=device)
    assert result.plot().get_lines()[0].get_ydata()[-1] == len(result.indices)
    chosen, left = result.plot(weights=WEIGHTS).containers
    assert sum(bar.get_height() for bar in chosen) == 300 == result.value and len(chosen) + len(left) == len(WEIGHTS)
    # The methods are compared where the capacity is large.
    weights = np.random.default_rng(1).integers(10**11, 10**12, 34)
    result = clopt.subset_sum(weights, int(weights.sum() // 2), device=device)
    ax = result.plot()
    assert [label.get_text() for label in ax.get_yticklabels()] == [each[0] for each in result.candidates]
    assert result.plot(weights=np.append(weights, 200 * [1])).get_xlabel() == "item, the heaviest first"


def test_links(device):
    result = clopt.exchange("mesh:3x3", device=device)
    ax = pictures_of(result, ["links"])
    assert ax.get_title() == f"mesh:3x3, all-to-all in {result.steps} slots"
    image = ax.get_images()[0].get_array()
    row_of = {tuple(link): row for row, link in enumerate(result.links.tolist())}
    colours = {}
    for k, slot in enumerate(result.slots.tolist()):
        path = result.path(k).tolist()
        for link in zip(path, path[1:]):
            colour = tuple(image[row_of[link], slot])
            assert colour != (1, 1, 1) and colours.setdefault(int(result.transfers[k][0]), colour) == colour
    assert len(set(colours.values())) == 9
    used = sum(len(result.path(k)) - 1 for k in range(len(result.transfers)))
    assert np.count_nonzero((image != 1).any(axis=2)) == used
    assert [each.get_text() for each in ax.get_legend().get_texts()] == [f"from {node}" for node in range(9)]
    broken = clopt.exchange(
        "mesh:3x3", optimizer="umda", steps="bound", population=16, maxiter=1, statistics=True, device=device
    )
    clash = pictures_of(broken, ["links", "statistics"])
    assert clash.get_legend().get_texts()[0].get_text() == "conflict" and "conflict" in clash.get_title()
    # Parallel channels are rows of their own.
    graph = networkx.MultiDiGraph()
    graph.add_edges_from([("a", "b"), ("a", "b"), ("b", "a")])
    assert len(clopt.exchange(graph, device=device).plot("links").get_images()[0].get_array()) == 3


@pytest.mark.parametrize("topology, nodes", [("ring:2", 2), ("mesh:2x3", 6), ("hypercube:3", 8), ("torus:4x4", 16)])
def test_steps_have_a_network_each(device, topology, nodes):
    result = clopt.exchange(topology, device=device)
    ax = result.plot("steps")
    assert ax.get_title() == f"{topology}, all-to-all in {result.steps} slots"
    panels = ax.child_axes
    assert [panel.get_title() for panel in panels] == [f"slot {slot}" for slot in range(result.steps)]
    for slot, panel in enumerate(panels):
        hops = sum(len(result.path(int(k))) - 1 for k in np.flatnonzero(result.slots == slot))
        assert len(panel.texts) == hops  # an arrow for each
        x, y = panel.get_lines()[-1].get_data()
        assert len(x) == nodes == len(set(zip(x.round(6), y.round(6))))
    if topology == "mesh:2x3":
        assert set(y) == {0, -1} and set(x) == {0, 1, 2}
    ax.figure.savefig("/dev/null", format="png")
    clash = clopt.exchange("ring:6", optimizer="umda", steps=5, population=16, maxiter=1, device=device)
    assert f"slots, with {clash.plot('steps').get_title().split('with ')[1]}".endswith("conflicts")


def test_what_cannot_be_drawn_is_refused(device, monkeypatch):
    result = clopt.subset_sum(WEIGHTS, 300, device=device)
    other = clopt.genetic("sphere", 3, maxiter=2, device=device)
    for wrong in (
        lambda: result.plot("genes"), lambda: result.plot("methods"), lambda: result.plot("weights"),
        lambda: result.plot(weights=[1, 2]), lambda: other.plot("statistics"), lambda: other.plot(weights=WEIGHTS),
    ):
        with pytest.raises(clopt.InvalidInput):
            wrong()
    ax = other.plot("genes")
    assert other.plot(ax=ax) is ax
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        result.plot()
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match="pip install networkx"):
        clopt.exchange("ring:3", device=device).network()


def test_networks(device):
    graph = networkx.DiGraph()
    graph.add_nodes_from([("a", {"role": "sender"}), ("b", {"role": "router"}), ("c", {"role": "receiver"})])
    graph.add_edges_from([("a", "b", {"channels": 2}), ("b", "c"), ("c", "a")])
    result = clopt.exchange(graph, device=device)
    again = result.network()
    assert dict(again.nodes(data="role")) == {"a": "sender", "b": "router", "c": "receiver"}
    assert sorted(again.edges(data="channels")) == [("a", "b", 2), ("b", "c", 1), ("c", "a", 1)]
    # Parallel edges are parallel channels, in whichever direction they are named.
    multi = networkx.MultiGraph([(0, 1), (1, 0), (1, 2), (2, 0)])
    text = "nodes 3\nlink 0 1 2\nlink 1 2\nlink 0 2\n"
    assert sorted(clopt.exchange(multi, device=device).topology_text.split("\n")) == sorted(text.split("\n"))
    with pytest.raises(clopt.InvalidInput, match="channels=0"):
        clopt.exchange(networkx.Graph([(0, 1, {"channels": 0})]), device=device)
    wide = networkx.Graph([(0, 1, {"capacity": 2, "weight": 1}), (1, 2), (2, 0)])
    with pytest.warns(UserWarning, match="the edges' 'capacity', 'weight' are not used"):
        assert len(clopt.exchange(wide, device=device).links) == 6


def test_what_a_network_reports_can_be_solved_again(device):
    first = clopt.exchange("torus:3x3", device=device)
    second = clopt.exchange(first.network(), device=device)
    assert (second.steps, second.bound) == (first.steps, first.bound) and second.optimal
