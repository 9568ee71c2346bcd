"""Values of models, pictures of fits, and titles: as numpy computes and the program draws them."""

import pickle
import re
import subprocess
import xml.etree.ElementTree

import numpy as np
import pytest
from conftest import PROGRAM

import clopt

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

T = np.linspace(0, 4, 9)
PARAMETERS = np.array([[3.0, 1.0, 0.5], [2.0, 0.4, -1.0], [1.0, 2.0, 0.0]])
NOISE = np.random.default_rng(1).normal(0, 0.05, (3, 9))
TEXT = "real model(individual x, real t) { return gene(x, 0) * exp(-gene(x, 1) * t) + U * gene(x, 2); }"
LINE = "real residual(individual x, uint j) { return gene(x, 0) + gene(x, 1) * abscissa(x, j) - row(x, j); }\n"
NEVER = "real residual(individual x, uint j) { const real d = gene(x, 0) - row(x, j); return 1 + d * d; }\n"
BLUE, ORANGE = "#0072B2", "#D55E00"


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.fixture
def texts(tmp_path):
    """Runs the program with --plot and returns the texts of the picture that are no numbers, in their order."""

    def run(*arguments):
        picture = tmp_path / "picture.svg"
        command = [PROGRAM, *map(str, arguments), "--device", "openmp:0", "--quiet", "--plot", picture]
        subprocess.run(command, check=True, timeout=120)
        elements = xml.etree.ElementTree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}text")
        return [element.text for element in elements if not is_number(element.text)]

    return run


def is_number(text):
    return re.fullmatch(r"[-−]?[\d.e+-]+", text) is not None


def texts_of(ax):
    """The same of Axes with panels."""
    panels = [word for panel in ax.child_axes for word in (panel.get_xlabel(), panel.get_ylabel())]
    return [ax.get_title(), *(each.get_text() for each in ax.texts), *filter(None, panels)]


def write(path, rows):
    path.write_text("\n".join(",".join("" if np.isnan(each) else repr(float(each)) for each in row) for row in rows) + "\n")
    return path


def decay(t, a, b, c):
    return a * np.exp(-b * t) + c


def test_values_are_numpys(device, monkeypatch):
    expected = decay(T, *PARAMETERS.T[:, :, None])
    for model, more in (("exponential", {}), (TEXT, {"constants": {"U": 1.0}})):
        values = clopt.model_values(model, PARAMETERS, T, device=device, **more)
        assert values.shape == (3, 9) and np.allclose(values, expected, rtol=1e-14)
        assert np.array_equal(clopt.model_values(model, PARAMETERS[1], T, device=device, **more), values[1])
    places = np.stack([T, T + 1, T / 2])
    own = clopt.model_values("exponential", PARAMETERS, places, device=device)
    assert np.allclose(own, [decay(t, *x) for t, x in zip(places, PARAMETERS)], rtol=1e-14)
    assert np.allclose(clopt.model_values("exponential", PARAMETERS[0], places), decay(places, *PARAMETERS[0]), rtol=1e-14)
    assert clopt.model_values("line", [1, 2], 3) == 7 == clopt.model_values(lambda t, a, b: a + b * t, [1, 2], 3)
    assert np.array_equal(clopt.model_values("line", [[1, 2], [0, 1]], 3), [7, 3])
    for line in ("line", lambda t, a, b: a + b * t):
        assert np.array_equal(clopt.model_values(line, [1, 2], points=3), [1, 3, 5])
    spot = clopt.model_values("gauss_2d", [500, 2, 1, 1, 10], points=15, width=5, device=device).reshape(3, 5)
    u, t = np.mgrid[:3, :5]
    assert np.allclose(spot, 500 * np.exp(-((t - 2) ** 2 + (u - 1) ** 2) / 2) + 10, rtol=1e-14)
    gaps = clopt.model_values("line", [[1, 2], [np.nan, 1]], [0, np.nan, 2], device=device)
    assert np.array_equal(gaps, [[1, np.nan, 5], 3 * [np.nan]], equal_nan=True)
    # Many rows are evaluated in parts.
    for each, x in ((T, PARAMETERS), (places, PARAMETERS), (places, PARAMETERS[0]), (None, PARAMETERS)):
        points = 9 if each is None else None
        whole = clopt.model_values("exponential", x, each, points=points, device=device)
        with monkeypatch.context() as small:
            small.setattr(clopt._model_values, "_MOST_VALUES", 20)
            assert np.array_equal(clopt.model_values("exponential", x, each, points=points, device=device), whole)
    whole += 1  # an array of the caller's own
    # A function of numpy is called for all rows at once, beside the check against rows alone.
    calls = []

    def counted(t, *x):
        calls.append(np.shape(x[0]))
        return decay(t, *x)

    many = np.tile(PARAMETERS, (100, 1))
    assert np.array_equal(clopt.model_values(counted, many, T), np.tile(expected, (100, 1)))
    assert (300, 1) in calls and len(calls) <= 5
    assert np.array_equal(clopt.model_values(decay, PARAMETERS[0], T), decay(T, *PARAMETERS[0]))
    for wrong in (
        lambda: clopt.model_values("line", [1, 2, 3], T), lambda: clopt.model_values("line", [1, 2], [[[1]]]),
        lambda: clopt.model_values("line", [1, 2]), lambda: clopt.model_values("line", [1, 2], T, points=3),
        lambda: clopt.model_values("line", [1, 2], points=0), lambda: clopt.model_values("gauss_2d", [1, 2, 3, 4, 5], 3, width=5),
        lambda: clopt.model_values("line", np.ones((2, 2)), np.ones((3, 4))), lambda: clopt.model_values(LINE, [1, 2], T),
        lambda: clopt.model_values(decay, PARAMETERS, T, width=3), lambda: clopt.model_values("line", [], T),
    ):
        with pytest.raises(clopt.InvalidInput):
            wrong()


def test_results_predict(device):
    data = decay(T, *PARAMETERS.T[:, :, None]) + NOISE
    data[1, 3] = np.nan
    many = pickle.loads(pickle.dumps(clopt.fit("exponential", data, [2, 1, 0], abscissa=T, precision="double")))
    assert np.array_equal(many.data, data, equal_nan=True) and many.model == "exponential"
    assert np.allclose(many.predict(), decay(T, *many.x.T[:, :, None]), rtol=1e-13)
    assert np.allclose(np.nansum((data - many.predict()) ** 2, axis=1), many.chi_squared, rtol=1e-9)
    assert np.allclose(many.predict([0, 9]), decay(np.array([0, 9]), *many.x.T[:, :, None]), rtol=1e-13)
    one = clopt.fit(TEXT, data[0], [2, 1, 0], abscissa=T, constants={"U": 2}, device=device)
    assert one.predict().shape == (9,) and np.allclose(one.predict(), many.predict()[0], atol=1e-4)
    spot = clopt.fit("gauss_2d", clopt.model_values("gauss_2d", [500, 2, 1, 1, 10], points=15, width=5), [400, 2, 1, 1, 0], width=5)
    assert np.allclose(spot.predict(), spot.data, atol=1e-2)
    for wrong in (3, 2.5):
        with pytest.raises(clopt.InvalidInput, match="give places"):
            many.predict(wrong)
    with pytest.raises(clopt.InvalidInput, match="no curve"):
        clopt.fit(LINE, data[0], [0, 0], abscissa=T, device=device).predict()


def test_results_need_not_the_device_that_made_them(device):
    result = clopt.fit("line", [[1, 3, 5], [2, 1, 0]], [0, 0], device=device)
    text = clopt.Objective.text(LINE)
    searched = clopt.differential_evolution(text, 2 * [(-9, 9)], data=[[1, 3, 5]], abscissa=[0, 1, 2], maxiter=9, device=[device])
    # An open device would hold its memory, and be opened anew where a result is loaded.
    assert result._devices == searched._fit.devices == ("openmp:0",)
    # As of a machine that has one which this one lacks.
    object.__setattr__(result, "_devices", ("opencl:99",))
    object.__setattr__(searched._fit, "devices", ("opencl:99",))
    assert np.allclose(result.predict(), [[1, 3, 5], [2, 1, 0]], atol=1e-5)
    assert len(result.plot().child_axes) == 4 and len(searched.plot().child_axes) == 3


def test_a_fit_is_the_programs_picture(device, texts, tmp_path):
    data = decay(T, *PARAMETERS.T[:, :, None]) + NOISE
    data = np.concatenate([data, [9 * [np.nan]]])
    data[1, 3] = np.nan
    result = clopt.fit("exponential", data, [2, 1, 0], abscissa=T, fixed={"c": 0.25}, device=device)
    options = ["--abscissa", write(tmp_path / "t.csv", [T]), "--data", write(tmp_path / "y.csv", data)]
    options += ["--guess", "2,1,0", "--fixed", "c=0.25"]
    drawn = texts("fit", "--model", "exponential", *options)
    ax = result.plot()
    assert sorted(texts_of(ax)) == sorted(drawn) and ax.get_title() == drawn[0] == "fits of exponential, 4 of 4 rows"
    assert "row 4: no data" in drawn and "c = 0.25 (fixed)" in drawn
    assert sorted(texts_of(result.plot(rows=[2, 0]))) == sorted(texts("fit", "--model", "exponential", *options, "--plot-rows", "3,1"))
    assert len(ax.child_axes) == 8 and [panel.get_ylabel() for panel in ax.child_axes[:2]] == ["data and curve", "residuals"]
    above, below = ax.child_axes[2:4]
    curve, marks = above.get_lines()
    assert curve.get_color() == ORANGE and marks.get_color() == BLUE and len(curve.get_xdata()) == 8 * 8 + 1
    assert np.allclose(curve.get_ydata(), decay(curve.get_xdata(), *result.x[1]), atol=1e-4)
    is_there = np.isfinite(data[1])
    assert np.array_equal(marks.get_xdata(), T[is_there]) and np.array_equal(marks.get_ydata(), data[1][is_there])
    off = below.get_lines()[-1].get_ydata()
    assert np.allclose(off, (data[1] - result.predict()[1])[is_there], atol=1e-4)
    least, most = below.get_ylim()
    assert least < min(off) < 0 < max(off) < most and below.get_xlim() == above.get_xlim()
    figure = matplotlib.pyplot.figure()
    axes = figure.add_subplot(1, 2, 2)
    assert result.plot("fit", ax=axes, rows=[1]) is axes and len(axes.child_axes) == 2
    for wrong in (lambda: result.plot(rows=[4]), lambda: result.plot(rows=[]), lambda: result.plot("parameters", rows=[0])):
        with pytest.raises(clopt.InvalidInput, match="rows"):
            wrong()


def test_residuals_alone_have_a_curve_or_a_note(device, texts, tmp_path):
    data = np.array([[1, 3, 5.5, 7], [2, 1, 0, -1.5]])
    table = write(tmp_path / "y.csv", data)
    never = clopt.fit(NEVER, data, [0], device=device)
    (tmp_path / "model.cl").write_text(NEVER)
    drawn = texts("fit", "--model", tmp_path / "model.cl", "--data", table, "--guess", "0")
    ax = never.plot()
    note = "row 1: value; no datum makes its residual 0"
    assert sorted(texts_of(ax)[1:]) == sorted(drawn[1:]) and note in drawn and ax.child_axes[0].get_ylabel() == "data"
    assert np.allclose(ax.child_axes[1].get_lines()[-1].get_ydata(), 1 + (never.x[0] - data[0]) ** 2, rtol=1e-5)
    # Differential evolution draws its own picture of them.
    text = tmp_path / "line.cl"
    text.write_text(LINE)
    many = pickle.loads(
        pickle.dumps(clopt.differential_evolution(clopt.Objective.file(text), 2 * [(-10, 10)], data=data, seed=1))
    )
    options = ["--dimensions", "2", "--lower", "-10", "--upper", "10", "--data", table, "--seed", "1"]
    drawn = texts("differential-evolution", "--objective", text, *options)
    ax = many.plot()
    assert sorted(texts_of(ax)[1:]) == sorted(drawn[1:]) and len(ax.child_axes) == 5
    assert ax.get_title() == f"fits of {many.objective}"
    assert sum(bar.get_height() for bar in ax.child_axes[-1].patches) == 2
    assert [each.get_text()[:5] for each in many.plot(rows=[1]).texts] == ["row 2", "sums "]


def test_what_curve_fit_finds_is_drawn():
    data = decay(T, *PARAMETERS.T[:, :, None]) + NOISE
    popt, pcov = clopt.curve_fit(decay, T, data, p0=[2, 1, 0])
    ax = clopt.plot_fits(decay, T, data, popt, pcov, rows=[1])
    words = texts_of(ax)
    assert ax.get_title() == "fits of decay, 1 of 3 rows" and "row 2" in words and "6 degrees of freedom" in words
    [shown] = [re.fullmatch(r"a = ([\d.]+) ± ([\d.]+)", word).groups() for word in words if word.startswith("a = ")]
    assert np.allclose(np.array(shown, float), [popt[1, 0], np.sqrt(pcov[1, 0, 0])], rtol=0.05)
    assert f"χ² = {((data[1] - decay(T, *popt[1])) ** 2).sum():.5g}" in words
    curve = ax.child_axes[0].get_lines()[0]
    assert len(curve.get_xdata()) == 65 and np.allclose(curve.get_ydata(), decay(curve.get_xdata(), *popt[1]), rtol=1e-13)
    # The same of a model by name, with places of each row and weights; and what has no places.
    places = np.tile(T, (3, 1))
    named, covariance = clopt.curve_fit("exponential", places, data, p0=[2, 1, 0], sigma=np.full(9, 0.05))
    again = clopt.plot_fits("exponential", places, data, named, covariance, 0.05, rows=[1])
    found = again.child_axes[0].get_lines()[0]
    assert np.allclose(found.get_ydata(), curve.get_ydata(), atol=1e-5)
    assert any(word.startswith("χ² = ") and float(word[5:]) > 1 for word in texts_of(again))
    # What is missing counts in no sum, nor in a matrix of covariance.
    gap, matrix = np.where(T == 1, np.nan, data[0]), 0.01 * (np.eye(9) + 0.3 * np.eye(9, k=1) + 0.3 * np.eye(9, k=-1))
    off, part = np.delete(gap - decay(T, *popt[0]), 2), np.delete(np.delete(matrix, 2, 0), 2, 1)
    words = texts_of(clopt.plot_fits(decay, T, gap, popt[0], pcov[0], matrix))
    assert f"χ² = {off @ np.linalg.solve(part, off):.5g}" in words and "5 degrees of freedom" in words
    plane = clopt.plot_fits(lambda t, a: a * t[0] * t[1], np.ones((2, 4)), np.ones(4), [1.5])
    assert np.array_equal(plane.child_axes[0].get_lines()[0].get_ydata(), 4 * [1.5])
    with pytest.raises(clopt.InvalidInput, match="popt has 1 rows"):
        clopt.plot_fits(decay, T, data, popt[0])
    with pytest.raises(clopt.InvalidInput, match="pcov has the shape"):
        clopt.plot_fits(decay, T, data, popt, pcov[0])
    with pytest.raises(clopt.InvalidInput, match="must return"):
        clopt.plot_fits(decay, T[:4], data, popt)


def legend_of(ax):
    return [each.get_text() for each in ax.get_legend().get_texts()]


def test_titles_of_runs_are_the_programs(device, texts):
    def check(result, *arguments):
        drawn, ax = texts(*arguments), result.plot("statistics")
        assert ax.get_title() == drawn[0] and {ax.get_xlabel(), ax.get_ylabel()} <= set(drawn)
        assert legend_of(ax) == drawn[-len(legend_of(ax)) :]

    run = {"maxiter": 30, "seed": 3, "statistics": True, "device": device}
    limits = ["--generations", "30", "--seed", "3"]
    check(clopt.genetic("rastrigin", 6, **run), "genetic", "--objective", "rastrigin", "--genes", "6", *limits)
    de = ["differential-evolution", "--dimensions", "6", *limits, "--objective"]
    check(clopt.differential_evolution("rastrigin", dimensions=6, **run), *de, "rastrigin")
    check(clopt.differential_evolution("sphere", dimensions=6, problems=3, **run), *de, "sphere", "--problems", "3")
    ecga = ["ecga", "--objective", "trap5", "--length", "20", *limits]
    check(clopt.ecga("trap5", 20, population=600, **run), *ecga, "--population", "600")
    check(clopt.ecga("trap5", 20, **run), *ecga)


def test_results_name_their_objectives(device):
    def bowl(x):
        return (x * x).sum()

    run = {"maxiter": 2, "device": device}
    assert clopt.differential_evolution(bowl, 2 * [(-1, 1)], args=(), **run).objective == "bowl"
    result = clopt.genetic(bowl, bounds=2 * [(-1, 1)], **run)
    assert result.objective == "bowl" and result.plot().get_title().startswith("bowl: best value ")
    assert clopt.ecga(bowl, 8, population=20, **run).objective == "bowl"
    text = clopt.Objective.text("real objective(individual x) { return gene(x, 0); }", name="first")
    assert clopt.genetic(text, bounds=2 * [(-1, 1)], **run).objective == "first"
    with clopt.Optimizer("genetic", bounds=2 * [(-1, 1)], maxiter=1, name="mine") as optimizer:
        while (x := optimizer.ask()) is not None:
            optimizer.tell(x.sum(axis=1))
        assert optimizer.result().objective == "mine"
