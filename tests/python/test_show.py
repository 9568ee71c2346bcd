"""How results, devices, progress and wrong arguments are shown."""

import html.parser
import re
import sys
import traceback

import numpy as np
import pytest

import clopt

T = np.arange(12) / 4
ROWS = np.exp(-np.outer(np.linspace(0.5, 2, 49), T))


def solve_all():
    device = {"device": "openmp:0"}
    yield clopt.genetic("onemax", 5000, maxiter=3, population=64, **device)
    yield clopt.genetic("rastrigin", 3, maxiter=3, population=32, runs=3, seed=None, target=1e-9, **device)
    yield clopt.differential_evolution("rastrigin", dimensions=7, maxiter=10, **device)
    yield clopt.differential_evolution("rastrigin", dimensions=100, maxiter=2, population=8, **device)
    yield clopt.ecga("trap5", 200, population=400, maxiter=3, statistics=True, **device)
    yield clopt.tour(np.random.default_rng(1).uniform(0, 1000, (30, 2)), maxiter=5, **device)
    yield clopt.subset_sum([31, 41, 59, 26, 53], 300, **device)
    yield clopt.subset_sum(list(range(1, 1500)), 700_000, **device)
    yield clopt.subset_sum(["12.50", "-3.20", "8.99"], "9.30", exactly=True, all=5, fewest=True, **device)
    yield clopt.subset_sum([10], 3, exactly=True, **device)
    yield clopt.exchange("torus:4x4", "all-to-all", time_limit=2, **device)
    yield clopt.fit("exponential", ROWS[0], [1, 1, 0], abscissa=T, **device)
    yield clopt.fit("exponential", ROWS, [1, 1, 0], abscissa=T, **device)


RESULTS = list(solve_all())


class Cells(html.parser.HTMLParser):
    """Rows of a table."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.open = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.rows[-1][-1] += data


@pytest.mark.parametrize("result", RESULTS, ids=lambda each: type(each).__name__)
def test_a_result_is_a_dozen_lines(result):
    lines = repr(result).split("\n")
    assert len(lines) <= 12 and max(map(len, lines)) <= 120 and lines[0] == type(result).__name__
    shown = dict(re.fullmatch(r" +(\w+): (.*)", line).groups() for line in lines[1:])
    assert shown["success"] == f"{result.success}: {result.message}" and shown["method"] == result.method
    assert shown["seconds"].startswith(f"{result.seconds.total:.3g}")
    assert [row for row in Cells(result._repr_html_()).rows[1:]] == [list(each) for each in shown.items()]
    if hasattr(result, "seed"):
        assert shown["seed"] == str(result.seed)


def test_short_answers_are_whole_and_long_ones_are_not():
    many, few = RESULTS[7], RESULTS[6]
    assert f"indices: [{' '.join(map(str, few.indices))}]" in repr(few)
    assert " ... " in repr(many) and f"shape ({len(many.indices)},)" in repr(many)
    assert "49 of 49" in repr(RESULTS[12]) and "float64, shape (49, 3)" in repr(RESULTS[12])
    assert "0 with success" in repr(RESULTS[1])


def test_devices_are_a_table():
    listed = clopt.devices()
    assert isinstance(listed, list) and listed[0].id == "openmp:0"
    lines = repr(listed).split("\n")
    assert len(lines) == 1 + len(listed) and lines[0].startswith("id")
    assert [line.split()[0] for line in lines[1:]] == [each.id for each in listed]
    rows = Cells(listed._repr_html_()).rows
    assert [row[0] for row in rows[1:]] == [each.id for each in listed] and rows[1][1] == listed[0].name


def test_a_bar_follows_a_run(capsys):
    pytest.importorskip("tqdm")
    options = {"maxiter": 20, "population": 20, "device": "openmp:0"}
    seen = []
    result = clopt.genetic("rastrigin", 6, progress=True, callback=seen.append, **options)
    text = capsys.readouterr().err
    assert "genetic" in text and "100%" in text and f"best {result.fun:.9g}" in text
    assert seen and seen[-1].fun == result.fun
    assert clopt.genetic("rastrigin", 6, **options).checksum == result.checksum
    assert capsys.readouterr().err == ""
    # The callback still ends the run, and what it raises is raised.
    assert clopt.genetic("rastrigin", 6, progress=True, callback=lambda state: True, **options).ending == "interrupted"
    with pytest.raises(ZeroDivisionError):
        clopt.genetic("rastrigin", 6, progress=True, callback=lambda state: 1 / 0, **options)
    with pytest.raises(clopt.InvalidInput, match="progress='yes'"):
        clopt.genetic("rastrigin", 6, progress="yes", **options)


def test_a_bar_without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="pip install tqdm"):
        clopt.subset_sum([1, 2], 3, progress=True)


def test_wrong_arguments_have_no_frames_of_the_package():
    with pytest.raises(clopt.InvalidInput) as caught:
        clopt.genetic("rastrigin", 6, bounds=[(1, 0)], device="openmp:0")
    frames = traceback.extract_tb(caught.value.__traceback__)
    here = sys._getframe().f_code.co_name
    assert [frame.name for frame in frames] == [here, "timed"]
    with pytest.raises(TypeError, match="Did you mean 'population'") as unknown:
        clopt.genetic("rastrigin", 6, popul=8)
    assert [frame.name for frame in traceback.extract_tb(unknown.value.__traceback__)] == [here, "timed"]
    result = clopt.fit("line", [1, 3, 5], [0, 0], device="openmp:0")
    for call in (
        lambda: clopt.curve_fit("line", [0, 1, 2], [1, 2, 4], p0=[1, 2, 3]), lambda: clopt.model_values("line", [1], 3),
        lambda: result.predict(1), lambda: result.plot("nothing"), lambda: clopt.plot_fits("line", None, [1, 2], [[1], [2]]),
    ):
        with pytest.raises(clopt.InvalidInput) as caught:
            call()
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert [frame.name for frame in frames] == [here, "<lambda>", "called"]

    def wrong(x):
        return {}["missing"]

    with pytest.raises(KeyError) as caught:
        clopt.genetic(wrong, bounds=3 * [(-1, 1)], device="openmp:0")
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "wrong"
