"""Tours of arrays, matrices and files."""

import itertools
import warnings

import numpy as np
import pytest

import clopt


def shortest(lengths, start, end, is_open):
    """The least length of all trips that are allowed."""
    count = len(lengths)
    best = np.inf
    for order in itertools.permutations(range(count)):
        if (start is not None and order[0] != start) or (end is not None and order[-1] != end):
            continue
        legs = [lengths[a][b] for a, b in zip(order, order[1:])]
        best = min(best, sum(legs) + (0 if is_open else lengths[order[-1]][order[0]]))
    return best


@pytest.mark.parametrize(
    ("start", "end", "is_open"),
    [(None, None, False), (2, None, False), (None, None, True), (2, None, True), (None, 3, True), (5, 0, True)],
)
@pytest.mark.parametrize("is_symmetric", [True, False])
def test_of_few_cities_the_trip_is_the_shortest(device, start, end, is_open, is_symmetric):
    lengths = np.random.default_rng(7).integers(1, 100, (7, 7))
    if is_symmetric:
        lengths = lengths + lengths.T
    result = clopt.tour(lengths, start=start, end=end, open=is_open, maxiter=20, population=20, seed=3, device=device)
    assert sorted(result.route) == list(range(7))
    assert start is None or result.route[0] == start
    assert end is None or result.route[-1] == end
    assert len(result.legs) == (6 if is_open else 7)
    assert result.length == result.fun == result.legs.sum() == shortest(lengths, start, end, is_open)
    assert result.success and result.places is None


def test_places_have_lengths_of_decimals(device):
    places = np.random.default_rng(5).random((12, 2))
    result = clopt.tour(places, open=True, start=4, decimals=3, maxiter=9, runs=2, statistics=False, device=device)
    way = places[result.route]
    assert result.route[0] == 4
    np.testing.assert_array_equal(result.legs, np.floor(np.hypot(*np.diff(way, axis=0).T) * 1000 + 0.5) / 1000)
    assert result.length == pytest.approx(result.legs.sum(), abs=1e-9)
    assert result.fun == result.length == min(trial.fun for trial in result.trials) == result.summary.best
    assert result.settings["decimals"] == 3 and result.settings["open"]
    np.testing.assert_array_equal(result.places, places)
    same = clopt.tour(places, open=True, start=4, decimals=3, maxiter=9, device=device, initial=[result.route], target=result.fun)
    assert same.ending == "target" and same.nit == 0 and same.fun == result.fun


def test_a_callback_and_statistics_have_lengths(device):
    places = np.random.default_rng(6).random((9, 2))
    seen = []
    result = clopt.tour(
        places,
        decimals=4,
        maxiter=5,
        statistics=True,
        device=device,
        callback=lambda state: seen.append(state.fun) and False,
    )
    assert result.statistics["best_so_far"][-1] == result.fun < 9
    assert all(fun is None or fun < 9 for fun in seen)


def test_rounded_lengths_are_warned_of(device):
    places = np.random.default_rng(5).random((12, 2))
    with pytest.warns(UserWarning, match="give more `decimals`"):
        clopt.tour(places, maxiter=1, device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clopt.tour(places * 1000, maxiter=1, device=device)


def test_files_and_tables_are_those_of_the_program(device, tmp_path):
    file = tmp_path / "cities.csv"
    file.write_text("name,lat,lon\nBerlin,52.52,13.4\nParis,48.86,2.35\nRome,41.9,12.5\nMadrid,40.42,-3.7\n")
    result = clopt.tour(file, start="Rome", maxiter=5, device=device)
    assert result.names == ("Berlin", "Paris", "Rome", "Madrid") and result.geographical
    lines = result.to_csv().splitlines()
    assert lines[0] == "position,city,name,latitude,longitude,leg,sum"
    assert lines[1].startswith("1,3,Rome,41.9,12.5,0") and lines[5].startswith("5,3,Rome,")
    assert result.route[0] == 2
    # A data frame counts as Python does.
    columns = result._table(result._tables(), None)
    assert list(columns["city"]) == [*result.route, 2] and list(columns["position"]) == list(range(5))
    assert float(lines[5].split(",")[-1]) == result.length
    places = [[52.52, 13.4], [48.86, 2.35], [41.9, 12.5], [40.42, -3.7]]
    same = clopt.tour(places, geographical=True, start=2, maxiter=5, device=device, names=list("abcd"))
    assert same.length == result.length and same.names == tuple("abcd")


def test_a_trip_is_drawn(device):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    places = np.random.default_rng(5).random((12, 2)) * 1000
    result = clopt.tour(places, open=True, maxiter=2, device=device)
    ax = result.plot()
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), places[result.route])
    assert f"{result.length:.15g}" in ax.get_title()
    pyplot.close(ax.figure)
    with pytest.raises(clopt.InvalidInput, match="nothing for it"):
        clopt.tour(np.ones((4, 4)), maxiter=1, device=device).plot("map")


@pytest.mark.parametrize(
    ("cities", "given", "message"),
    [
        (np.ones((3, 4)), {}, r"shape \(3, 4\)"),
        (np.ones(5), {}, r"shape \(5,\)"),
        ([[0, 0], [1, np.nan], [2, 2]], {}, "row 2"),
        ([[0, 1.5, 1], [1, 0, 1], [1, 1, 0]], {}, "give whole numbers, 0 or more, or `decimals`"),
        ([[0, -1, 1], [1, 0, 1], [1, 1, 0]], {"decimals": 1}, "row 1, column 2"),
        (np.ones((4, 4)), {"start": 4}, "start=4"),
        (np.ones((4, 4)), {"start": "A"}, "no such city; give its number from 0 to 3"),
        (np.ones((4, 4)), {"start": "2"}, "no such city; give its number from 0 to 3"),
        (np.ones((4, 4)), {"start": "#2"}, "no such city; give its number from 0 to 3"),
        (np.ones((4, 4)), {"start": "#x"}, "no such city; give its number from 0 to 3"),
        (np.ones((4, 4)), {"names": list("abca"), "start": "a"}, "several cities have that name; give its number from 0 to 3"),
        (np.ones((4, 4)), {"names": list("abcd"), "open": True, "end": "e"}, "a city's name, or its number from 0 to 3"),
        (np.ones((4, 4)), {"end": 1}, "give `open`"),
        (np.ones((4, 4)), {"end": 1, "start": 1, "open": True}, "are both"),
        (np.ones((4, 4)), {"decimals": 7}, "decimals=7"),
        (np.ones((4, 4)), {"geographical": True}, "geographical"),
        (np.ones((4, 4)), {"names": ["a"]}, "1 names and 4 cities"),
        (np.ones((4, 4)), {"initial": [[0, 1, 2, 2]]}, "give each city once"),
        ([[91, 0], [0, 0], [1, 1]], {"geographical": True}, "are not a latitude"),
        ([[0, 0], [1, 1]], {"start": 0, "open": True}, "shape|2 cities"),
        ("none.csv", {}, "cannot be read"),
        (np.ones((4, 4)), {"start": True}, "start=True"),
        (np.ones((4, 4)), {"open": "no"}, "open='no'"),
        (np.ones((4, 2)), {"geographical": 1}, "geographical=1"),
        (np.ones((4, 4)), {"names": 5}, "names=5"),
        (np.ones((4, 4)), {"target": "x"}, "target='x'"),
        (np.ones((4, 4)), {"target": [1]}, "target"),
    ],
)
def test_what_is_no_tour_is_refused(device, cities, given, message):
    with pytest.raises(clopt.InvalidInput, match=message):
        clopt.tour(cities, device=device, **given)


def test_numbers_are_no_names(device):
    places = [[0, 0], [10, 0], [20, 0], [30, 0], [40, 0]]
    for start in range(5):
        for names in (["2", "1", "3", "4", "5"], ["5", "1", "3", "4", "2"]):
            trip = clopt.tour(places, start=start, open=True, names=names, maxiter=3, device=device)
            assert trip.route[0] == start
    named = clopt.tour(places, start="5", open=True, names=["5", "1", "3", "4", "2"], maxiter=3, device=device)
    assert named.route[0] == 0
    assert named.settings["start"] == "5" and trip.settings["start"] == 4 and trip.settings["end"] is None
    odd = clopt.tour(places, start="#2", open=True, names=["a", "b", "c", "d", "#2"], maxiter=3, device=device)
    assert odd.route[0] == 4


@pytest.mark.parametrize("names", [["a"], [f"n{i}" for i in range(20000)]])
def test_names_of_a_file_are_as_many_as_its_cities(device, names, tmp_path):
    file = tmp_path / "cities.csv"
    file.write_text("x,y\n0,0\n0,9\n9,9\n9,0\n")
    with pytest.raises(clopt.InvalidInput, match=f"4 cities and {len(names)} names"):
        clopt.tour(file, names=names, start=names[-1], open=True, device=device)


def test_a_number_beyond_the_cities_of_a_file_is_refused(device, tmp_path):
    file = tmp_path / "cities.csv"
    file.write_text("x,y\n0,0\n0,9\n9,9\n9,0\n")
    with pytest.raises(clopt.InvalidInput, match="`start` is '4', and there is no such city; give its number from 0 to 3"):
        clopt.tour(file, start=4, device=device)
