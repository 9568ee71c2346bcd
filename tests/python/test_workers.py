"""Limits within a generation, worker processes, and runs whose function the caller evaluates."""

import functools
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import clopt
import clopt.scipy

BOUNDS = 3 * [(-5.0, 5.0)]
CALL = 0.02  # seconds of a slow call


def squares(x, scale=1.0):
    return float(scale * (x * x).sum())


def slow(x):
    time.sleep(CALL)
    return squares(x)


def with_row(x, row):
    return abs(float(x[0]) - float(row.sum()))


class Refused(Exception):
    """Its constructor does not take what pickle gives it."""

    def __init__(self, first, second):
        super().__init__(f"{first} {second}")


def refuses(x):
    raise Refused("not", "now")


def fails(x):
    raise LookupError("mine")


def array(x):
    return np.zeros(2)


def dies(x):
    os.kill(os.getpid(), signal.SIGKILL)


def leaves(x):
    os._exit(7)


def nested(x):
    return clopt.differential_evolution(squares, BOUNDS, maxiter=1, workers=2).fun


def solve_inside(x):
    return clopt.differential_evolution("sphere", BOUNDS, maxiter=2, seed=int(x[0] > 0)).fun


SOLVERS = {
    "differential_evolution": lambda func, **run: clopt.differential_evolution(func, BOUNDS, **run),
    "shade": lambda func, **run: clopt.differential_evolution(func, BOUNDS, adapt="shade", **run),
    "genetic": lambda func, **run: clopt.genetic(func, bounds=BOUNDS, population=20, **run),
    "genetic, restarts": lambda func, **run: clopt.genetic(func, 8, kind="bits", population=20, restart=2, **run),
    "genetic, permutation": lambda func, **run: clopt.genetic(func, 7, kind="permutation", population=20, **run),
    "ecga": lambda func, **run: clopt.ecga(func, 20, population=60, stagnation=None, **run),
}


@pytest.fixture(params=SOLVERS)
def solve(request, device):
    return functools.partial(SOLVERS[request.param], device=device)


class Counted:
    """Counts its values; the call of a number does something first."""

    def __init__(self, at=None, act=None):
        self.values, self.at, self.act = 0, at, act

    def __call__(self, x):
        if self.at is not None and self.values == self.at:
            self.at = None
            self.act()
        self.values += 1
        return float((x * np.arange(1, len(x) + 1)).sum() + 3.5 * (x[0] > 0.5))


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("at", [1, 7, 90, 130, 203])
def test_ctrl_c_within_a_generation_drops_it(solve, tmp_path, at):
    """The state is that of the last whole generation, and what was evaluated is counted."""
    function = Counted(at, interrupt)
    with pytest.raises(clopt.Interrupted) as raised:
        solve(function, maxiter=1000)
    result = raised.value.result
    assert result.nfev == function.values == at and result.ending == "interrupted" and not result.success
    whole = Counted()
    again = solve(whole, maxiter=result.nit)
    assert again.nfev <= at or result.nit == 0
    if again.nfev <= at:
        assert again.checksum == result.checksum and again.nit == result.nit
    assert np.isfinite(result.fun) and result.fun == pytest.approx(Counted()(result.x.astype(float)), rel=1e-6)


@pytest.mark.parametrize("at", [7, 130, 203])
def test_a_run_that_was_interrupted_resumes(solve, tmp_path, at):
    file = tmp_path / "run.ck"
    function = Counted(at, interrupt)
    with pytest.raises(clopt.Interrupted) as raised:
        solve(function, maxiter=1000, checkpoint=file)
    assert raised.value.result.nfev == at
    if raised.value.result.nit == 0 and not file.exists():
        return  # there was no whole generation
    whole = solve(Counted(), maxiter=raised.value.result.nit + 3)
    resumed = solve(Counted(), maxiter=raised.value.result.nit + 3, resume=file)
    assert (resumed.checksum, resumed.nfev, resumed.nit) == (whole.checksum, whole.nfev, whole.nit)
    other = Counted(4, interrupt)
    with pytest.raises(clopt.Interrupted) as raised:
        solve(other, maxiter=1000, resume=file)
    state = solve(Counted(), maxiter=raised.value.result.nit)
    assert raised.value.result.nfev == state.nfev + 4 and raised.value.result.checksum == state.checksum


def test_the_limit_of_time_is_looked_at_between_calls(solve):
    begin = time.monotonic()
    calls = 0

    def slow_call(x):
        nonlocal calls
        calls += 1
        time.sleep(0.15)
        return squares(x)

    result = solve(slow_call, time_limit=0.1)
    assert calls == result.nfev == 1 and time.monotonic() - begin < 2
    assert result.ending == "time" and not result.success and result.nit == 0
    assert result.fun == pytest.approx(squares(result.x.astype(float)), rel=1e-6)


def test_the_limit_of_time_within_a_later_generation(solve, tmp_path):
    file = tmp_path / "run.ck"
    calls = 0

    def slow_call(x):
        nonlocal calls
        calls += 1
        time.sleep(1.6 if calls > 70 else 0)
        return squares(x)

    result = solve(slow_call, time_limit=1.5, checkpoint=file)
    seen = calls
    assert result.nfev == seen and result.ending == "time" and seen >= 70
    calls = -(10**9)
    state = solve(slow_call, maxiter=result.nit)
    calls = seen
    assert state.checksum == result.checksum and state.nfev <= calls
    assert result.fun >= state.fun if isinstance(result, clopt.EcgaResult) else result.fun <= state.fun
    assert result.fun == pytest.approx(squares(result.x.astype(float)), rel=1e-6)


def test_a_target_that_is_reached_in_the_generation_that_is_dropped(solve):
    calls = 0

    def last_is_best(x):
        nonlocal calls
        calls += 1
        if calls == 70:
            time.sleep(1.6)
        return 1.0 if calls < 70 else -1.0

    result = solve(last_is_best, maxiter=1000, time_limit=1.5, target=0.0)
    if isinstance(result, clopt.EcgaResult):
        return  # maximises, and has its target at once
    assert (result.fun, result.ending, result.success) == (-1, "target", True) and result.nfev == calls


def test_no_time_at_all(solve):
    result = solve(squares, time_limit=0)
    assert result.nfev == 1 and result.fun == pytest.approx(squares(result.x.astype(float)), rel=1e-6)


def below_one(x):
    return float(x[0]) - 1


@pytest.mark.parametrize("workers", [1, 2])
def test_constraints_and_the_limit_of_time(device, workers):
    for limit in (0, 0.05):
        words = {"violation": below_one, "time_limit": limit, "device": device, "workers": workers}
        result = clopt.differential_evolution(slow, BOUNDS, **words)
        assert 1 <= result.nfev < 20 * workers and np.isfinite(result.violation)
        result = clopt.genetic(slow, bounds=BOUNDS, **words)
        assert 1 <= result.nfev < 20 * workers


def test_several_runs_of_ecga_and_the_limit_of_time(device):
    result = clopt.ecga(slow, 10, population=10, runs=50, time_limit=0.5, maxiter=1, device=device)
    assert 1 <= len(result.trials) < 50
    clopt.ecga(slow, 10, population="double", target=10, time_limit=0.3, device=device)


@pytest.mark.parametrize("workers", [2, -1, map, lambda f, xs: list(map(f, xs))])
def test_workers_give_the_same_bits(solve, workers):
    function = functools.partial(squares, scale=2)
    function.__qualname__ = "f"
    alone = solve(function, maxiter=6)
    shared = solve(function, maxiter=6, workers=workers)
    assert (shared.checksum, shared.nfev, shared.nit, shared.fun) == (alone.checksum, alone.nfev, alone.nit, alone.fun)
    assert np.array_equal(shared.x, alone.x)


def test_workers_with_rows_constraints_and_arguments(device):
    data = np.array([[1.0, 2.0], [3.0, 4.0]])
    run = {"data": data, "device": device, "maxiter": 20}
    alone = clopt.differential_evolution(with_row, [(0, 9)], **run)
    for workers in (2, map):
        assert clopt.differential_evolution(with_row, [(0, 9)], workers=workers, **run).checksum == alone.checksum
    run = {"args": (3.0,), "violation": lambda x, scale: x[0] + scale - 4, "maxiter": 10, "device": device}
    alone = clopt.differential_evolution(squares, BOUNDS, **run)
    assert clopt.differential_evolution(squares, BOUNDS, workers=2, **run).checksum == alone.checksum


def test_workers_by_checkpoint_and_resume(device, tmp_path):
    file = tmp_path / "run.ck"
    run = {"device": device, "workers": 2}
    whole = clopt.differential_evolution(squares, BOUNDS, maxiter=8, device=device)
    clopt.differential_evolution(squares, BOUNDS, maxiter=4, checkpoint=file, **run)
    resumed = clopt.differential_evolution(squares, BOUNDS, maxiter=8, resume=file, **run)
    assert (resumed.checksum, resumed.nfev) == (whole.checksum, whole.nfev)


def test_workers_and_the_limit_of_time(solve):
    begin = time.monotonic()
    result = solve(sleeps, time_limit=0.3, workers=2)
    assert time.monotonic() - begin < 10 and result.nfev >= 1 and result.nit == 0 and result.ending == "time"
    assert multiprocessing.active_children() == []


def sleeps(x):
    time.sleep(1)
    return squares(x)


def interrupts(x, folder):
    """One of the worker processes interrupts the one that has started it, in its 70th call."""
    global calls_here
    calls_here += 1
    if calls_here == 70:
        try:
            os.mkdir(folder)
            os.kill(os.getppid(), signal.SIGINT)
            time.sleep(5)
        except FileExistsError:
            pass
    return squares(x)


calls_here = 0


def test_ctrl_c_within_a_pool(solve, tmp_path):
    function = functools.partial(interrupts, folder=tmp_path / "made")
    with pytest.raises(clopt.Interrupted) as raised:
        solve(function, maxiter=10**6, workers=2)
    assert multiprocessing.active_children() == []
    result = raised.value.result
    state = solve(squares, maxiter=result.nit, workers=2)
    assert result.nfev >= 1 and (state.nfev > result.nfev or state.checksum == result.checksum)


@pytest.mark.parametrize("workers", [1, 2, map])
def test_what_a_function_raises_in_a_worker_is_raised(device, workers):
    with pytest.raises(LookupError, match="mine"):
        clopt.differential_evolution(fails, BOUNDS, device=device, workers=workers)
    with pytest.raises(Exception, match="not now"):
        clopt.differential_evolution(refuses, BOUNDS, device=device, workers=workers)
    with pytest.raises(clopt.InvalidInput, match="shape"):
        clopt.differential_evolution(array, BOUNDS, device=device, workers=workers)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("function, match", [(dies, "SIGKILL"), (leaves, "status 7")])
@pytest.mark.parametrize("solve_by", [clopt.differential_evolution, clopt.scipy.differential_evolution])
def test_a_worker_that_ends_is_an_error(function, match, solve_by):
    with pytest.raises(clopt.DeviceError, match=match):
        solve_by(function, BOUNDS, workers=2)
    assert multiprocessing.active_children() == []


ENDED = """
import multiprocessing, threading, time
import clopt
def see():
    print(*(each.pid for each in multiprocessing.active_children()), flush=True)
threading.Timer(0.5, see).start()
clopt.differential_evolution(lambda x: time.sleep(0.05) or 1.0, [(0, 1)], workers=3)
"""


def test_workers_end_with_a_process_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", ENDED], stdout=subprocess.PIPE, text=True) as process:
        workers = [int(word) for word in process.stdout.readline().split()]
        process.kill()
    is_running = [True]
    for _ in range(600):
        states = []
        for each in workers:
            try:
                with open(f"/proc/{each}/stat", encoding="ascii") as file:
                    states.append(file.read().rpartition(")")[2].split()[0])
            except FileNotFoundError:
                pass
        is_running = [state for state in states if state != "Z"]
        if not is_running:
            break
        time.sleep(0.1)
    assert not is_running


def test_workers_have_none_of_their_own(device):
    with pytest.raises(clopt.InvalidInput, match="worker process"):
        clopt.differential_evolution(nested, BOUNDS, workers=2, device=device)


def test_a_worker_may_solve(device):
    result = clopt.differential_evolution(solve_inside, BOUNDS, workers=2, device=device, maxiter=2)
    assert result.checksum == clopt.differential_evolution(solve_inside, BOUNDS, device=device, maxiter=2).checksum


@pytest.mark.parametrize("arguments", [
    {"workers": 0}, {"workers": -2}, {"workers": 1.5}, {"workers": True}, {"workers": "2"}, {"workers": None},
    {"workers": 2, "vectorized": True}, {"workers": lambda f, xs: [1.0]}, {"workers": lambda f, xs: np.zeros(1000)},
])
def test_wrong_workers_are_refused(device, arguments):
    with pytest.raises(clopt.InvalidInput, match="workers"):
        clopt.differential_evolution(squares, BOUNDS, device=device, **arguments)
    with pytest.raises(clopt.InvalidInput, match="workers"):
        clopt.differential_evolution("sphere", BOUNDS, device=device, workers=2)


MODULE = "def squares(x):\n    return float((x * x).sum())\n"
SPAWNED = """
import multiprocessing
import clopt
from mine import squares
run = {"bounds": 3 * [(-5, 5)], "maxiter": 1}
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    alone = clopt.differential_evolution(squares, **run)
    assert clopt.differential_evolution(squares, workers=2, **run).checksum == alone.checksum
    try:
        clopt.differential_evolution(lambda x: 0.0, workers=2, **run)
    except clopt.InvalidInput as error:
        print(error)
"""
UNGUARDED = """
import multiprocessing
import clopt
from mine import squares
multiprocessing.set_start_method("spawn", force=True)
clopt.differential_evolution(squares, 3 * [(-5, 5)], workers=2)
"""


@pytest.mark.long
def test_other_start_methods(tmp_path):
    (tmp_path / "mine.py").write_text(MODULE)
    outputs = []
    for text in (SPAWNED, UNGUARDED):
        (tmp_path / "script.py").write_text(text)
        command = [sys.executable, tmp_path / "script.py"]
        outputs.append(subprocess.run(command, capture_output=True, text=True, timeout=300))
    guarded, unguarded = outputs
    assert guarded.returncode == 0 and "cannot be sent to worker processes" in guarded.stdout, guarded.stderr
    assert unguarded.returncode == 1 and "__main__" in unguarded.stderr.splitlines()[-1], unguarded.stderr


def test_scipy_counts_what_it_evaluated():
    function = Counted(50, interrupt)
    with pytest.raises(clopt.Interrupted) as raised:
        clopt.scipy.differential_evolution(function, BOUNDS, rng=1)
    assert raised.value.result.nfev == 50
    alone = clopt.scipy.differential_evolution(squares, BOUNDS, rng=1, maxiter=5, polish=False)
    shared = clopt.scipy.differential_evolution(squares, BOUNDS, rng=1, maxiter=5, polish=False, workers=2, updating="deferred")
    assert np.array_equal(alone.x, shared.x) and alone.nfev == shared.nfev


# Optimizer

OPTIMIZERS = {
    "differential_evolution": (lambda **run: ("differential_evolution", {"bounds": BOUNDS, **run})),
    "genetic": (lambda **run: ("genetic", {"bounds": BOUNDS, "population": 20, **run})),
    "genetic, bits": (lambda **run: ("genetic", {"genes": 12, "kind": "bits", "population": 20, **run})),
    "genetic, restarts": (lambda **run: ("genetic", {"genes": 12, "kind": "bits", "population": 20, "restart": 3, **run})),
}


@pytest.fixture(params=OPTIMIZERS)
def made(request, device):
    return lambda **run: OPTIMIZERS[request.param](device=device, **run)


def optimizer_of(made):
    solver, options = made
    return clopt.Optimizer(solver, **options)


def solved(made, function=squares):
    solver, options = made
    return getattr(clopt, solver)(function, **options)


def give_all(optimizer, most=10**9):
    generations = 0
    while generations < most and (x := optimizer.ask()) is not None:
        optimizer.tell([squares(each) for each in x])
        generations += 1
    return generations


def test_an_optimizer_is_the_same_run(made):
    with optimizer_of(made(maxiter=9)) as optimizer:
        assert give_all(optimizer) == 10 and optimizer.ask() is None
        result = optimizer.result()
    alone = solved(made(maxiter=9))
    assert (result.checksum, result.nfev, result.nit, result.fun) == (alone.checksum, alone.nfev, alone.nit, alone.fun)
    assert np.array_equal(result.x, alone.x) and result.message == alone.message


def test_an_optimizer_resumes(made, tmp_path):
    file = tmp_path / "run.ck"
    with optimizer_of(made(maxiter=9, checkpoint=file)) as optimizer:
        assert give_all(optimizer, 5) == 5
        assert optimizer.ask() is not None
        first = optimizer.result()
    assert first.nit == 4 and first.ending == "interrupted" and "stop()" in first.message
    assert first.checksum == solved(made(maxiter=4)).checksum and first.nfev == solved(made(maxiter=4)).nfev
    with optimizer_of(made(maxiter=9, resume=file)) as optimizer:
        give_all(optimizer)
        result = optimizer.result()
    alone = solved(made(maxiter=9))
    assert (result.checksum, result.nfev, result.nit) == (alone.checksum, alone.nfev, alone.nit)


def test_misuse_of_an_optimizer(made):
    with optimizer_of(made(maxiter=2)) as optimizer:
        with pytest.raises(clopt.InvalidInput, match="ask"):
            optimizer.tell([0.0])
        x = optimizer.ask()
        assert np.array_equal(x, optimizer.ask()) and x.ndim == 2
        for wrong in (np.zeros(len(x) - 1), np.zeros(len(x) + 1), np.zeros((len(x), 1)), 0.0, []):
            with pytest.raises(clopt.InvalidInput, match="values"):
                optimizer.tell(wrong)
        values = np.zeros(len(x))
        values[3] = np.nan
        with pytest.raises(clopt.InvalidInput, match=r"values\[3\] is NaN"):
            optimizer.tell(values)
        with pytest.raises(clopt.InvalidInput):
            optimizer.tell(["a"] * len(x))
        values[3] = np.inf
        optimizer.tell(values)
        with pytest.raises(clopt.InvalidInput, match="ask"):
            optimizer.tell(values)
        give_all(optimizer)
        with pytest.raises(clopt.InvalidInput, match="ask"):
            optimizer.tell(values)
        assert optimizer.result().nit == 2


def test_an_optimizer_without_values(made):
    with optimizer_of(made()) as optimizer:
        optimizer.stop()
        assert optimizer.ask() is None
        with pytest.raises(clopt.Cancelled):
            optimizer.result()
    optimizer.close()
    with optimizer_of(made()) as optimizer, pytest.raises(clopt.Cancelled):
        optimizer.result()


@pytest.mark.parametrize("arguments", [
    ("ecga", {}), ("none", {}), ("genetic", {}), ("differential_evolution", {"bounds": BOUNDS, "func": squares}),
    ("differential_evolution", {"bounds": BOUNDS, "workers": 2}), ("differential_evolution", {"bounds": BOUNDS, "maxiter": -1}),
    ("differential_evolution", {"bounds": BOUNDS, "vectorized": True}), ("genetic", {"bounds": BOUNDS, "kind": "none"}),
    ("differential_evolution", {"bounds": BOUNDS, "resume": "/nowhere"}),
])
def test_wrong_optimizers_are_refused(arguments):
    with pytest.raises(clopt.InvalidInput):
        clopt.Optimizer(arguments[0], **arguments[1])


def test_an_optimizer_has_rows_limits_and_callbacks(device):
    data = np.array([[1.0, 2.0], [3.0, 4.0]])
    run = {"data": data, "device": device, "maxiter": 20}
    with clopt.Optimizer("differential_evolution", [(0, 9)], **run) as optimizer:
        while (x := optimizer.ask()) is not None:
            optimizer.tell(abs(x[:, 0] - optimizer.rows.sum(axis=1)))
        assert optimizer.result().checksum == clopt.differential_evolution(with_row, [(0, 9)], **run).checksum
    with clopt.Optimizer("genetic", bounds=BOUNDS, time_limit=0.05, device=device) as optimizer:
        give_all(optimizer)
        assert optimizer.result().ending == "time"

    def raises(intermediate_result):
        raise LookupError("mine")

    with clopt.Optimizer("genetic", bounds=BOUNDS, callback=raises, device=device) as optimizer:
        with pytest.raises(LookupError, match="mine"):
            give_all(optimizer)


ENDS = """
import clopt, os, sys
optimizer = clopt.Optimizer("differential_evolution", 3 * [(-5, 5)])
optimizer.ask()
if sys.argv[1] == "fork":
    child = os.fork()
    if child == 0:
        try:
            optimizer.ask()
        except clopt.InvalidInput:
            optimizer.close()
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
elif sys.argv[1] == "collect":
    del optimizer
    import gc, threading, time
    gc.collect()
    time.sleep(1)
    assert threading.active_count() == 1
elif sys.argv[1] == "raise":
    raise SystemExit(0)
"""


@pytest.mark.parametrize("way", ["end", "fork", "collect", "raise"])
def test_an_optimizer_does_not_keep_its_process(way):
    done = subprocess.run([sys.executable, "-c", ENDS, way], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stderr == "", done.stderr
