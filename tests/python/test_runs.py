"""Limits, callbacks, Ctrl-C, checkpoints, statistics, errors and results."""

import concurrent.futures
import dataclasses
import json
import math
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import clopt

BOUNDS = 3 * [(-5.0, 5.0)]
ENDLESS = {"maxiter": 2**31 - 1}


def test_the_work_chooses_the_device():
    def run(**more):
        return clopt.genetic("onemax", 64, maxiter=20, seed=3, statistics=True, **more)

    named = run(device="openmp:0")
    assert named.devices == ()
    for chosen in (run(), run(device="auto"), run(device=["auto"])):
        assert chosen.checksum == named.checksum
        assert [each.id for each in chosen.devices] == ["openmp:0"]
        assert chosen.devices[0].share == 1 and 0 < chosen.devices[0].seconds < 60
        assert (chosen.statistics["best"] == named.statistics["best"]).all()
    assert run(device=clopt.open("auto")).checksum == named.checksum
    assert clopt.genetic(lambda x: float(x.sum()), bounds=BOUNDS, maxiter=2, device=None).devices == ()


def test_times_add_up(device):
    calls = {
        "genetic": lambda **more: clopt.genetic("onemax", 64, maxiter=20, **more),
        "differential_evolution": lambda **more: clopt.differential_evolution("rastrigin", BOUNDS, maxiter=20, **more),
        "ecga": lambda **more: clopt.ecga("trap5", 20, population=300, **more),
        "several runs": lambda **more: clopt.ecga("trap5", 20, population=300, runs=2, **more),
        "exchange": lambda **more: clopt.exchange("mesh:3x3", **more),
        "fit": lambda **more: clopt.fit("line", [[1, 2, 3], [1, 0, 5]], [0, 0], **more),
        "subset_sum": lambda **more: clopt.subset_sum(range(1, 2000, 3), 10_000, **more),
        "function": lambda **more: clopt.genetic(lambda x: float(x.sum()), bounds=BOUNDS, maxiter=2, device="openmp:0"),
    }
    for name, call in calls.items():
        for chosen in (device, None):
            begin = time.perf_counter()
            seconds = call(device=chosen).seconds
            waited = time.perf_counter() - begin
            parts = (seconds.open, seconds.build, seconds.compute, seconds.other)
            assert all(part >= 0 for part in parts) and seconds.compute > 0, (name, seconds)
            assert seconds.total == pytest.approx(sum(parts), abs=1e-9) and seconds.total <= waited, (name, seconds)


def test_the_time_of_arguments_and_callbacks_is_in_the_total():
    def callback(intermediate_result):
        time.sleep(0.02)
        return True

    class Slow:
        def __array__(self, dtype=None, copy=None):
            time.sleep(0.02)
            return np.zeros((2, len(BOUNDS)), dtype=dtype)

    seconds = clopt.genetic("onemax", 64, maxiter=20, callback=callback).seconds
    assert seconds.compute + seconds.other >= 0.02
    slow = clopt.differential_evolution("rastrigin", BOUNDS, maxiter=2, x0=Slow()).seconds
    assert slow.other >= 0.02 and slow.total >= 0.02


def test_a_process_ends_while_an_accelerator_starts(tmp_path):
    script = "import clopt; clopt.genetic('onemax', 4096, population=2048, time_limit=0.1, maxiter=10**6); print('ended')"
    for folder in ("first", "second"):
        environment = {**os.environ, "CLOPT_ACCELERATOR": "opencl:0", "CLOPT_CACHE_DIR": str(tmp_path / folder)}
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr


def test_callback_ends_the_run(device):
    seen = []

    def callback(intermediate_result):
        assert threading.current_thread() is threading.main_thread()
        seen.append(intermediate_result)
        if intermediate_result.nit >= 5:
            raise StopIteration

    result = clopt.differential_evolution(
        lambda x: (x * x).sum(0), BOUNDS, vectorized=True, callback=callback, device=device, **ENDLESS
    )
    assert result.ending == "interrupted" and "callback" in result.message and not result.success
    assert seen[-1].fun <= seen[0].fun and seen[-1].x.shape == (3,) and seen[-1].nfev > 0
    assert all((each.x**2).sum() == pytest.approx(each.fun, rel=1e-5) for each in seen)
    assert clopt.genetic("rastrigin", 7, callback=lambda _: True, device=device, **ENDLESS).ending == "interrupted"


def test_what_a_callback_raises_is_raised(device):
    def callback(intermediate_result):
        raise LookupError("mine")

    for solve in (
        lambda: clopt.differential_evolution("sphere", BOUNDS, callback=callback, device=device),
        lambda: clopt.genetic("sphere", 3, callback=callback, device=device),
        lambda: clopt.ecga("onemax", 7, population=50, callback=callback, device=device),
    ):
        with pytest.raises(LookupError, match="mine"):
            solve()


def test_limits(device):
    by_time = clopt.differential_evolution("sphere", BOUNDS, time_limit=0.05, device=device, **ENDLESS)
    assert by_time.ending == "time" and not by_time.success
    by_target = clopt.differential_evolution("sphere", BOUNDS, target=1e-3, device=device)
    assert by_target.success and by_target.fun <= 1e-3 and by_target.solved == 1
    missed = clopt.differential_evolution("sphere", BOUNDS, target=-1, maxiter=3, device=device)
    assert not missed.success and missed.ending == "generations" and missed.nit == 3
    assert clopt.genetic("sphere", 3, stagnation=3, elites=1, device=device).ending == "stagnation"
    assert clopt.ecga("onemax", 49, population=50, maxfev=60, device=device).nfev >= 60


def test_statistics(device):
    result = clopt.differential_evolution("sphere", BOUNDS, maxiter=20, statistics=True, device=device)
    table = result.statistics
    assert table["nit"].tolist() == list(range(21)) and table["best"][-1] == result.fun
    assert np.all(np.diff(table["best"]) <= 0) and table["nfev"][-1] == result.nfev
    islands = clopt.genetic("sphere", 3, islands=2, maxiter=4, statistics=True, device=device).statistics
    assert islands["island"].tolist() == 5 * [0, 1]
    assert clopt.differential_evolution("sphere", BOUNDS, maxiter=2, device=device).statistics is None


@pytest.mark.parametrize("solve", [
    lambda **run: clopt.differential_evolution("rastrigin", BOUNDS, seed=4, **run),
    lambda **run: clopt.genetic("rastrigin", 7, seed=4, **run),
    lambda **run: clopt.ecga("trap5", 20, population=200, seed=4, **run),
], ids=["differential_evolution", "genetic", "ecga"])
def test_checkpoint_and_resume(device, tmp_path, solve):
    file = tmp_path / "run.ck"
    whole = solve(maxiter=6, device=device)
    solve(maxiter=3, checkpoint=file, device=device)
    assert solve(maxiter=6, resume=file, device=device).checksum == whole.checksum
    with pytest.raises(clopt.InvalidInput):
        clopt.genetic("sphere", 3, resume=file, device=device)
    file.write_bytes(b"damaged")
    with pytest.raises(clopt.InvalidInput):
        solve(maxiter=6, resume=file, device=device)


SOLVERS = {
    "differential_evolution": {"built-in", "text", "fits", "C function", "vectorised", "plain"},
    "genetic": {"built-in", "text", "C function", "vectorised", "plain", "islands"},
    "ecga": {"built-in", "text", "vectorised", "plain"},
    "exchange": {"anneal", "tabu", "umda"},
    "fit": {""},
    "subset_sum": {""},
}


@pytest.mark.long
def test_interrupt():
    # A time limit stands for "never": nothing is measured here (tools/python-times does that).
    script = pathlib.Path(__file__).with_name("interrupted.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    found = {solver: {line["name"].partition(", ")[2] for line in lines if line["name"].split(",")[0] == solver} for solver in SOLVERS}
    assert found == SOLVERS and done.returncode == 0, done.stderr
    for line in lines:
        # Without "seconds" it was not interrupted. On a busy machine a run may not have ended yet, and has its best.
        assert "seconds" in line and line["ending"] == ("interrupted" if line["ended"] else None), line
        # Fits have no best before their end.
        if line["ended"] or line["name"] != "fit":
            assert line["best"] is not None and math.isfinite(line["best"]), line


def test_other_signals_raise_what_their_handlers_raise(device):
    class Alarm(Exception):
        pass

    def handler(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Alarm):
            clopt.differential_evolution("sphere", BOUNDS, device=device, **ENDLESS)
    finally:
        signal.signal(signal.SIGALRM, before)


def square(x):
    return (x * x).sum()


# An objective, dimensions and options each.
DIFFERENT = [
    (square, 3, {"seed": 7, "maxiter": 9}),
    (square, 1, {"seed": 8, "maxiter": 9, "population": 7}),
    ("rastrigin", 49, {"population": 60, "maxiter": 40, "adapt": "none"}),
    ("ackley", 7, {"problems": 49, "maxiter": 30, "method": "staged", "adapt": "none"}),
    ("sphere", 20, {"maxiter": 70, "method": "ahead", "adapt": "none", "unforced": True}),
    ("rosenbrock", 5, {"problems": 3, "maxiter": 50, "adapt": "lshade"}),
    (clopt.Objective.text("real objective(individual x) { return fabs(gene(x, 0) - 1); }"), 2, {"maxiter": 20}),
]


# On a processor's OpenCL device kernels are built for half a minute.
@pytest.mark.parametrize("name", ["openmp:0", pytest.param("opencl:0", marks=pytest.mark.long)])
def test_threads_solve_different_problems_at_once(name):
    if name not in [each.id for each in clopt.devices()]:
        pytest.skip(f"no {name}")
    opened = clopt.open(name)

    def solve(work):
        func, dimensions, options = work
        # Functions of Python are the processor's.
        own = "openmp:0" if callable(func) else opened
        return clopt.differential_evolution(func, [(-2, 3)] * dimensions, device=own, **options).checksum

    with concurrent.futures.ThreadPoolExecutor(len(DIFFERENT)) as threads:
        together = list(threads.map(solve, DIFFERENT))
    assert together == [solve(work) for work in DIFFERENT]
    assert len(set(together)) == len(DIFFERENT)


def test_a_child_of_a_fork_solves(device):
    expected = clopt.differential_evolution("sphere", BOUNDS, maxiter=9, device=device).checksum
    child = os.fork()
    if child == 0:
        try:
            other = clopt.differential_evolution("sphere", BOUNDS, maxiter=9, device=clopt.open("openmp:0", threads=2))
            os._exit(0 if other.checksum == expected else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_results_are_frozen_and_can_be_pickled(device):
    result = clopt.differential_evolution("sphere", BOUNDS, maxiter=3, device=device)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.fun = 0.0
    with pytest.raises(ValueError):
        result.x[0] = 0
    again = pickle.loads(pickle.dumps(result))
    assert again.checksum == result.checksum and np.array_equal(again.x, result.x)
    schedule = clopt.exchange("hypercube:3", device=device)
    assert pickle.loads(pickle.dumps(schedule)).to_msccl() == schedule.to_msccl()
    error = pickle.loads(pickle.dumps(clopt.Interrupted("text", result)))
    assert error.result.checksum == result.checksum


def test_a_result_outlives_its_run(device):
    import gc

    x = clopt.differential_evolution("sphere", BOUNDS, maxiter=3, device=device).x
    copy = x.copy()
    gc.collect()
    clopt.differential_evolution("sphere", BOUNDS, maxiter=3, seed=2, device=device)
    assert np.array_equal(x, copy) and not x.flags.owndata


@pytest.mark.parametrize("argument, named", [
    ({"mutation": 3}, "mutation"), ({"mutation": (0.5, 1)}, "mutation"), ({"recombination": 2}, "recombination"),
    ({"recombination": "a"}, "recombination"), ({"maxiter": -1}, "maxiter"), ({"seed": -1}, "seed"),
    ({"strategy": "none"}, "none"), ({"time_limit": -1}, "time_limit"), ({"time_limit": float("nan")}, "time_limit"),
    ({"data": [1, 2]}, "data"), ({"data": [["a"]]}, "data"), ({"outside": "none at all"}, "none at all"),
    ({"population": 1}, "population"), ({"resume": "/nowhere"}, "nowhere"), ({"precision": "half"}, "half"),
])
def test_bad_arguments_are_refused(device, argument, named):
    with pytest.raises(clopt.InvalidInput, match=named) as raised:
        clopt.differential_evolution("sphere", BOUNDS, device=device, **argument)
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, clopt.Error)


def test_bad_calls_are_refused(device):
    with pytest.raises(TypeError):
        clopt.differential_evolution("sphere", BOUNDS, device=device, tol=0.1)
    with pytest.raises(clopt.InvalidInput, match="sphere"):
        clopt.differential_evolution("spere", BOUNDS, device=device)
    with pytest.raises(clopt.InvalidInput, match="dimensions"):
        clopt.differential_evolution("sphere", device=device)
    for bad in ([(1, 2, 3)], [1, 2], [(5, -5)]):
        with pytest.raises(clopt.InvalidInput):
            clopt.differential_evolution("sphere", bad, device=device)
    for weights, capacity in (([1.5], 1), ([1], 2**63), ([[1]], 1), ([], 1)):
        with pytest.raises(clopt.InvalidInput):
            clopt.subset_sum(weights, capacity, device=device)
    with pytest.raises(clopt.InvalidInput, match="k2"):
        clopt.subset_sum([1], 1, barrier="cyclic", device=device)
    with pytest.raises(clopt.InvalidInput, match="tournament"):
        clopt.genetic("sphere", 3, tournament=3, preset="paper", device=device)
    with pytest.raises(clopt.InvalidInput, match="preset"):
        clopt.genetic("sphere", 3, preset="best", device=device)
    with pytest.raises(clopt.InvalidInput, match="improve"):
        clopt.genetic("sphere", 3, improve="two-opt", device=device)
    with pytest.raises(clopt.InvalidInput, match="cannot be read"):
        clopt.genetic("tour:none.tsp", device=device)
    with pytest.raises(clopt.InvalidInput):
        clopt.exchange("moebius:3", device=device)
    with pytest.raises(clopt.InvalidInput, match="umda"):
        clopt.exchange("ring:4", population=7, device=device)
    with pytest.raises(clopt.InvalidInput):
        clopt.ecga("trap5", 21, device=device)


def test_devices(device):
    listed = clopt.devices()
    assert listed[0].id == "openmp:0" and listed[0].kind == "cpu" and listed[0].compute_units >= 1
    assert device.info == listed[0] and pickle.loads(pickle.dumps(device)).info == device.info
    assert all(each.backend and each.reason for each in clopt.unavailable())
    with pytest.raises(clopt.NoDevice) as raised:
        clopt.open("no such device")
    assert isinstance(raised.value, RuntimeError)
    with pytest.raises(TypeError):
        clopt.subset_sum([1], 1, device=[3])
    result = clopt.differential_evolution("sphere", BOUNDS, problems=7, maxiter=9, device=["openmp:0", device])
    assert result.checksum == clopt.differential_evolution(
        "sphere", BOUNDS, problems=7, maxiter=9, device=device
    ).checksum


def test_networkx(device):
    networkx = pytest.importorskip("networkx")
    result = clopt.exchange(networkx.hypercube_graph(3), device=device)
    assert result.steps == result.bound == 4 and result.optimal
    crossings = 0
    for slot in range(result.steps):
        graph = result.to_networkx(slot=slot)
        assert set(graph.nodes) == set(networkx.hypercube_graph(3).nodes)
        assert all(len(transfers) == 1 for _, _, transfers in graph.edges(data="transfers"))
        crossings += graph.number_of_edges()
    assert crossings == sum(len(result.path(k)) - 1 for k in range(len(result.transfers)))


@pytest.mark.parametrize("optimizer", ["anneal", "umda"])
def test_an_exchange_continues(optimizer, tmp_path):
    options = {"optimizer": optimizer, "steps": "bound", "device": "openmp:0"}
    whole = clopt.exchange("torus:3x3", maxiter=6, **options)
    clopt.exchange("torus:3x3", maxiter=3, checkpoint=tmp_path / "state", **options)
    assert clopt.exchange("torus:3x3", maxiter=6, resume=tmp_path / "state", **options).checksum == whole.checksum
    with pytest.raises(clopt.InvalidInput):
        clopt.exchange("torus:4x4", maxiter=6, resume=tmp_path / "state", **options)


def test_a_population_that_is_not_given_grows(device):
    result = clopt.ecga("nk5", 21, seed=8, improve="none", device=device, statistics=True)
    assert result.success and len(result.trials) == 4
    assert [each.population for each in result.trials] == [1062 * 2**k for k in range(4)]
    assert result.nfev == sum(each.nfev for each in result.trials) == result.statistics["nfev"][-1]
    assert sum(each.nit for each in result.trials) == result.statistics["nit"][-1]
    assert result.population == result.trials[-1].population and result.fun == max(each.fun for each in result.trials)
    assert result.to_csv().startswith("nit,")
    several = clopt.ecga("nk5", 21, seed=8, improve="none", runs=2, device=device)
    assert {each.population for each in several.trials} == {1062}


def test_a_proven_best_ends_a_run(device, tmp_path):
    file = tmp_path / "held.cnf"
    for last, best, optimal in ((3, 4, True), (-3, 3, False)):
        file.write_text(f"p cnf 3 4\n1 2 0\n-1 2 0\n-2 3 0\n{last} 0\n")
        result = clopt.ecga(f"maxsat:{file}", population=20, device=device)
        assert result.fun == best and result.optimal is optimal and result.ending == "complete"
        assert ("no value can be better" in repr(result)) is optimal
    file.write_text("p cnf 49 1\n1 49 0\n")
    cut = clopt.ecga(f"maxsat:{file}", population=20, seed=1, time_limit=0, device=device)
    assert cut.ending == "time" and cut.optimal and cut.success
