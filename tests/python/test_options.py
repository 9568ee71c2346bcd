"""Options come from the library's table: what the program has, Python has, by the same names."""

import inspect
import json
import os
import pathlib
import subprocess
import sys
from decimal import Decimal, localcontext

import numpy as np
import pytest

import clopt
from clopt import _core, _options

SOLVERS = {name: name.title().replace("_", "") + "Options" for name in _core.solvers()}
solvers = pytest.mark.parametrize("solver", SOLVERS)

# Options of the program that no argument stands for.
FILES = "files of Python are arrays, texts and results"
REASONS = {
    **dict.fromkeys(["output", "format", "output-population", "output-runs", "model", "verify", "plot", "plot-background", "plot-rows"], FILES),
    "summary": "the result has the summary",
    **dict.fromkeys(["constant", "table"], "arguments of clopt.Objective.text"),
    **dict.fromkeys(["start", "end", "open", "decimals"], "arguments of clopt.tour"),
    **dict.fromkeys(["threads", "force"], "arguments of clopt.open"),
    **dict.fromkeys(["json", "quiet", "help"], "of a terminal"),
    "shard": "slices are files; ranks share a run (clopt.cluster)",
    "instance": "clopt.subset_sum_instance",
    "profit": "clopt.read_amounts, of that column",
    **dict.fromkeys(["column", "label", "decimal", "thousands", "separator"], "arguments of clopt.read_amounts"),
    "bound": "the result has the bound",
    "no-polish": "polish=False",
    "no-errors": "errors=False",
    "confidence": "a method of the result",
}
# Those of the problem, whose arguments have other names.
OTHER_NAMES = {"objective": "func", "lower": "bounds", "upper": "bounds", "integer": "integrality"}


def arguments_of(solver):
    return inspect.signature(getattr(clopt, solver)).parameters


@solvers
def test_every_option_of_the_program_has_an_argument(solver):
    described = subprocess.run([os.environ["CLOPT_PROGRAM"], "--describe"], capture_output=True, check=True)
    subcommands = {each["name"].replace("-", "_"): each for each in json.loads(described.stdout)["subcommands"]}
    names = {field["name"]: field["argument"] for field in _core.fields(solver)}
    if solver == "subset_sum":
        names["seed"] = "capacity"  # it draws instances alone
        names["FILE"] = "weights"
    for option in subcommands[solver]["options"]:
        plain = option["name"].removeprefix("no-").replace("-", "_")
        argument = OTHER_NAMES.get(plain, names.get(plain, plain))
        assert option["name"] in REASONS or argument in arguments_of(solver), option["name"]


def test_options_of_other_calls_are_there():
    for option, reason in REASONS.items():
        if reason.startswith("arguments of ") and "Objective" not in reason:
            call = inspect.signature(getattr(clopt, reason.rpartition(".")[2]))
            assert option in call.parameters, option


@solvers
def test_every_field_has_an_argument_with_help(solver):
    text = inspect.getdoc(getattr(clopt, solver))
    for field in _core.fields(solver):
        if field["is_keyword"]:
            argument = arguments_of(solver)[field["argument"]]
            assert argument.kind is argument.KEYWORD_ONLY and argument.default == field["default"]
            assert f"\n    {field['argument']}: " in text
    assert "--" not in text
    for name in arguments_of(solver):
        assert f"{name}:" in text or f"{name}," in text, name


@solvers
def test_types_are_those_of_the_table(solver):
    kind = getattr(_options, SOLVERS[solver])
    own = set(kind.__annotations__) - {"device", "time_limit", "callback", "callback_interval", "progress"}
    fields = {field["argument"] for field in _core.fields(solver) if field["is_keyword"]}
    assert own - {"seed", "statistics", "checkpoint", "resume"} == fields


def test_checkers_of_types_know_the_options(tmp_path):
    def check(call):
        (tmp_path / "call.py").write_text(f"import clopt\n{call}\n")
        command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", pathlib.Path(sys.prefix) / "mypy-cache", "call.py"]
        environment = {**os.environ, "MYPYPATH": str(pathlib.Path(clopt.__file__).parents[1])}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout

    right = 'clopt.genetic("sphere", 3, rank_pressure=1.5, selection="rank", maxiter=9, device=None, seed=None)'
    assert "no issues" in check(right)
    for wrong in ("rank_presure=1.5", 'rank_pressure="a"', "maxiter=1.5", "fitness=3"):
        assert "error" in check(f'clopt.genetic("sphere", 3, {wrong})'), wrong


def test_an_unknown_argument():
    with pytest.raises(TypeError, match=r"genetic\(\) got .* 'rank_presure'. Did you mean 'rank_pressure'"):
        clopt.genetic("sphere", 3, rank_presure=1.5)
    for solve, name in ((clopt.exchange, "fitness"), (clopt.differential_evolution, "weight"), (clopt.ecga, "options")):
        with pytest.raises(TypeError, match=f"'{name}'"):
            solve("sphere", **{name: 1})


@pytest.mark.parametrize("argument, message", [
    ({"rank_pressure": 3, "selection": "rank"}, "`rank_pressure` is 3; give a number from 1 to 2"),
    ({"rank_pressure": "a"}, "`rank_pressure` is 'a'; give a number from 1 to 2"),
    ({"rank_pressure": 1.5}, "`rank_pressure` belongs to `selection` rank"),
    ({"maxiter": -1}, "`maxiter` is -1; give an integer"),
    ({"maxiter": 1.5}, "`maxiter` is 1.5; give an integer"),
    ({"population": 2**70}, "`population`"),
    ({"population": 1}, "`population` is 1, of which nothing can be bred"),
    ({"selection": 3}, "there is no `selection` '3'; choose one of"),
    ({"selection": "none"}, "there is no `selection` 'none'; choose one of"),
    ({"measure_stages": "no"}, "`measure_stages` is 'no'; give true or false"),
    ({"migrants": 2}, "`migrants` belongs to `migrate_every`|`migrants` needs"),
])
def test_messages_name_arguments(device, argument, message):
    with pytest.raises(clopt.InvalidInput, match=message):
        clopt.genetic("sphere", 3, device=device, **argument)


def test_a_value_that_stands_for_none_is_no_argument(device):
    for solve in (lambda: clopt.differential_evolution("sphere", [(-1, 1)], population=0, device=device),
                  lambda: clopt.ecga("trap5", 10, population=0, device=device)):
        with pytest.raises(clopt.InvalidInput, match="`population` is 0; give an integer from 1 to"):
            solve()


def test_an_unknown_solver_has_no_fields():
    with pytest.raises(clopt.Error, match="no solver annealing"):
        _core.fields("annealing")


def test_scalars_of_numpy_and_none(device):
    plain = clopt.genetic("sphere", 3, maxiter=9, elites=1, mutation=0.5, device=device)
    given = {"maxiter": np.int32(9), "elites": np.uint8(1), "mutation": np.float32(0.5), "islands": None}
    assert clopt.genetic("sphere", 3, device=device, **given).checksum == plain.checksum
    assert plain.settings["elites"] == 1 and plain.settings["mutation"] == 0.5 and "seed" not in plain.settings
    assert clopt.ecga("onemax", 20, population=100, maxiter=3, stagnation=None, device=device).nit == 3


def test_goals(device, program):
    found = clopt.genetic("onemax", 20, goal="optimum", device=device)
    assert found.success and found.fun == 0 and found.ending == "target"
    model = clopt.ecga("trap5", 20, population=700, goal="m-1", device=device)
    other = program("ecga", "--objective", "trap5", "--length", 20, "--population", 700, "--goal", "m-1")
    assert model.success and model.checksum == other["checksum"] and model.fun >= 19
    for solve in (
        lambda: clopt.genetic("onemax", 20, goal="optimum", target=3, device=device),
        lambda: clopt.genetic("onemax", 20, goal="m-1", device=device),
        lambda: clopt.ecga("onemax", 20, goal="m-1", device=device),
        lambda: clopt.ecga("cyclic-trap5", 20, goal="m-1", device=device),
        lambda: clopt.genetic(lambda x: x.sum(), 3, goal="optimum", device=device),
    ):
        with pytest.raises(clopt.InvalidInput, match="goal"):
            solve()


def test_several_runs_of_ecga(device, program):
    several = clopt.ecga("trap5", 20, population=300, runs=3, goal="optimum", device=device)
    assert [each.seed for each in several.trials] == [1, 2, 3]
    each = clopt.ecga("trap5", 20, population=300, seed=2, goal="optimum", device=device)
    assert (several.trials[1].fun, several.trials[1].nfev) == (each.fun, each.nfev)
    assert several.fun == max(trial.fun for trial in several.trials)
    assert len(each.trials) == 1 and each.trials[0].success == each.success
    with pytest.raises(clopt.InvalidInput, match="`runs`"):
        clopt.ecga("trap5", 20, runs=3, statistics=True, device=device)


@pytest.mark.parametrize("population", ["auto", "double"])
def test_a_population_is_found(device, program, population):
    found = clopt.ecga("trap5", 20, population=population, goal="optimum", device=device)
    other = program("ecga", "--objective", "trap5", "--length", 20, "--population", population, "--goal", "optimum")
    assert found.success and found.population == other["population"] and len(found.trials) > 1
    assert found.checksum == other["checksum"]
    for wrong in ({"goal": None}, {"runs": 2}, {"checkpoint": "run.ck"}):
        with pytest.raises(clopt.InvalidInput):
            clopt.ecga("trap5", 20, device=device, **{"population": population, "goal": "optimum", **wrong})


NUMBERS = ["31.41", "-59.26", "53.58", "0", "97.93", "-23.84"]


def test_amounts(device, program, tmp_path):
    (tmp_path / "amounts").write_text("\n".join(NUMBERS))
    other = program("subset-sum", tmp_path / "amounts", "--capacity", "12.50")
    for weights, capacity in (
        (NUMBERS, "12.50"),
        ([Decimal(each) for each in NUMBERS], Decimal("12.5")),
        (np.array(NUMBERS), "12.5"),
    ):
        found = clopt.subset_sum(weights, capacity, device=device)
        assert found.value == Decimal(other["value_text"]) and found.indices.tolist() == other["indices"]
        assert found.checksum == other["checksum"] and found.zeros == 1 and found.success
        assert sum(Decimal(NUMBERS[i]) for i in found.indices) == found.value
    whole = clopt.subset_sum([int(each.replace(".", "")) for each in NUMBERS], 1250, device=device)
    assert whole.checksum == found.checksum and type(whole.value) is int
    none = clopt.subset_sum([3, -1], -2, device=device)
    assert not none.possible and not none.success and "above the capacity" in none.message
    assert clopt.subset_sum(["1", 2], 3, device=device).value == 3


def test_the_callers_decimal_context_rounds_no_amount(device):
    with localcontext() as context:
        context.prec = 10
        context.Emax, context.Emin = 5, -5
        found = clopt.subset_sum([Decimal("12345678901.25"), "0.5"], "12345678901.75", device=device)
    assert str(found.value) == "12345678901.75" and found.indices.tolist() == [0, 1] and found.success


def test_exactly(device):
    reached = clopt.subset_sum([3, 5, 7], 12, exactly=True, device=device)
    assert reached.success and reached.value == 12
    missed = clopt.subset_sum([3, 5, 7], 11, exactly=True, device=device)
    assert not missed.success and missed.value == 10 and missed.message.startswith("no subset has just this sum")
    assert clopt.subset_sum([3, 5, 7], 11, device=device).success


INVOICES = "invoice;amount\nA-1;1.012,50\nA-2;3,25\nA-3;-4,00\nA-4;1.008,50\nA-5;0,00\n"


@pytest.mark.parametrize("options", [
    {"exactly": True, "fewest": True, "unique": True}, {"exactly": True, "all": 9}, {"exactly": True, "all": 1},
    {"at_least": True, "count": 3}, {"tolerance": "0.10", "fewest": True, "all": 5}, {"count": 2, "unique": True},
])
@pytest.mark.parametrize("capacity", ["1008.50", "1008.45", "0"])
def test_subsets_are_those_of_the_program(device, program, tmp_path, options, capacity):
    (tmp_path / "invoices.csv").write_text(INVOICES)
    amounts, labels = clopt.read_amounts(
        tmp_path / "invoices.csv", column="amount", label="invoice", decimal=",", thousands="."
    )
    assert labels == ["A-1", "A-2", "A-3", "A-4", "A-5"] and amounts[0] == Decimal("1012.50")
    given = []
    for name, value in options.items():
        given += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    columns = ["--column", "amount", "--label", "invoice", "--decimal", ",", "--thousands", "."]
    other = program("subset-sum", tmp_path / "invoices.csv", "--capacity", capacity, *columns, *given)
    found = clopt.subset_sum(amounts, capacity, device=device, **options)
    assert found.possible == other["possible"] and found.checksum == other["checksum"]
    if found.possible:
        assert found.value == Decimal(other["value_text"]) and found.indices.tolist() == other["indices"]
        assert other["labels"] == [labels[i] for i in found.indices]
    assert found.reached == other["reached"] and found.fewest == other.get("fewest")
    assert found.unique == other.get("unique") and found.more == other.get("more")
    assert [each.tolist() for each in found.subsets] == other.get("subsets", [])


def test_questions_that_contradict_themselves(device):
    for options in ({"exactly": True, "at_least": True}, {"tolerance": 1, "at_least": True}, {"tolerance": -1}, {"all": 0}):
        with pytest.raises(clopt.InvalidInput):
            clopt.subset_sum([3, 5], 7, device=device, **options)


@pytest.mark.parametrize("weights, capacity", [
    ([1.5], 2), (["1.5"], 2.5), ([1], 1.0), (["a"], 1), (["nan"], 1), (["1e30"], 1), (["1e-30"], 1), ([True], 1), ([2**63], 1),
    ([1], 2**63), ([-(2**63)], 1), (["9223372036854775807", "0.1"], 1), ([[1]], 1), ([Decimal("inf")], 1), ([1], "1 2"),
    (np.array([2**64 - 1], dtype=np.uint64), 1),
])
def test_what_is_no_amount(device, weights, capacity):
    with pytest.raises(clopt.InvalidInput):
        clopt.subset_sum(weights, capacity, device=device)


def test_broken_networks(device, program, tmp_path):
    found = clopt.exchange("mesh:3x3", without_links=[(0, 1), (4, 5)], without_nodes=[8], device=device)
    file = tmp_path / "schedule.json"
    other = program(
        *("exchange", "--topology", "mesh:3x3", "--without-links", "0-1,4-5", "--without-nodes", 8, "--output", file)
    )
    assert found.checksum == other["checksum"] and found.steps == other["steps"]
    assert json.loads(found.to_json()) == json.loads(file.read_text())
    file.write_text(found.to_json())
    assert program("exchange", "--verify", file)["valid"] and found.check() == ""
    networkx = pytest.importorskip("networkx")
    graph = networkx.cycle_graph("abcd")
    ring = clopt.exchange(graph, without_links=[("a", "b")], device=device)
    assert len(ring.links) == 6 and ring.check() == ""
    for wrong in ({"without_links": [("a", "z")]}, {"without_links": [("a", "c")]}, {"without_nodes": ["z"]}):
        with pytest.raises(clopt.InvalidInput):
            clopt.exchange(graph, device=device, **wrong)


def test_methods_of_exchange(device):
    given = {"optimizer": "umda", "population": 64, "maxiter": 3, "steps": "bound", "device": device}
    for more in ({"method": "pairs"}, {"offload": "device"}, {"queues": 1}, {"islands": 2, "migrate_every": 1},
                 {"tournament": 2, "mutations": 2, "tries": 1, "symmetries": 1}):
        assert clopt.exchange("mesh:3x3", **given, **more).nit <= 3
    assert clopt.exchange("mesh:3x3", searches=2, replicas=8, steps="bound", device=device).success
    with pytest.raises(clopt.InvalidInput, match="steps"):
        clopt.exchange("mesh:3x3", steps="few", device=device)


@pytest.mark.parametrize(
    "solve, argument",
    [
        (lambda **run: clopt.subset_sum([3, 5], 7, method="k9", **run), "method"),
        (lambda **run: clopt.genetic("onemax", 8, crossover=1.5, **run), "crossover"),
        (lambda **run: clopt.differential_evolution("sphere", [(-1, 1)], recombination=2, **run), "recombination"),
        (lambda **run: clopt.ecga("trap5", 10, tournament=0, **run), "tournament"),
        (lambda **run: clopt.exchange("mesh:2x2", queues=3, **run), "queues"),
        (lambda **run: clopt.fit("line", [1, 2, 3], [0, 0], maxiter=0, **run), "maxiter"),
    ],
    ids=SOLVERS,
)
def test_a_wrong_value_is_refused_before_a_device_is_opened(solve, argument):
    with pytest.raises(clopt.InvalidInput, match=f"`{argument}`"):
        solve(device="there is no such device")


@pytest.mark.parametrize(
    "solve, argument",
    [
        (lambda **run: clopt.subset_sum([3, 5], 7, method="k1", barrier="cyclic", **run), "barrier"),
        (lambda **run: clopt.genetic("onemax", 8, selection="rank", tournament=3, **run), "tournament"),
        (lambda **run: clopt.differential_evolution("sphere", [(-1, 1)], maxfev=3, **run), "maxfev"),
        (lambda **run: clopt.ecga("trap5", 10, population=3, tournament=4, **run), "tournament"),
        (lambda **run: clopt.exchange("mesh:2x2", optimizer="anneal", islands=3, **run), "islands"),
        (lambda **run: clopt.fit("line", [1, 2, 3], [0, 0], f_scale=2, **run), "f_scale"),
    ],
    ids=SOLVERS,
)
def test_arguments_that_do_not_go_together_are_refused_before_a_device_is_opened(solve, argument):
    with pytest.raises(clopt.InvalidInput, match=f"`{argument}`"):
        solve(device="there is no such device")


def test_hard_clauses_that_contradict_each_other(device, tmp_path):
    file = tmp_path / "apart.wcnf"
    file.write_text("h 1 0\nh -1 0\n3 2 0\n")
    for solve in (clopt.ecga, clopt.genetic):
        result = solve(f"maxsat:{file}", maxiter=5, device=device)
        assert result.fun == -1 and not result.success and result.message.startswith("not all hard clauses hold")
