"""The scripts of docs/examples/python run, as they are or with less work, and so do the notebooks made of them."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

SOURCE = pathlib.Path(os.environ.get("CLOPT_SOURCE", pathlib.Path(__file__).parents[2]))
SCRIPTS = SOURCE / "docs" / "examples" / "python"


def fits(variables):
    assert variables["fits"].x.shape == (variables["CURVES"], 3) and variables["fits"].converged.mean() > 0.99
    # Standard errors are those of the distances from the truth.
    assert 0.9 < np.std(variables["distances"]) < 1.1


def map_of_parameters(variables):
    side = variables["SIDE"]
    assert variables["fits"].x.shape == (side**2, 3) and variables["fits"].solved == side**2 - len(variables["bad"])
    assert 0.95 < np.std(variables["distances"]) < 1.1 and abs(np.mean(variables["distances"])) < 0.1
    assert np.isnan(variables["found"].ravel()[variables["bad"]]).all()
    rate, is_below = variables["rate"], variables["is_below"]
    assert is_below[rate == 0.9].mean() > 0.9 and is_below[rate == 1.2].mean() < 0.01


def numba(variables):
    assert variables["result"].fun < 1e-6 and variables["medians"].x.shape == (100, 2)
    # The sum of distances is convex: it is as great or greater a step away.
    row = variables["places"][0].reshape(-1, 2)
    sums = [np.hypot(*(variables["medians"].x[0] + step - row).T).sum() for step in 1e-2 * np.vstack([np.eye(2), -np.eye(2)])]
    assert min(sums) >= variables["medians"].fun[0]


def model(variables):
    assert variables["result"].fun == 40 and variables["is_right"]


def exchange(variables):
    assert variables["schedule"].optimal and variables["schedule"].steps == 5
    assert set(variables["used"].nodes) == set("ABCDEFGHIJ")


def budget(variables):
    assert variables["choice"].optimal and variables["spent"] == variables["budget"]
    assert variables["found"].indices.tolist() == [3, 7, 10]


def resumed(variables):
    assert variables["first"].nit < 400 and variables["rest"].checksum == variables["whole"].checksum


def payment(variables):
    found, amounts = variables["found"], variables["amounts"]
    assert found.fewest and found.more is False and [4, 17, 41] in [subset.tolist() for subset in found.subsets]
    # All triples with the sum, by three loops; no pair and no single one has it.
    paid, places = variables["paid"], range(60)
    triples = [[i, j, k] for i in places for j in range(i) for k in range(j) if amounts[i] + amounts[j] + amounts[k] == paid]
    assert sorted(map(sorted, triples)) == sorted(subset.tolist() for subset in found.subsets)
    assert paid not in amounts and not any(amounts[i] + amounts[j] == paid for i in places for j in range(i))
    assert abs(variables["near"].value - paid) <= 10 and variables["subsets"][:3] == [0, 0, len(triples)]


def settings(variables):
    results, rates = variables["results"], variables["rates"]
    assert all(len(result.trials) == variables["RUNS"] for result in results.values())
    assert variables["again"].fun == variables["best"].fun
    assert results[rates[-1]].summary.successes > results[rates[0]].summary.successes and variables["chance"] < 0.01


def expensive(variables):
    result, alone = variables["result"], variables["alone"]
    assert result.fun < 1e-3 and alone.checksum == result.checksum and variables["simulate"](result.x) == result.fun
    assert pathlib.Path("throw.ck").stat().st_size > 0


def tour_and_knapsack(variables):
    trip, customers = variables["trip"], variables["customers"]
    steps = np.hypot(*np.diff(customers[trip.route], axis=0).T)
    assert trip.route[0] == 0 and sorted(trip.route) == list(range(61)) and abs(steps.sum() - trip.length) < 61 * 0.05
    assert variables["directed"].length >= variables["straight"][variables["directed"].route[:-1], variables["directed"].route[1:]].sum() - 3
    # The best worth of each load, parcel by parcel.
    weight, worth = variables["weight"], variables["worth"]
    best = np.zeros(701, dtype=int)
    for each, value in zip(weight, worth):
        best[each:] = np.maximum(best[each:], best[:-each] + value)
    chosen, load = variables["chosen"], variables["load"]
    assert load.feasible and weight[chosen].sum() <= 700 and load.fun == worth[chosen].sum() and load.fun >= 0.99 * best[-1]


def changed_problem(variables):
    # All plants below their limits have the same marginal cost, which is found by halving.
    linear, square, demand = variables["linear"], variables["square"], 900

    def optimum(limit):
        low, high = 0.0, 100.0
        for _ in range(60):
            price = (low + high) / 2
            given = np.clip((price - linear) / (2 * square), 0, limit)
            low, high = (low, price) if given.sum() >= demand else (price, high)
        return (given * (linear + square * given)).sum()

    for result, limit in ((variables["before"], variables["limit"]), (variables["after"], variables["lower"])):
        # In the text's order, which rounds as it does.
        missing = demand
        for given in result.x:
            missing -= given
        assert result.feasible and np.all(result.x <= limit) and missing <= 0
        np.testing.assert_allclose(result.fun, optimum(limit), rtol=1e-4)


def cpp_program(variables):
    best, found = variables["best"], variables["found"]
    # The program, by the library of the build, finds what the package does.
    assert found == [*best.x, best.fun]

    def discomfort(x):
        heights = np.array([*variables["heights"](*x)])
        shake = np.diff(heights, 2) / 1e-6
        return 1e-3 * (shake**2 / 4 + ((heights[2:] - 0.05) / 0.05) ** 2).sum()

    np.testing.assert_allclose(discomfort(best.x), best.fun, rtol=1e-9)
    for step in ([1.05, 1], [0.95, 1], [1, 1.05], [1, 0.95]):
        assert discomfort(best.x * step) > discomfort(best.x)


def shared_run(variables):
    alone, shared = variables["alone"], variables["shared"]
    assert shared is None or shared["checksum"] == alone["checksum"] and len(shared["busy"]) == 2


# What a script needs beyond the package and matplotlib, what is cut short, what its variables must be, its picture.
EXAMPLES = {
    "fit_curves": ([], {"CURVES = 10_000": "CURVES = 2_000"}, fits),
    "map_parameters": ([], {"SIDE = 1000 ": "SIDE = 100 "}, map_of_parameters),
    "minimise_numba": (["numba"], {}, numba),
    "model_graph": (["networkx"], {}, model),
    "exchange_graph": (["networkx"], {}, exchange),
    "spend_budget": ([], {}, budget),
    "match_payments": ([], {}, payment),
    "compare_settings": ([], {}, settings),
    "change_problem": ([], {}, changed_problem),
    "expensive_function": ([], {}, expensive),
    "share_run": ([], {}, shared_run),
    "cpp_program": ([], {}, cpp_program),
    "tour_and_knapsack": ([], {}, tour_and_knapsack),
    "resume_run": ([], {}, resumed),
}


def offer_library(folder, monkeypatch):
    """Lets pkg-config know the library beside the program, which is of a build or installed."""
    top = pathlib.Path(os.environ["CLOPT_PROGRAM"]).resolve().parents[1]
    if (top / "CMakeCache.txt").exists():
        (folder / "clopt.pc").write_text(
            f"Name: clopt\nDescription: of the build\nVersion: 0\nCflags: -I{SOURCE}/lib/include -I{top}/include\n"
            f"Libs: -L{top}/lib -lclopt -Wl,-rpath,{top}/lib\n"
        )
        monkeypatch.setenv("PKG_CONFIG_PATH", str(folder))
    elif installed := next(top.rglob("clopt.pc"), None):
        monkeypatch.setenv("PKG_CONFIG_PATH", str(installed.parent))


def run(text, name, folder, monkeypatch):
    """Runs a script's text on the processor, in a folder, and returns its variables."""
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CLOPT_DEVICE", "openmp:0")
    offer_library(folder, monkeypatch)
    matplotlib.use("Agg")
    variables = {"__name__": "__main__"}
    try:
        exec(compile(text, name, "exec"), variables)
    finally:
        matplotlib.pyplot.close("all")
    return variables


def test_every_script_is_tested():
    assert {script.stem for script in SCRIPTS.glob("*.py")} == set(EXAMPLES)
    page = (SOURCE / "docs" / "examples.md").read_text(encoding="utf-8")
    assert all(f"examples/python/{name}.py" in page for name in EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_script(name, tmp_path, monkeypatch):
    modules, cuts, check = EXAMPLES[name]
    for module in modules:
        pytest.importorskip(module)
    text = (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")
    for old, new in cuts.items():
        assert old in text
        text = text.replace(old, new)
    check(run(text, f"{name}.py", tmp_path, monkeypatch))
    pictures = [picture.name for picture in tmp_path.glob("*.png")]
    assert pictures == ([] if name == "minimise_numba" else [f"{name}.png"])
    assert all((tmp_path / picture).stat().st_size > 5000 for picture in pictures)


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    subprocess.run([sys.executable, SOURCE / "tools" / "notebooks", folder], check=True, stdout=subprocess.DEVNULL)
    return {file.stem: file for file in folder.glob("*.ipynb")}


def test_notebooks_have_the_scripts_code(notebooks):
    assert set(notebooks) == set(EXAMPLES)
    for name, file in notebooks.items():
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        code = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        script = (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")
        lines = [line for line in script.splitlines() if line.strip() and not (line == "#" or line.startswith("# "))]
        assert "".join(code.split()) == "".join("".join(lines).split()), name
        assert cells[0]["cell_type"] == "markdown" and cells[0]["source"][0].startswith("# ")


def test_a_notebook_runs(notebooks, tmp_path, monkeypatch):
    cells = json.loads(notebooks["spend_budget"].read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    budget(run(code, "spend_budget.ipynb", tmp_path, monkeypatch))


def test_notebooks_are_valid(notebooks):
    nbformat = pytest.importorskip("nbformat")
    for file in notebooks.values():
        nbformat.validate(nbformat.read(file, as_version=4))
